"""How a sentence is parted into clauses, and what each takes from its neighbours."""

from __future__ import annotations

import pytest

from ha_assist_addon.meaning.acts import Act
from tests.support.taken_apart import clauses


def told(sentence: str) -> list[tuple[str, list[str]]]:
    """The act and the parts of the reference of each clause."""
    return [(str(c.acts[0]), [item.text.lower() for item in c.reference.items]) for c in clauses(sentence) or ()]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("turn on the desk lamp and turn off the kettle", [("on", ["desk lamp"]), ("off", ["kettle"])]),
        ("turn on the desk lamp, turn off the kettle", [("on", ["desk lamp"]), ("off", ["kettle"])]),
        ("turn on the desk lamp turn off the kettle", [("on", ["desk lamp"]), ("off", ["kettle"])]),
        ("turn on the desk lamp and the kettle", [("on", ["desk lamp"]), ("on", ["kettle"])]),
        ("desk lamp on and kettle off", [("on", ["desk lamp"]), ("off", ["kettle"])]),
        ("desk lamp off, kettle on please", [("off", ["desk lamp"]), ("on", ["kettle"])]),
        ("switch the desk lamp off and the kettle on", [("off", ["desk lamp"]), ("on", ["kettle"])]),
        ("close the blind and lock the front door", [("close", ["blind"]), ("lock", ["front door"])]),
    ],
)
def test_acts_and_targets(sentence: str, found: list[tuple[str, list[str]]]) -> None:
    assert told(sentence) == found


def test_a_place_takes_the_kind_of_its_neighbour() -> None:
    assert told("turn off the kitchen and study lights") == [
        ("off", ["kitchen", "lights"]),
        ("off", ["study", "lights"]),
    ]


def test_it_is_the_one_target_before() -> None:
    assert told("turn on the desk lamp and set it to 30") == [("on", ["desk lamp"]), ("set", ["desk lamp"])]
    assert told("turn on the desk lamp and make it red") == [("on", ["desk lamp"]), ("set", ["desk lamp"])]
    assert told("turn on the desk lamp and the kettle and turn it off") == []


def test_a_bare_number_behind_an_act_is_no_value() -> None:
    assert told("turn on the desk lamp and four") == []
    assert told("turn on the desk lamp and 40 percent") == [("on", ["desk lamp"]), ("set", ["desk lamp"])]


def test_the_target_before_is_meant_where_none_is_said() -> None:
    red, dim = clauses("make the desk lamp red and turn on the kettle") or ()
    assert (red.value.colour, dim.value.colour, dim.acts[0]) == ("red", None, Act.ON)


def test_a_colour_and_a_brightness_of_one_thing_are_one_command() -> None:
    found = clauses("set the desk lamp to red and 30 percent")
    assert found is not None
    (both,) = found
    assert (both.value.colour, both.value.amount) == ("red", 30.0)


def test_a_complaint_beside_a_command_is_no_command() -> None:
    assert told("it is too dark in the study, turn on the desk lamp") == [("on", ["desk lamp"])]


@pytest.mark.parametrize(
    "sentence",
    ["please and thank you", "set the desk lamp to 30 percent and 40", ", ".join(["turn on the desk lamp"] * 9)],
)
def test_what_is_not_whole_has_no_clauses(sentence: str) -> None:
    assert told(sentence) == []
