"""A model that comes to no end is ended: in a bounded number of pieces, with one sentence, and nothing is done."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.conversation import ChatRequest, ToolCall
from ha_assist_addon.generation.endless import MOST_CALLS, MOST_ROUNDS, EndlessWatch, repeats_itself
from tests.generation.conftest import HOUSE
from tests.support.fake_backend import FakeBackend
from tests.support.fake_upstream import FakeUpstream, Scripted, delta, events
from tests.support.house import Decision, Pipeline, body, called, result
from tests.support.serving import running

COMFORT = "make the living room more comfortable"
STOPPED = "The language model came to no end, so I stopped it."


Piece = Callable[[int], str | ToolCall]


def speak(model: FakeBackend, piece: Piece) -> list[int]:
    """Let a model say one piece after another for ever; gives a list that holds how many it has said."""
    sent = [0]

    def script(_: ChatRequest) -> Iterator[str | ToolCall]:
        for number in itertools.count():
            sent[0] += 1
            assert sent[0] < 100_000, "nobody ends it"
            yield piece(number)

    model.scripts = [script]
    return sent


def counting(number: int) -> str:
    return f"Number {number} follows the one before it. "


CALL = '{"tool": "HassTurnOff", "args": {"name": "Desk Lamp"}}, '
PIECES: dict[str, Piece] = {
    "a sentence again and again": lambda _: "The lamp is on. ",
    "a word": lambda _: "the ",
    "a mark": lambda _: "!",
    "empty lines": lambda _: "\n",
    "ever other sentences": counting,
    "one word without an end": lambda n: f"{n}-",
    "calls as text": lambda n: '{"calls": [' if n == 0 else CALL,
    "a call that never closes": lambda n: '{"calls": [{"tool": "' if n == 0 else "HassTurnOff",
    "calls": lambda n: ToolCall(str(n), "HassTurnOff", {"name": "Desk Lamp", "area": f"Room {n}"}),
    "one call again and again": lambda n: ToolCall(str(n), "HassTurnOff", {"name": "Desk Lamp"}),
}


def ended(decision: Decision) -> None:
    assert decision.text.count(STOPPED) == 1
    assert decision.text.endswith(STOPPED)
    assert not decision.calls
    assert len(decision.finishes) == 1


@pytest.mark.parametrize("form", ToolForm)
@pytest.mark.parametrize("kind", PIECES)
def test_a_question_about_the_home(asking: Pipeline, model: FakeBackend, kind: str, form: ToolForm) -> None:
    model.form = form
    speak(model, PIECES[kind])
    decision = asking.say(HOUSE, COMFORT)
    ended(decision)
    assert decision.trace.metrics()["ha_validation"]["verdict"] == "endless"


@pytest.mark.parametrize("kind", ["a sentence again and again", "ever other sentences", "empty lines"])
def test_a_chat_without_a_home(asking: Pipeline, model: FakeBackend, kind: str) -> None:
    speak(model, PIECES[kind])
    messages = [{"role": "user", "content": "tell me about rivers"}]
    decision = asking.decide({"model": "HA-Assist", "messages": messages})
    assert decision.text.endswith(STOPPED)
    assert len(decision.text) < 62_000


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_is_said_in_the_language_of_the_person(asking: Pipeline, model: FakeBackend, language: str) -> None:
    speak(model, PIECES["a word"])
    sentence = {"en": COMFORT, "de": "mach es im Wohnzimmer ein wenig gemütlicher"}[language]
    told = {"en": "no end", "de": "keinem Ende"}[language]
    assert told in asking.say(HOUSE, sentence).text


def test_of_a_repetition_little_is_spoken(asking: Pipeline, model: FakeBackend) -> None:
    sent = speak(model, PIECES["a sentence again and again"])
    decision = asking.say(HOUSE, COMFORT)
    assert decision.text.count("The lamp is on.") < 16
    assert sent[0] < 32


def test_calls_beyond_measure_are_not_waited_for(asking: Pipeline, model: FakeBackend) -> None:
    model.form = ToolForm.NATIVE
    sent = speak(model, PIECES["calls"])
    asking.say(HOUSE, COMFORT)
    assert sent[0] == MOST_CALLS + 1


def rounds(asking: Pipeline, model: FakeBackend, call: Callable[[int], ToolCall]) -> tuple[int, Decision]:
    """Plays Home Assistant until an answer comes; gives the number of tool rounds."""
    model.form = ToolForm.NATIVE
    messages: list[Any] = [COMFORT]
    for number in range(12):
        model.scripts = [[call(number)]]
        decision = asking.say(HOUSE, *messages)
        if not decision.calls:
            return number, decision
        for name, arguments in decision.calls:
            told = result(
                {"success": True, "result": "Live Context: An overview:\n- names: Desk Lamp\n  state: 'on'\n"}
            )
            messages += [called(name, arguments, f"c{number}"), {**told, "tool_call_id": f"c{number}"}]
    raise AssertionError("nobody ends it")


def test_the_same_is_not_read_twice_in_a_turn(asking: Pipeline, model: FakeBackend) -> None:
    number, decision = rounds(asking, model, lambda n: ToolCall(str(n), "homeassistant__GetLiveContext", {}))
    assert number == 1
    ended(decision)


def test_reading_ever_more_ends_before_home_assistant_gives_up(asking: Pipeline, model: FakeBackend) -> None:
    areas = ("Office", "Kitchen", "Bedroom", "Hallway", "Garage", "Living Room", "Lounge")
    number, decision = rounds(
        asking, model, lambda n: ToolCall(str(n), "homeassistant__GetLiveContext", {"area": areas[n % len(areas)]})
    )
    assert 1 < number <= MOST_ROUNDS
    ended(decision)


async def test_a_server_that_ignores_the_limit_is_left_alone(tmp_path: Path) -> None:
    """The connection is closed as soon as it is known, so that the server can stop; the client gets status 200."""
    fake = FakeUpstream()
    piece = events(delta(content="The lamp is on. "), done=False)[0]
    fake.default = Scripted([piece] * 4000)
    async with fake.running():
        upstream = {"enabled": True, "base_url": fake.url, "model": "stub"}
        settings = json.dumps({"settings": {"ha_assist_languages": ["en"]}, "models": {"upstream": upstream}})
        async with running(tmp_path, settings=settings) as server:
            status, answer, _ = await server.post(body(HOUSE, COMFORT))
            assert status == 200
            assert answer["choices"][0]["message"]["content"].endswith(STOPPED)
            fake.default = Scripted(events(delta(content="Fine."), delta("stop")))
            status, answer, _ = await server.post(body(HOUSE, COMFORT))
            assert answer["choices"][0]["message"]["content"] == "Fine."


def test_data_may_repeat_itself_but_not_for_ever() -> None:
    watch = EndlessWatch(most_tokens=400, may_repeat=True)
    fed = 0
    while not watch.feed("0, "):
        fed += 1
    assert 1000 < fed * 3 < 400 * 13


@given(st.text(min_size=1, max_size=300), st.text(max_size=80))
def test_what_is_said_three_times_repeats_itself(unit: str, before: str) -> None:
    times = max(3, -(-120 // len(unit)) + 1)
    assert repeats_itself(before + unit * times)


def sentences() -> Iterator[str]:
    yield "The lamp is on. The blind is open. The door is locked. It is 21 degrees in the office, and 19 in the hall."
    yield "\n".join(f"- {name}: off" for name in ("Lamp", "Fan", "Radio", "Heating", "Plug", "Kettle", "Mill", "Drill"))
    yield "No. No. No, I would rather not do that."
    yield " ".join(counting(n) for n in range(20))


@pytest.mark.parametrize("text", list(sentences()))
def test_what_only_resembles_itself_goes_on(text: str) -> None:
    assert not any(repeats_itself(text[:end]) for end in range(len(text) + 1))
