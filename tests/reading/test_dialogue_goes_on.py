"""Sentences that go on with the ones before: what is taken back, both of two turns, further, one more item, a timer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.house import Pipeline
from tests.support.talk import talk
from tests.support.understood import heard, house_of

HOMES = {
    "en": """
        Den: light=Den Lamp; light=Bookcase Strip; cover=Roman Blind; switch=Kettle
        Snug: light=Snug Lamp
        Hall: lock=Front Door; lock=Back Door
        -: todo=Shopping List
    """,
    "de": """
        Stube: light=Stehlampe; cover=Raffrollo; switch=Wasserkocher
        Flur: light=Flurlampe
        -: todo=Einkaufsliste
    """,
    "fr": """
        Salon: light=Lampadaire; light=Liseuse; cover=Store; switch=Bouilloire
        -: todo=Courses
    """,
    "es": """
        Salón: light=Lámpara de pie; light=Flexo; switch=Hervidor
        -: todo=Compra
    """,
}
SATELLITES = {"en": "Den", "de": "Stube", "fr": "Salon", "es": "Salón"}

DONE = {
    "en": """
        turn on the den lamp | no, the snug lamp => HassTurnOn name=Snug Lamp
        turn on the den lamp | no i meant the snug lamp => HassTurnOn name=Snug Lamp
        turn on the den lamp | no, turn it off => HassTurnOff name=Den Lamp
        set the den lamp to 40 percent | no, to 20 => HassLightSet brightness=20, name=Den Lamp
        turn on the kettle | switch it off again => HassTurnOff name=Kettle
        turn on the den lamp | the kettle too => HassTurnOn name=Kettle
        turn on the den lamp | and the kettle | turn both off => HassTurnOff name=Den Lamp; HassTurnOff name=Kettle
        dim the den lamp | more => HassLightSet brightness=30, name=Den Lamp
        close the roman blind | a bit more => HassSetPosition name=Roman Blind, position=40
        open the roman blind | a bit more => HassSetPosition name=Roman Blind, position=60
        add milk to the shopping list | and eggs => HassListAddItem item=eggs, name=Shopping List
        set a pasta timer for ten minutes | pause it => HassPauseTimer name=pasta
        set a timer for ten minutes | cancel that => HassCancelTimer
        lock both doors => HassTurnOn area=Hall
    """,
    "de": """
        schalte die Stehlampe ein | nein, die Flurlampe => HassTurnOn name=Flurlampe
        schalte die Stehlampe ein | nein, mach sie aus => HassTurnOff name=Stehlampe
        schließ das Raffrollo | noch ein bisschen => HassSetPosition name=Raffrollo, position=40
        setz Milch auf die Einkaufsliste | und Eier => HassListAddItem item=Eier, name=Einkaufsliste
        stell einen Timer auf zehn Minuten | stopp ihn => HassCancelTimer
    """,
    "fr": """
        allume le lampadaire | non, la liseuse => HassTurnOn name=Liseuse
        allume le lampadaire | non, éteins-le => HassTurnOff name=Lampadaire
        ajoute du lait à la liste de courses | et des œufs => HassListAddItem item=œufs, name=Courses
        mets un minuteur de dix minutes | annule-le => HassCancelTimer
    """,
    "es": """
        enciende la lámpara de pie | me refería al flexo => HassTurnOn name=Flexo
        enciende la lámpara de pie | no, el flexo => HassTurnOn name=Flexo
        añade leche a la lista de la compra | y huevos => HassListAddItem item=huevos, name=Compra
    """,
}

NOTHING = {
    "en": """
        turn on the den lamp | no, don't turn on the snug lamp
        turn on the den lamp | no lights
        turn on the den lamp | turn both off
        unlock the front door | no, the back door
        lock the front door | unlock both
        add milk to the shopping list | and tell me a joke
        add milk to the shopping list | and the den lamp
        set a timer for ten minutes | make it twelve minutes
        unlock both doors
    """,
    "de": """
        schalte die Stehlampe ein | nein, nicht die Flurlampe
        schalte die Stehlampe ein | keine Lampe
    """,
    "fr": "allume le lampadaire | non, n'allume pas la liseuse",
    "es": """
        enciende la lámpara de pie | no, enciende el flexo
        enciende la lámpara de pie | no enciendas el flexo
    """,
}


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(Path(tmp_path_factory.mktemp("goes_on")), *HOMES, verify=0)


def _last(pipeline: Pipeline, language: str, turns: str) -> str:
    return talk(pipeline, house_of(HOMES[language], SATELLITES[language]), turns.split(" | "))[-1]


@pytest.mark.parametrize(
    ("language", "turns", "wanted"), [(language, *line) for language, text in DONE.items() for line in heard(text)]
)
def test_what_was_left_out_is_taken_from_before(pipeline: Pipeline, language: str, turns: str, wanted: str) -> None:
    assert _last(pipeline, language, turns) == wanted


@pytest.mark.parametrize(
    ("language", "turns"), [(language, line[0]) for language, text in NOTHING.items() for line in heard(text)]
)
def test_what_is_refused_or_would_open_is_not_done(pipeline: Pipeline, language: str, turns: str) -> None:
    assert _last(pipeline, language, turns) == ""
