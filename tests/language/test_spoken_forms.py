"""Sentences of many forms in seven languages: polite and formal ones, fractions, several targets, conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from tests.support.house import House, Pipeline
from tests.support.sentences import lines, things
from tests.support.shared import ROOT
from tests.support.talk import talk

FORMS: Mapping[str, Mapping[str, Any]] = yaml.safe_load(
    (ROOT / "tests/language/spoken_forms.yaml").read_text(encoding="utf-8")
)


def _cases(part: str) -> Iterator[tuple[str, str]]:
    for language, form in FORMS.items():
        yield from ((language, line) for line in lines(form.get(part, "")))


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Pipeline]:
    return {code: Pipeline(tmp_path_factory.mktemp(f"forms_{code}"), code, verify=0) for code in FORMS}


def _house(language: str) -> House:
    return House(tuple(things(FORMS[language]["home"])), satellite=FORMS[language]["here"])


@pytest.mark.parametrize(("language", "case"), list(_cases("says")))
def test_what_is_said_is_done(pipelines: Mapping[str, Pipeline], language: str, case: str) -> None:
    said, _, wanted = case.partition(" -> ")
    done = talk(pipelines[language], _house(language), said.split(" | "))
    assert [_sorted(turn) for turn in done] == [_sorted(turn) for turn in wanted.split(" | ")]


@pytest.mark.parametrize(("language", "sentence"), list(_cases("left")))
def test_what_is_no_command_does_nothing(pipelines: Mapping[str, Pipeline], language: str, sentence: str) -> None:
    assert talk(pipelines[language], _house(language), [sentence]) == [""]


def _sorted(turn: str) -> list[str]:
    return sorted(turn.split("; "))


GERMAN_ROOMS = """
    Atelier: light=Licht; lock=Ateliertür; cover=Jalousien
    Garage: light=Licht; light=Torlicht
    Sauna: light=Licht; vacuum=Sauger
    -: light=Kartentischlampe; todo=Einkaufsliste
"""
POLISH_ROOMS = """
    Piwnica: light=Światło; media_player=Głośnik; fan=Wentylator piwnicy
    Siłownia: light=Światło; media_player=Telewizor
"""


@pytest.mark.parametrize(
    ("language", "home", "sentence", "done"),
    [
        # a room and a thing written together, where the thing is called just so
        ("de", GERMAN_ROOMS, "schalten Sie das Atelierlicht aus", "HassTurnOff area=Atelier"),
        ("de", GERMAN_ROOMS, "Saunalicht an", "HassTurnOn area=Sauna"),
        ("de", GERMAN_ROOMS, "mach das Licht im Saunabereich aus", "HassTurnOff area=Sauna"),
        ("de", GERMAN_ROOMS, "schalte die Beleuchtung des Kartentisches ein", "HassTurnOn name=Kartentischlampe"),
        ("de", GERMAN_ROOMS, "kann das Licht in der Sauna ausgeschaltet werden", "HassTurnOff area=Sauna"),
        ("de", GERMAN_ROOMS, "kann das Atelier aufgeschlossen werden?", ""),  # what opens is asked
        ("de", GERMAN_ROOMS, "füge diesen Titel meiner Tanzliste hinzu", ""),
        ("de", GERMAN_ROOMS, "füge Brot der Liste hinzu", "HassListAddItem item=Brot, name=Einkaufsliste"),
        # a room whose name in another case is a word for a floor
        ("pl", POLISH_ROOMS, "wznów odtwarzanie w piwnicy", "HassMediaUnpause name=Głośnik"),
        ("pl", POLISH_ROOMS, "wyłącz światło w piwnicy", "HassTurnOff area=Piwnica"),
    ],
)
def test_names_are_found_in_other_forms(
    pipelines: Mapping[str, Pipeline], language: str, home: str, sentence: str, done: str
) -> None:
    assert talk(pipelines[language], House(tuple(things(home))), [sentence]) == [done]
