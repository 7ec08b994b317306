"""After a tool round: an acknowledgement or what went wrong, in the person's language, and never the action again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from ha_assist_addon.conversation import Message, Role, ToolCall
from ha_assist_addon.language.replies import official
from ha_assist_addon.turn.history import read_result, read_turn
from tests.support.house import Decision, House, Pipeline, body, called, done, result, thing

HOUSE = House(
    (
        thing("Desk Lamp", "light", "Office"),
        thing("Window Lamp", "light", "Den"),
        thing("Shelf Lamp", "light", "Den"),
        thing("Kitchen Window", "binary_sensor", "Kitchen"),
        thing("Schreibtischlampe", "light", "Büro"),
        thing("Coffee Machine", "switch", "Kitchen"),
    )
)
ON = "intent__HassTurnOn"
SOMETIMES = "Closing{% if slots.area %} in {{ slots.area }}{% endif %}"
INTERNAL = re.compile(r"[{}\[\]<>]|Error|\bNone\b|Reason|__|Hass[A-Z]")


def wrapped(content: Any, *, error: bool = False) -> dict[str, Any]:
    """The envelope of 2026.10 and later."""
    return {"data": content, "error": error}


def after(pipeline: Pipeline, sentence: str, content: Any) -> Decision:
    """The request that follows the call that the pipeline itself makes for a sentence."""
    ((name, arguments),) = pipeline.say(HOUSE, sentence).calls
    return pipeline.say(HOUSE, sentence, called(name, arguments), result(content))


FAILED = {
    "2026.11 unknown name": wrapped(
        {"error": "MatchFailedError", "error_text": "No entities matched the name (given name 'Desk Lamp')"}, error=True
    ),
    "2026.8 unknown name": {
        "error": "MatchFailedError",
        "error_text": "<MatchFailedError result=MatchTargetsResult(no_match_reason=<MatchFailedReason.NAME: 1>)>",
    },
    "service failed": {"error": "HomeAssistantError", "error_text": "device unreachable"},
    "invalid argument": wrapped(
        {"error": "InvalidSlotInfo", "error_text": "Received invalid slot info for HassTurnOn"}, error=True
    ),
    "unknown tool": {"error": "HomeAssistantError", "error_text": 'Tool "x" not found'},
    "error without a text": {"error": "IntentError"},
    "only the envelope says so": wrapped("something", error=True),
    "success is false": {"success": False},
    "the only target failed": wrapped(done(failed=["Desk Lamp"])),
}


SORRY = r"(?i)sorry|not|can't|couldn't|leider|nicht|kein"


@pytest.mark.parametrize("case", FAILED)
@pytest.mark.parametrize("sentence", ["turn on the desk lamp", "schalte die schreibtischlampe ein"])
def test_a_failure_is_said_and_nothing_is_tried_again(pipeline: Pipeline, case: str, sentence: str) -> None:
    decision = after(pipeline, sentence, FAILED[case])
    assert decision.calls == []
    assert re.search(SORRY, decision.text), decision.text
    assert not INTERNAL.search(decision.text), decision.text


DONE = {
    "2026.11": wrapped(done("Desk Lamp")),
    "2026.8": done("Desk Lamp"),
    "with an area in the result": wrapped(
        {
            **done("Desk Lamp"),
            "data": {
                "success": [
                    {"name": "Office", "type": "area", "id": "office"},
                    {"name": "Desk Lamp", "type": "entity", "id": "x"},
                ],
                "failed": [],
            },
        }
    ),
    "with a failed area beside a success": wrapped(
        {**done("Desk Lamp"), "data": {"success": [{"name": "Desk Lamp", "type": "entity"}], "failed": []}}
    ),
    "a sentence behind the JSON": json.dumps(wrapped(done("Desk Lamp"))) + "\nYou have reached the last round.",
}


@pytest.mark.parametrize("case", DONE)
def test_a_success_is_acknowledged(pipeline: Pipeline, case: str) -> None:
    decision = after(pipeline, "turn on the desk lamp", DONE[case])
    assert decision.actions == []
    assert decision.calls or not re.search(SORRY, decision.text)
    assert not decision.text.endswith("?")
    assert not INTERNAL.search(decision.text)


def test_an_acknowledgement_is_in_the_language_of_the_sentence(pipeline: Pipeline) -> None:
    english = after(pipeline, "turn on the desk lamp", done("Desk Lamp")).text
    german = after(pipeline, "schalte die schreibtischlampe ein", done("Schreibtischlampe")).text
    assert (english, german) != ("", "")
    assert english != german


@pytest.mark.parametrize(
    ("sentence", "expected"), [("open the garage", "Opening"), ("open the garage door", "Opening")]
)
def test_an_acknowledgement_says_a_class_that_was_said(pipeline: Pipeline, sentence: str, expected: str) -> None:
    house = House((thing("Big Garage Door", "cover", "Garage"), *HOUSE.things), satellite="Kitchen")
    ((name, arguments),) = pipeline.say(house, sentence).calls
    decision = pipeline.say(house, sentence, called(name, arguments), result(wrapped(done("Big Garage Door"))))
    assert decision.text.startswith(expected)
    assert not decision.text.endswith(" the")


def test_an_official_response_that_lacks_a_value_is_not_spoken() -> None:
    responses = {"intents": {"HassTurnOff": {"one": "Closing the {{ slots.device_class }}", "two": SOMETIMES}}}
    assert official(responses, "HassTurnOff", "one", slots={}) is None
    assert official(responses, "HassTurnOff", "one", slots={"device_class": "gate"}) == "Closing the gate"
    assert official(responses, "HassTurnOff", "two", slots={}) == "Closing"


@pytest.mark.parametrize("case", DONE)
def test_with_verification_the_state_is_read_once_and_after_each_wait_and_the_turn_ends(
    careful: Pipeline, case: str
) -> None:
    """The lamp stays off in what is read, whatever Home Assistant said."""
    ((name, arguments),) = careful.say(HOUSE, "turn on the desk lamp").calls
    off = LIVE + "- names: Desk Lamp\n  domain: light\n  state: 'off'\n  areas: Office\n"
    messages: list[Any] = ["turn on the desk lamp", called(name, arguments, "act"), result(DONE[case], "act")]
    decision = Decision()
    for number in range(4):
        decision = careful.decide(body(HOUSE, *messages))
        assert decision.actions == []
        if not decision.calls:
            break
        ((read, filters),) = decision.calls
        messages += [called(read, filters, f"read_{number}"), result(wrapped({"result": off}), f"read_{number}")]
    assert decision.calls == []
    assert decision.text.strip()
    assert not decision.text.rstrip().endswith("?")


def test_a_part_that_failed_is_named(pipeline: Pipeline) -> None:
    decision = after(pipeline, "turn on the lights in the den", wrapped(done("Window Lamp", failed=["Shelf Lamp"])))
    assert "Shelf Lamp" in decision.text
    assert decision.calls == []


LIVE = "Live Context: An overview of the areas and the devices in this smart home:\n"
WINDOW = (
    LIVE
    + "- names: Kitchen Window\n  domain: binary_sensor\n  state: '{}'\n  areas: Kitchen\n"
    + "  attributes:\n    device_class: window\n"
)


@pytest.mark.parametrize(("state", "answer"), [("on", "(?i)yes|open"), ("off", "(?i)no|closed")])
@pytest.mark.parametrize("envelope", [wrapped, lambda content: {"success": True, **content}, dict])
def test_a_question_is_answered_from_what_was_read(pipeline: Pipeline, state: str, answer: str, envelope: Any) -> None:
    decision = after(pipeline, "is the kitchen window open?", envelope({"result": WINDOW.format(state)}))
    assert decision.calls == []
    assert re.search(answer, decision.text), decision.text


@pytest.mark.parametrize(
    "content",
    [
        wrapped({"result": LIVE}),
        wrapped({"error": "No exposed entities matched"}, error=True),
        "garbage",
        "",
        None,
        5,
        [],
    ],
)
def test_what_cannot_be_read_is_not_invented(pipeline: Pipeline, content: Any) -> None:
    decision = after(pipeline, "is the kitchen window open?", content)
    assert decision.text.strip()
    assert not re.search(r"(?i)\b(yes|open|closed)\b", decision.text), decision.text


def test_the_clock_is_told_from_the_result(pipeline: Pipeline) -> None:
    clock = {"date": "2026-11-29", "time": "20:10:08", "timezone": "CET", "weekday": "Sunday"}
    assert re.search("8:10|20:10", after(pipeline, "what time is it", wrapped(clock)).text)
    for bad in ({}, {"date": "x", "time": "y"}, {"result": None}, wrapped({"date": 5})):
        assert after(pipeline, "what time is it", bad).text.strip()


COMPOUND = "turn on the desk lamp and turn off the coffee machine"


def test_the_second_of_two_commands_follows_the_first(pipeline: Pipeline) -> None:
    messages: list[Any] = [COMPOUND]
    seen = []
    for number in range(2):
        decision = pipeline.decide(body(HOUSE, *messages, parallel_tool_calls=False))
        ((name, arguments),) = decision.calls
        seen.append(arguments["name"])
        messages += [
            called(name, arguments, f"call_{number}"),
            result(wrapped(done(arguments["name"])), f"call_{number}"),
        ]
    assert seen == ["Desk Lamp", "Coffee Machine"]
    last = pipeline.decide(body(HOUSE, *messages, parallel_tool_calls=False))
    assert last.actions == []


def test_after_a_failure_the_second_command_is_not_hidden(pipeline: Pipeline) -> None:
    ((name, arguments),) = pipeline.say(HOUSE, COMPOUND, parallel_tool_calls=False).calls
    failed = wrapped({"error": "HomeAssistantError", "error_text": "unreachable"}, error=True)
    decision = pipeline.say(HOUSE, COMPOUND, called(name, arguments), result(failed), parallel_tool_calls=False)
    assert decision.actions or re.search(SORRY, decision.text)
    assert all(a.get("name") != "Desk Lamp" for _, a in decision.actions)


def parallel(pipeline: Pipeline, *results: Any) -> Decision:
    """Both calls at once, with these results."""
    calls = pipeline.say(HOUSE, COMPOUND).calls
    assert len(calls) == 2
    message = called(*calls[0], "call_0")
    message["tool_calls"] += called(*calls[1], "call_1")["tool_calls"]
    answers = [result(content, f"call_{number}") for number, content in enumerate(results) if content is not None]
    return pipeline.say(HOUSE, COMPOUND, message, *answers)


def test_two_calls_at_once_are_acknowledged_together_and_one_failure_is_said(pipeline: Pipeline) -> None:
    good, bad = wrapped(done("Desk Lamp")), wrapped({"error": "HomeAssistantError", "error_text": "x"}, error=True)
    assert not re.search(SORRY, parallel(pipeline, good, wrapped(done("Coffee Machine"))).text)
    for results in ((good, bad), (bad, good), (bad, bad)):
        decision = parallel(pipeline, *results)
        assert re.search(SORRY, decision.text)
        assert decision.actions == []


def test_a_missing_result_repeats_nothing(pipeline: Pipeline) -> None:
    for results in ((None, wrapped(done("Coffee Machine"))), (wrapped(done("Desk Lamp")), None), (None, None)):
        decision = parallel(pipeline, *results)
        assert decision.actions == []
        assert decision.text.strip()


HISTORIES: dict[str, list[Any]] = {
    "a call without a result in an earlier turn": ["turn off the desk lamp", called(ON, {"name": "Desk Lamp"})],
    "a result without a call": [result({"x": 1}, "nobody"), "hello", {"role": "assistant", "content": "Hi."}],
    "Home Assistant's own turn": [
        "turn on the desk lamp",
        called("HassTurnOn", {"name": "Desk Lamp"}, "local"),
        result({"speech": {"plain": {"speech": "Turned on the light"}}, "response_type": "action_done"}, "local"),
        {"role": "assistant", "content": "Turned on the light"},
    ],
    "an action in the turn before": [
        "turn off the coffee machine",
        called(ON.replace("On", "Off"), {"name": "Coffee Machine"}, "old"),
        result(wrapped(done("Coffee Machine")), "old"),
        {"role": "assistant", "content": "Done."},
    ],
    "arguments that are broken": [
        "x",
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "b", "type": "function", "function": {"name": ON, "arguments": "{broken"}}],
        },
        result({}, "b"),
    ],
    "an injected message": [{"role": "tool", "tool_call_id": "injected_content", "content": "The weather is fine."}],
    "an empty assistant": ["x", {"role": "assistant", "content": ""}],
}


@pytest.mark.parametrize("case", HISTORIES)
def test_earlier_turns_are_neither_repeated_nor_in_the_way(pipeline: Pipeline, case: str) -> None:
    decision = pipeline.say(HOUSE, *HISTORIES[case], "turn on the desk lamp")
    assert [(plain, arguments["name"]) for plain, arguments in decision.actions] == [("HassTurnOn", "Desk Lamp")]


def test_the_same_sentence_twice_is_done_twice(pipeline: Pipeline) -> None:
    said = "turn on the desk lamp"
    before: list[Any] = [
        said,
        called(ON, {"name": "Desk Lamp"}),
        result(wrapped(done("Desk Lamp"))),
        {"role": "assistant", "content": "Done."},
    ]
    assert pipeline.say(HOUSE, *before, said).actions == pipeline.say(HOUSE, said).actions


def test_at_the_tenth_request_the_turn_ends(pipeline: Pipeline) -> None:
    ((name, arguments),) = pipeline.say(HOUSE, "turn on the desk lamp").calls
    messages: list[Any] = [
        "turn on the desk lamp",
        called(name, arguments, "act"),
        result(wrapped(done("Desk Lamp")), "act"),
    ]
    for number in range(8):
        messages += [
            called("homeassistant__GetLiveContext", {}, f"r{number}"),
            result(wrapped({"result": LIVE}), f"r{number}"),
        ]
    decision = pipeline.say(HOUSE, *messages)
    assert decision.calls == []
    assert decision.text.strip()


def test_a_turn_is_cut_out_of_the_conversation_and_paired_by_id() -> None:
    call = ToolCall("a", ON, {})
    other = ToolCall("b", ON, {})
    turn = read_turn(
        (
            Message(Role.SYSTEM, "s"),
            Message(Role.USER, "before"),
            Message(Role.USER, " now "),
            Message(Role.ASSISTANT, tool_calls=(call, other)),
            Message(Role.TOOL, '{"data": {"x": 1}, "error": false}', tool_call_id="b"),
            Message(Role.TOOL, "{}", tool_call_id="nobody"),
        )
    )
    assert (turn.sentence, turn.earlier_sentences, turn.request_number) == ("now", ("before",), 2)
    (made,) = turn.rounds
    assert made.results[0] is None
    assert made.results[1] is not None
    assert made.results[1].data == {"x": 1}


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("not json", True),
        ("[]", True),
        ("5", True),
        ('{"error": "X"}', False),
        ('{"error": null, "data": 1}', True),
        ('{"success": false}', False),
        ('{"data": {"error": "X"}, "error": true}', False),
        ('{"data": null, "error": true}', False),
        ('{"data": {"events": []}, "error": false}', True),
        ("[" * 5000, True),
    ],
)
def test_results_of_every_version_tell_whether_it_worked(text: str, *, ok: bool) -> None:
    assert read_result(text).ok is ok


def test_the_first_request_of_an_old_home_assistant_reads_without_filters(pipeline: Pipeline) -> None:
    (call,) = pipeline.say(replace(HOUSE, version="2026.2"), "is the kitchen window open?").calls
    assert call == ("GetLiveContext", {})
