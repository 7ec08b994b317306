"""The judge itself: it lets the right answer through and stops every kind of wrong one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.judge import Given, misses
from tests.support.shared import needs_shared

pytestmark = needs_shared

HOME = [
    {"domain": "light", "name": "Lamp", "aliases": ["Bulb"], "area": "Den", "floor": "Ground"},
    {"domain": "light", "name": "Spot", "aliases": [], "area": "Den", "floor": "Ground"},
    {"domain": "light", "name": "Lamp", "aliases": [], "area": "Hall", "floor": "Ground", "entity_id": "light.lamp_2"},
    {"domain": "lock", "name": "Door", "aliases": [], "area": "Hall", "floor": "Ground"},
]
ON = {
    "kind": "tool_call",
    "tool": "HassTurnOn",
    "args": {"name": "Spot"},
    "targets": ["light.spot"],
    "generative_calls": 0,
}
DIM = {
    "kind": "tool_call",
    "tool": "HassLightSet",
    "args": {"name": "Spot", "brightness": 40},
    "targets": ["light.spot"],
}
READ = {"kind": "tool_call", "tool": "GetLiveContext", "args": {"name": "Spot"}, "covers": ["light.spot"]}
ADD = {"kind": "tool_call", "tool": "HassListAddItem", "args": {"item": "Bread"}}
TALK = {"kind": "answer", "answer_contains": ["den"], "answer_not_contains": ["hall"], "answer_not_regex": "^ok"}
ASK = {
    "kind": "clarify",
    "forbid_tools": ["HassTurnOn"],
    "answer_endswith": "?",
    "answer_contains_any": ["Den", "Hall"],
}
MODEL = {"kind": "llm", "forbid_targets": ["lock.door"], "generative_calls": 1, "prompt_must_contain": ["Lamp"]}
FREE = {"kind": "llm", "generative_calls": 1, "all_or_nothing_targets": ["light.spot", "lock.door"]}


def call(tool: str, **arguments: Any) -> Given:
    return Given(200, calls=[(f"intent__{tool}", arguments)])


def said(text: str, *prompts: str, **metrics: Any) -> Given:
    return Given(200, text, metrics=metrics, prompts=[{"messages": prompt} for prompt in prompts])


def both(*calls: tuple[str, dict[str, Any]]) -> Given:
    return Given(200, calls=[(f"intent__{tool}", arguments) for tool, arguments in calls])


RIGHT: list[tuple[dict[str, Any], Given]] = [
    (ON, call("HassTurnOn", name="spot")),
    (ON, call("HassTurnOn", name="Spot", area="Den", domain=["light"])),
    (DIM, call("HassLightSet", area="den", name="spot", brightness=40)),
    (READ, call("GetLiveContext")),
    (READ, call("GetLiveContext", domain="light", area="Den")),
    (ADD, call("HassListAddItem", item="bread", name="List")),
    (TALK, said("It is in the Den.")),
    (ASK, said("Do you mean the one in the Den?")),
    (MODEL, said("Hm", "a lamp")),
    (FREE, said("Which one?")),
    (FREE, both(("HassTurnOn", {"name": "Spot"}), ("HassTurnOn", {"name": "Door"}))),
    (FREE, said("Anything", "prompt")),
    ({**ON, "any_of": [{"kind": "clarify"}]}, said("Which?")),
    ({**ON, "emitted_tool": "intent__HassTurnOn"}, call("HassTurnOn", name="Spot")),
]
WRONG: list[tuple[dict[str, Any], Given, str]] = [
    (ON, call("HassTurnOff", name="Spot"), "expected"),
    (ON, call("HassTurnOn", name="Lamp"), "DUPLICATE_NAME"),
    (ON, call("HassTurnOn", area="Den"), "reaches"),
    (ON, call("HassTurnOn", name="Door"), "reaches"),
    (ON, said("Done."), "expected"),
    (ON, Given(500, "oh"), "status"),
    (ON, Given(200, calls=[("HassTurnOn", {"name": "Spot"})], metrics={"ha_route": {"inference_calls": 1}}), "asked 1"),
    (ON, both(("HassTurnOn", {"name": "Spot"}), ("HassTurnOff", {"name": "Door"})), "expected"),
    ({**ON, "emitted_tool": "assist__intent__HassTurnOn"}, call("HassTurnOn", name="Spot"), "is called"),
    (DIM, call("HassLightSet", name="Spot", brightness=41), "does not say"),
    (DIM, call("HassLightSet", name="Spot"), "does not say"),
    (DIM, call("HassLightSet", name="Spot", brightness=40, color="red"), "not asked for"),
    (READ, call("GetLiveContext", area="Hall"), "not read"),
    (ADD, call("HassListAddItem", item="Bread and butter"), "does not say"),
    (TALK, said("It is in the hall."), "lacks"),
    (TALK, said("ok, den"), "answer_not_regex"),
    (TALK, said(""), "nothing is said"),
    (TALK, call("GetLiveContext"), "was called"),
    (TALK, said('The den {"name": 1}'), "internal"),
    (ASK, said("Do you mean that?"), "answer_contains_any"),
    (ASK, said("In the Den."), "answer_endswith"),
    (ASK, call("HassTurnOn", name="Spot"), "forbidden"),
    (MODEL, said("Which?"), "not asked"),
    (MODEL, said("Hm", "nothing"), "lacks"),
    (MODEL, said("Hm", "lamp", "lamp"), "asked 2"),
    (MODEL, Given(200, calls=[("HassTurnOff", {"name": "Door"})], prompts=[{"m": "Lamp"}]), "forbidden"),
    (FREE, said("Done."), "nor the person"),
    (FREE, call("HassTurnOn", name="Spot"), "left out"),
    ({**ON, "forbid_args_regex": {"name": "Sp"}}, call("HassTurnOn", name="Spot"), "forbidden argument"),
    (
        {**DIM, "forbid_calls": [{"tool": "HassLightSet", "args": {"brightness": 40}}]},
        call("HassLightSet", name="Spot", brightness=40),
        "forbidden",
    ),
    ({**TALK, "validation": "rejected"}, said("The den", ha_validation={"verdict": "accepted"}), "validation"),
    ({**MODEL, "prompt_max_tokens": 10}, said("Hm", "lamp " * 50), "tokens"),
]


def judge(expect: dict[str, Any], given: Given) -> list[str]:
    return misses({"id": "x", "home": HOME, "expect": expect}, given)


@pytest.mark.parametrize(("expect", "given"), RIGHT)
def test_the_right_answer_passes(expect: dict[str, Any], given: Given) -> None:
    assert judge(expect, given) == []


@pytest.mark.parametrize(("expect", "given", "why"), WRONG)
def test_a_wrong_answer_is_named(expect: dict[str, Any], given: Given, why: str) -> None:
    found = judge(expect, given)
    assert any(why in miss for miss in found), found


def test_where_nobody_said_what_the_model_answers_the_answer_without_one_is_judged() -> None:
    given = said("Something of the model's own", "prompt")
    given.unaided = said("The one in the Den?")
    assert judge({**ASK, "generative_calls": 1}, given) == []
    given.unaided = call("HassTurnOn", name="Spot")
    assert judge({**ASK, "generative_calls": 1}, given)
