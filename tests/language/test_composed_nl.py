"""Dutch commands that are composed from their words: what they come to, and what must never act."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.composed import Live, comes_to
from tests.support.house import House, Pipeline
from tests.support.sentences import heard_as, lines, things

HOUSE = House(
    tuple(
        things("""
        Zitkamer: light=Booglamp; light=Leeslicht; cover=Vouwgordijn; climate=Kamerthermostaat; vacuum=Snuffie
        Zitkamer: media_player=Thuisbioscoop
        Gang: light=Wandlicht; lock=Voorportaal
        Ouderkamer: light=Bedlicht; light=Spiegellicht; cover=Verduistering; fan=Torenventilator
        Bijkeuken: light=Toonbanklicht; switch=Waterkoker
        Carport: cover=Kanteldeur; light=Buitenlicht
        Veranda: cover=Zonneluifel; lock=Tuindeur
        Erf: valve=Druppelslang; lawn_mower=Grasdwerg
        -: scene=Leesavond
        """)
    ),
    satellite="Zitkamer",
)
LIVE: Live = [
    {"names": "Booglamp", "domain": "light", "state": "on", "areas": "Zitkamer", "attributes": {"brightness": "128"}},
    {"names": "Leeslicht", "domain": "light", "state": "off", "areas": "Zitkamer"},
    {
        "names": "Toonbanklicht",
        "domain": "light",
        "state": "on",
        "areas": "Bijkeuken",
        "attributes": {"brightness": "102"},
    },
    {
        "names": "Torenventilator",
        "domain": "fan",
        "state": "on",
        "areas": "Ouderkamer",
        "attributes": {"percentage": "40"},
    },
    {
        "names": "Kamerthermostaat",
        "domain": "climate",
        "state": "heat",
        "areas": "Zitkamer",
        "attributes": {"temperature": "20"},
    },
]

CASES = """
    # orders and requests
    Zet het toonbanklicht aan -> HassTurnOn name=Toonbanklicht
    Kunt u alstublieft het licht in de ouderkamer uitdoen? -> HassTurnOff area=Ouderkamer
    Wil je even de waterkoker uitzetten -> HassTurnOff name=Waterkoker
    Zou je het wandlicht willen aandoen -> HassTurnOn name=Wandlicht
    Schakel de lampen in de ouderkamer in -> HassTurnOn area=Ouderkamer
    Schakel alsjeblieft de waterkoker uit -> HassTurnOff name=Waterkoker
    Knip het wandlicht uit -> HassTurnOff name=Wandlicht
    Doe in de gang het licht uit -> HassTurnOff area=Gang
    Activeer de leesavond -> HassTurnOn name=Leesavond
    Wandlicht graag uit -> HassTurnOff name=Wandlicht
    Ouderkamerverlichting uit -> HassTurnOff area=Ouderkamer
    # wishes and passives
    Het wandlicht mag uit -> HassTurnOff name=Wandlicht
    De waterkoker moet uit -> HassTurnOff name=Waterkoker
    De waterkoker moet uitgeschakeld worden -> HassTurnOff name=Waterkoker
    Ik wil graag dat het wandlicht aan gaat -> HassTurnOn name=Wandlicht
    Ik wil het toonbanklicht uit -> HassTurnOff name=Toonbanklicht
    Zorg ervoor dat de tuindeur op slot is -> HassTurnOn name=Tuindeur
    De tuindeur moet vergrendeld worden -> HassTurnOn name=Tuindeur
    De stofzuiger moet terug naar de basis -> HassVacuumReturnToBase name=Snuffie
    De kanteldeur moet dicht -> HassTurnOff name=Kanteldeur
    # opposites
    Doe de kanteldeur open -> HassTurnOn name=Kanteldeur
    Doe de kanteldeur dicht -> HassTurnOff name=Kanteldeur
    Doe de tuindeur op slot -> HassTurnOn name=Tuindeur
    Haal de tuindeur van het slot -> HassTurnOff name=Tuindeur
    Draai de tuindeur op slot -> HassTurnOn name=Tuindeur
    Sluit de tuindeur af -> HassTurnOn name=Tuindeur
    Vergrendel het voorportaal -> HassTurnOn name=Voorportaal
    Ontgrendel het voorportaal -> HassTurnOff name=Voorportaal
    Trek het vouwgordijn dicht -> HassTurnOff name=Vouwgordijn
    Trek het vouwgordijn omhoog -> HassTurnOn name=Vouwgordijn
    Laat de verduistering in de ouderkamer zakken -> HassTurnOff name=Verduistering
    Haal de verduistering omhoog -> HassTurnOn name=Verduistering
    Rol de zonneluifel uit -> HassTurnOn name=Zonneluifel
    Rol de zonneluifel in -> HassTurnOff name=Zonneluifel
    Draai de druppelslang dicht -> HassTurnOff name=Druppelslang
    Stop de kanteldeur -> HassStopMoving name=Kanteldeur
    # values
    Stel de kamerthermostaat in op 20,5 graden -> HassClimateSetTemperature name=Kamerthermostaat, temperature=20.5
    De temperatuur moet 21 graden worden -> HassClimateSetTemperature name=Kamerthermostaat, temperature=21
    Dim de booglamp tot 30 procent -> HassLightSet brightness=30, name=Booglamp
    Zet de booglamp op volle helderheid -> HassLightSet brightness=100, name=Booglamp
    Verander de kleur van de booglamp naar groen -> HassLightSet color=green, name=Booglamp
    De booglamp moet rood branden -> HassLightSet color=red, name=Booglamp
    Zet het bedlicht op warm wit -> HassLightSet name=Bedlicht, temperature=2700
    Zet de torenventilator op halve kracht -> HassFanSetSpeed name=Torenventilator, percentage=50
    De verduistering mag half dicht -> HassSetPosition name=Verduistering, position=50
    Zet het volume van de thuisbioscoop op 30 procent -> HassSetVolume name=Thuisbioscoop, volume_level=30
    # media and robots
    Zet de thuisbioscoop zachter -> HassSetVolumeRelative name=Thuisbioscoop, volume_step=down
    De muziek mag wat harder -> HassSetVolumeRelative name=Thuisbioscoop, volume_step=up
    Demp de thuisbioscoop -> HassMediaPlayerMute name=Thuisbioscoop
    Stuur snuffie naar het laadstation -> HassVacuumReturnToBase name=Snuffie
    Snuffie moet stofzuigen -> HassVacuumStart name=Snuffie
    De grasdwerg moet maaien -> HassLawnMowerStartMowing name=Grasdwerg
    # several at once
    Toonbanklicht en wandlicht uit -> HassTurnOff name=Toonbanklicht; HassTurnOff name=Wandlicht
    Zet het toonbanklicht uit en het wandlicht aan -> HassTurnOff name=Toonbanklicht; HassTurnOn name=Wandlicht
        # from the state that is
    Maak de booglamp feller -> HassLightSet brightness=70, name=Booglamp
    Zet de booglamp een beetje donkerder -> HassLightSet brightness=40, name=Booglamp
    Verlaag de helderheid van het toonbanklicht met 15 procent -> HassLightSet brightness=25, name=Toonbanklicht
    Zet de ventilator in de ouderkamer sneller -> HassFanSetSpeed name=Torenventilator, percentage=60
    Verhoog de temperatuur met 2 graden -> HassClimateSetTemperature name=Kamerthermostaat, temperature=22
"""

NOTHING = """
    Zet het wandlicht niet aan
    Het wandlicht is uit
    Wandlicht is uit
    Het wandlicht werd uitgezet
    Ze zetten het wandlicht uit
    Ik heb het wandlicht uitgezet
    Is de tuindeur op slot?
    Kun je me zeggen of het wandlicht aan is
    Laat het wandlicht aan
    Laat het wandlicht alsjeblieft aan staan
    Het wandlicht moet aan blijven
    Hij zegt doe het wandlicht uit
    Doe het wandlicht uit als ik weg ga
    Zet het wandlicht vanavond uit
    Zet het wandlicht straks uit
    Zet het wandlicht aan en uit
    Open het huis
    Ontgrendel alle deuren
    Verhoog de temperatuur 3 graden
    Zet de booglamp op -20 procent
    Zet de kamerthermostaat op 220 graden
    Zet de rookmachine uit
    Speel muziek van gisteren
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """One grammar for all cases."""
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "nl")


@pytest.mark.parametrize("case", lines(CASES))
def test_meaning(pipeline: Pipeline, case: str) -> None:
    sentence, _, expected = case.partition(" -> ")
    heard = comes_to(pipeline, HOUSE, sentence, LIVE)
    assert heard_as(HOUSE, heard, expected), heard


@pytest.mark.parametrize("sentence", lines(NOTHING))
def test_nothing(pipeline: Pipeline, sentence: str) -> None:
    assert comes_to(pipeline, HOUSE, sentence, LIVE) == ""
