"""To open a cover a bit moves it up from where it is, to close it a bit down."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.composed import Live, comes_to
from tests.support.house import House, Pipeline
from tests.support.sentences import things

HOUSE = House(tuple(things("Salon: cover=Faltrollo; light=Wandleuchte")), satellite="Salon")
LIVE: Live = [
    {
        "names": "Faltrollo",
        "domain": "cover",
        "state": "open",
        "areas": "Salon",
        "attributes": {"current_position": "60"},
    }
]


@pytest.mark.parametrize(
    ("sentence", "position"),
    [("Öffnen Sie das Faltrollo ein wenig", 70), ("Schließen Sie das Faltrollo ein wenig", 50)],
)
def test_the_direction_is_kept(tmp_path: Path, sentence: str, position: int) -> None:
    pipeline = Pipeline(tmp_path, "de")
    assert comes_to(pipeline, HOUSE, sentence, LIVE) == f"HassSetPosition name=Faltrollo, position={position}"


def test_a_verb_for_a_bit_opens_no_further(tmp_path: Path) -> None:
    pipeline = Pipeline(tmp_path, "pl")
    assert comes_to(pipeline, HOUSE, "uchyl Faltrollo", LIVE) == "HassSetPosition name=Faltrollo, position=80"
