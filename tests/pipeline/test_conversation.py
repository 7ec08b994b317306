"""Sentences that lean on what was said before: answers to our questions, pronouns, and half sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.examples import example_home, request_body
from tests.support.house import Decision, House, Pipeline, thing

HOME = {**example_home(), "satellite": None}


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """English alone."""
    return Pipeline(Path(tmp_path_factory.mktemp("data")), "en")


def say(pipeline: Pipeline, *sentences: str) -> Decision:
    """Say them one after another; each answer of ours goes into the history as it was spoken."""
    body: dict[str, Any] = request_body(HOME, sentences[0])
    messages = body["messages"][:1]
    decisions = []
    for sentence in sentences:
        messages.append({"role": "user", "content": sentence})
        decisions.append(pipeline.decide({**body, "messages": list(messages)}))
        messages.append({"role": "assistant", "content": decisions[-1].text or "Done."})
    return decisions[-1]


def names(decision: Decision) -> list[tuple[str, Any]]:
    """Which tool acts on what."""
    return [(tool, arguments.get("name") or arguments.get("area")) for tool, arguments in decision.actions]


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (("turn on the ceiling light", "the one in the bedroom"), [("HassTurnOn", "Ceiling Light")]),
        (("turn on the ceiling light", "kids room"), [("HassTurnOn", "Ceiling Light")]),
        (("turn off the lights", "the kitchen"), [("HassTurnOff", "Kitchen")]),
        (("turn on the tablet lamp", "the floor lamp"), [("HassTurnOn", "Floor Lamp")]),
        (("turn on the flor lamb thing", "no"), []),
        (("turn on the floor lamp", "turn it off"), [("HassTurnOff", "Floor Lamp")]),
        (("turn on the kitchen lights", "turn them off again"), [("HassTurnOff", "Kitchen")]),
        (("turn on the kitchen light", "and the hallway light"), [("HassTurnOn", "Hallway Light")]),
        (("turn on the kitchen lights", "and in the bedroom"), [("HassTurnOn", "Bedroom")]),
        (("turn on the kitchen light", "and in the bedroom", "turn them off"), [("HassTurnOff", "Bedroom")]),
    ],
)
def test_what_was_said_before_completes_the_command(
    pipeline: Pipeline, sentences: tuple[str, ...], expected: list[tuple[str, Any]]
) -> None:
    assert names(say(pipeline, *sentences)) == expected


@pytest.mark.parametrize(
    "sentences",
    [
        ("turn it off",),
        ("tell me a joke", "turn it off"),
        ("turn on the floor lamp", "don't turn it off"),
        ("turn on the floor lamp", "turn it off if it rains"),
        ("turn on the floor lamp", "what about the hallway light"),
        ("turn on the kitchen light and turn off the hallway light", "turn it on"),
        ("turn on the ceiling light", "never mind"),
        ("turn on the ceiling light", "not the one in the bedroom"),
        ("is the kitchen window open", "and the front door"),
    ],
)
def test_what_is_not_certain_does_nothing(pipeline: Pipeline, sentences: tuple[str, ...]) -> None:
    assert say(pipeline, *sentences).actions == []


HEATERS = House(
    (
        thing("Guest Heater", "climate", "Guest Room"),
        thing("Towel Heater", "switch", "Bathroom"),
        thing("Desk Lamp", "light", "Office"),
        thing("Stairs", "light", "Hallway"),
        thing("Back Door", "lock", "Kitchen"),
        thing("Front Door", "lock", "Hallway"),
    )
)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("turn on the heater", "yes"),
        ("turn on the heater", "ok"),
        ("turn on the heater", "upstairs"),
        ("turn on the heater", "and the desk lamp red"),
        ("turn on the heater", "and the desk lamp to 200"),
        ("unlock the door", "turn it back on"),
        ("unlock the door", "yes"),
        ("unlock the door", "the front door is broken"),
    ],
)
def test_an_answer_says_only_which_one(pipeline: Pipeline, asked: str, answer: str) -> None:
    question = pipeline.say(HEATERS, asked)
    assert question.text.endswith("?")
    said = {"role": "assistant", "content": question.text}
    assert pipeline.say(HEATERS, asked, said, answer).actions == []


@pytest.mark.parametrize("answer", ["the front one", "the front door please", "the one in the hallway"])
def test_an_answer_may_be_polite(pipeline: Pipeline, answer: str) -> None:
    said = {"role": "assistant", "content": pipeline.say(HEATERS, "unlock the door").text}
    assert names(pipeline.say(HEATERS, "unlock the door", said, answer)) == [("HassTurnOff", "Front Door")]


def test_a_question_keeps_its_subject(pipeline: Pipeline) -> None:
    for last, expected in (
        ("and the front door", {"name": "Front Door"}),
        ("what about the garage door", {"name": "Garage Door"}),
    ):
        ((tool, arguments),) = say(pipeline, "is the kitchen window open", last).calls
        assert tool.endswith("GetLiveContext")
        assert arguments.items() >= expected.items()


def test_an_exception_is_asked_first_and_done_after_a_yes(pipeline: Pipeline) -> None:
    sentence = "turn off all lights except the hallway light"
    asked = say(pipeline, sentence)
    assert asked.actions == []
    assert asked.text.endswith("?")
    assert "Hallway" not in asked.text
    assert say(pipeline, sentence, "yes but not now").actions == []
    done = say(pipeline, sentence, "yes please do")
    assert len(done.actions) == 7
    assert all(tool == "HassTurnOff" and "Hallway" not in str(arguments) for tool, arguments in done.actions)
    assert say(pipeline, sentence, "no").actions == []


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("mach bitte die Schreibtischlampe an", "Die Schreibtischlampe kenne ich nicht."),
        ("please turn on the purple dragon please", "I don't know the purple dragon."),
    ],
)
def test_an_unknown_name_is_said_back_without_fillers(tmp_path: Path, sentence: str, said: str) -> None:
    assert (
        Pipeline(tmp_path, "en", "de")
        .say(House((thing("Floor Lamp", "light", "Hall"),)), sentence)
        .text.startswith(said)
    )
