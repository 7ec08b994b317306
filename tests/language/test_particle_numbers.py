"""A German particle that is a number too: "ein" switches on, and counts only where a unit follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.house import House, Pipeline
from tests.support.sentences import said, things

HOUSE = House(
    tuple(things("Salon: light=Wandleuchte; climate=Konvektor\nDiele: light=Spiegellicht")),
    satellite="Salon",
)


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """One grammar for all cases."""
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "de")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Schalten Sie bitte das Spiegellicht ein", "HassTurnOn name=Spiegellicht"),
        ("Schalten Sie das Licht in der Diele ein", "HassTurnOn area=Diele"),
        ("Stellen Sie den Konvektor auf 21 Grad ein", "HassClimateSetTemperature name=Konvektor, temperature=21"),
        ("Ich möchte das Spiegellicht auf ein Prozent", "HassLightSet brightness=1, name=Spiegellicht"),
    ],
)
def test_ein(pipeline: Pipeline, sentence: str, expected: str) -> None:
    assert said(pipeline, HOUSE, sentence) == expected
