"""German commands that are composed from their words: what they come to, and what must never act."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.composed import Live, comes_to
from tests.support.house import House, Pipeline
from tests.support.sentences import heard_as, lines, things

HOUSE = House(
    tuple(
        things("""
        Wohnstube: light=Bogenlampe; light=Leselicht; cover=Jalousie Süd; climate=Raumthermostat; vacuum=Flitzi
        Wohnstube: media_player=Heimkino
        Diele: light=Wandleuchte; lock=Eingangstür
        Elternzimmer: light=Bettleuchte; light=Spiegellicht; cover=Verdunkelungsrollo; fan=Standventilator
        Kochnische: light=Thekenlicht; switch=Wasserkocher
        Carport: cover=Sektionaltor; light=Außenleuchte
        Veranda: cover=Sonnenmarkise; lock=Verandatür
        Hof: valve=Tropfschlauch; lawn_mower=Graszwerg
        -: scene=Leseabend
        """)
    ),
    satellite="Wohnstube",
)
LIVE: Live = [
    {
        "names": "Bogenlampe",
        "domain": "light",
        "state": "on",
        "areas": "Wohnstube",
        "attributes": {"brightness": "128"},
    },
    {"names": "Leselicht", "domain": "light", "state": "off", "areas": "Wohnstube"},
    {
        "names": "Thekenlicht",
        "domain": "light",
        "state": "on",
        "areas": "Kochnische",
        "attributes": {"brightness": "102"},
    },
    {
        "names": "Standventilator",
        "domain": "fan",
        "state": "on",
        "areas": "Elternzimmer",
        "attributes": {"percentage": "40"},
    },
    {
        "names": "Raumthermostat",
        "domain": "climate",
        "state": "heat",
        "areas": "Wohnstube",
        "attributes": {"temperature": "20"},
    },
    {
        "names": "Verdunkelungsrollo",
        "domain": "cover",
        "state": "open",
        "areas": "Elternzimmer",
        "attributes": {"current_position": "60"},
    },
]

CASES = """
    # formal
    Schalten Sie bitte das Thekenlicht aus -> HassTurnOff name=Thekenlicht
    Könnten Sie bitte das Licht im Elternzimmer ausschalten? -> HassTurnOff area=Elternzimmer
    Würden Sie bitte den Wasserkocher anmachen -> HassTurnOn name=Wasserkocher
    Machen Sie in der Diele das Licht an -> HassTurnOn name=Wandleuchte
    Schließen Sie die Eingangstür ab -> HassTurnOn name=Eingangstür
    Schließen Sie die Eingangstür auf -> HassTurnOff name=Eingangstür
    Fahren Sie das Verdunkelungsrollo herunter -> HassTurnOff name=Verdunkelungsrollo
    Ziehen Sie das Rollo im Elternzimmer hoch -> HassTurnOn name=Verdunkelungsrollo
    Halten Sie die Sonnenmarkise an -> HassStopMoving name=Sonnenmarkise
    Stellen Sie die Temperatur auf 21,5 Grad -> HassClimateSetTemperature name=Raumthermostat, temperature=21.5
    Drehen Sie das Raumthermostat auf 22 Grad hoch -> HassClimateSetTemperature name=Raumthermostat, temperature=22
    Setzen Sie die Wiedergabe fort -> HassMediaUnpause name=Heimkino
    Überspringen Sie diesen Titel -> HassMediaNext name=Heimkino
    Ändern Sie die Farbe der Bogenlampe in Grün -> HassLightSet color=green, name=Bogenlampe
    Trennen Sie den Wasserkocher vom Strom -> HassTurnOff name=Wasserkocher
    Schicken Sie den Staubsauger zurück zur Ladestation -> HassVacuumReturnToBase name=Flitzi
    # infinitive
    Im Elternzimmer bitte das Licht ausschalten -> HassTurnOff area=Elternzimmer
    Sektionaltor bitte schließen -> HassTurnOff name=Sektionaltor
    Sonnenmarkise ausfahren -> HassTurnOn name=Sonnenmarkise
    Sonnenmarkise einfahren -> HassTurnOff name=Sonnenmarkise
    Die Verandatür bitte aufsperren -> HassTurnOff area=Veranda
    Bogenlampe auf 30 Prozent dimmen bitte -> HassLightSet brightness=30, name=Bogenlampe
    Wohnstube bitte saugen -> HassVacuumCleanArea area=Wohnstube
    # wishes and passives
    Der Wasserkocher soll aus -> HassTurnOff name=Wasserkocher
    Der Wasserkocher soll ausgeschaltet werden -> HassTurnOff name=Wasserkocher
    Ich hätte gern das Thekenlicht an -> HassTurnOn name=Thekenlicht
    Ich hätte die Außenleuchte gern aus -> HassTurnOff name=Außenleuchte
    Ich möchte, dass du das Thekenlicht ausmachst -> HassTurnOff name=Thekenlicht
    Das Licht in der Kochnische kann aus -> HassTurnOff name=Thekenlicht
    Der Staubsauger muss gestartet werden -> HassVacuumStart name=Flitzi
    Der Boden in der Wohnstube muss gesaugt werden -> HassVacuumCleanArea area=Wohnstube
    Sorgen Sie dafür, dass die Eingangstür abgeschlossen ist -> HassTurnOn name=Eingangstür
    Die Verandatür sollte jetzt verschlossen sein -> HassTurnOn name=Verandatür
    Die Sonnenmarkise soll auf -> HassTurnOn name=Sonnenmarkise
    Die Bogenlampe soll rot leuchten -> HassLightSet color=red, name=Bogenlampe
    Flitzi soll zurück zur Station -> HassVacuumReturnToBase name=Flitzi
    # written together, cases, forms
    Elternzimmerlicht aus bitte -> HassTurnOff area=Elternzimmer
    Kochnischenbeleuchtung bitte ausmachen -> HassTurnOff area=Kochnische
    Schalte die Lampen des Elternzimmers aus -> HassTurnOff area=Elternzimmer
    Mach mal kurz die Bettleuchte aus -> HassTurnOff name=Bettleuchte
    Sperr die Eingangstür zu -> HassTurnOn name=Eingangstür
    Dreh den Tropfschlauch ab -> HassTurnOff name=Tropfschlauch
    Der Graszwerg soll mähen -> HassLawnMowerStartMowing name=Graszwerg
    Stell die Bogenlampe bitte auf volle Helligkeit -> HassLightSet brightness=100, name=Bogenlampe
    Verdunkelungsrollo zur Hälfte schließen -> HassSetPosition name=Verdunkelungsrollo, position=50
    Mach das Heimkino bitte etwas leiser -> HassSetVolumeRelative name=Heimkino, volume_step=down
    Stell das Heimkino auf stumm -> HassMediaPlayerMute name=Heimkino
    # several at once
    Thekenlicht und Wandleuchte bitte aus -> HassTurnOff name=Thekenlicht; HassTurnOff name=Wandleuchte
    Mach das Thekenlicht aus und die Wandleuchte an -> HassTurnOff name=Thekenlicht; HassTurnOn name=Wandleuchte
            # from the state that is
    Machen Sie die Bogenlampe heller -> HassLightSet brightness=70, name=Bogenlampe
    Die Bogenlampe soll etwas dunkler werden -> HassLightSet brightness=40, name=Bogenlampe
    Verringern Sie die Helligkeit des Thekenlichts um 15 Prozent -> HassLightSet brightness=25, name=Thekenlicht
    Beschleunigen Sie den Ventilator im Elternzimmer -> HassFanSetSpeed name=Standventilator, percentage=60
    Lassen Sie den Standventilator langsamer laufen -> HassFanSetSpeed name=Standventilator, percentage=20
    Ich hätte es gern um zwei Grad wärmer -> HassClimateSetTemperature name=Raumthermostat, temperature=22
    Senken Sie die Temperatur um ein Grad -> HassClimateSetTemperature name=Raumthermostat, temperature=19
    Schließen Sie das Verdunkelungsrollo ein wenig -> HassSetPosition name=Verdunkelungsrollo, position=50
"""

NOTHING = """
    Schalten Sie das Thekenlicht nicht aus
    Das Thekenlicht ist ausgeschaltet
    Thekenlicht ist aus
    Das Thekenlicht wurde ausgeschaltet
    Ist die Eingangstür abgeschlossen?
    Können Sie mir sagen, ob das Thekenlicht aus ist?
    Lassen Sie das Thekenlicht bitte an, danke
    Thekenlicht an lassen
    Die Wandleuchte soll an bleiben
    Er sagt, schalten Sie das Thekenlicht aus
    Wenn ich gehe, soll das Thekenlicht aus
    Schalten Sie das Thekenlicht am Abend aus
    Schalten Sie das Thekenlicht vielleicht aus
    Öffnen Sie das Haus
    Schließen Sie alle Türen auf
    Entriegeln Sie beide Türen
    Erhöhen Sie die Temperatur 3 Grad
    Stellen Sie die Bogenlampe auf -20 Prozent
    Stellen Sie das Raumthermostat auf 220 Grad
    Schalten Sie das Thekenlicht im Weinkeller aus
    Schalten Sie die Nebelmaschine aus
    Mach das Thekenlicht an und aus
    Spielen Sie Musik von gestern
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """One grammar for all cases."""
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "de")


@pytest.mark.parametrize("case", lines(CASES))
def test_meaning(pipeline: Pipeline, case: str) -> None:
    sentence, _, expected = case.partition(" -> ")
    heard = comes_to(pipeline, HOUSE, sentence, LIVE)
    assert heard_as(HOUSE, heard, expected), heard


@pytest.mark.parametrize("sentence", lines(NOTHING))
def test_nothing(pipeline: Pipeline, sentence: str) -> None:
    assert comes_to(pipeline, HOUSE, sentence, LIVE) == ""
