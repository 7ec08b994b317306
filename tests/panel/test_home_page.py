"""What can be said in each room, and the check-up of names."""

from __future__ import annotations

import json
from html import unescape

import pytest

from tests.support.house import House, body, thing

from .conftest import Add, Panel

HOME = House(
    (thing("Ceiling Light", "light", "Kitchen"), thing("Front <Door>", "lock", "Hall"), thing("Anna", "person")),
    satellite="Hall",
)


@pytest.fixture
def home(add: Add) -> None:
    add("hello", request=json.dumps(body(HOME, "hello")).encode())


async def test_before_the_first_request_an_example_is_shown(panel: Panel) -> None:
    page = await panel.get("home")
    assert "this shows an example home" in page
    assert "Turn on the Kitchen Light" in page


@pytest.mark.usefixtures("home")
async def test_the_room_of_the_speaker_comes_first_and_others_can_be_chosen(panel: Panel) -> None:
    page = unescape(await panel.get("home"))
    assert "Lock the Front <Door>" in page
    assert "Ceiling Light" not in page
    assert "<Door>" not in await panel.get("home")
    assert "Turn on the lights in the Kitchen" in unescape(await panel.get("home?room=0&language=en"))
    assert "Schalte Ceiling Light ein" in unescape(await panel.get("home?room=0&language=de"))
    assert "Where is Anna?" in unescape(await panel.get("home?room=2"))
    for query in ("room=99", "room=x", "language=xx", "room=-1"):
        assert "Lock the Front" in await panel.get(f"home?{query}")
    assert await panel.services.traces.count() == 1, "nothing is recorded"


@pytest.mark.usefixtures("home")
async def test_the_check_up_is_asked_for_by_the_page(panel: Panel) -> None:
    assert 'data-load="home/checkup?language=en"' in await panel.get("home")
    found = await panel.post("home/checkup?language=en")
    assert "Every device can be reached by its name" in found
    assert "robot vacuums" in found


async def test_a_fault_is_told_with_the_sentence_and_a_better_name(panel: Panel, add: Add) -> None:
    twice = House((thing("Ceiling", "light", "Hall"), thing("Ceiling", "fan", "Hall")), satellite="Hall")
    add("hello", request=json.dumps(body(twice, "hello")).encode())
    found = await panel.post("home/checkup?language=en")
    assert "Something else has the same name: Ceiling (Hall)." in found
    assert "This fails: “Turn on the Ceiling”." in found
    assert "Works with the name “Hall Ceiling”." in found
