"""Calls printed as text, in the ways of the model families."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.backends.printed import read_printed, read_printed_calls

CALL = '{"name": "HassTurnOn", "arguments": {"name": "Lamp"}}'


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"[{CALL}]",
        f"```json\n{CALL}\n```",
        f"```json\n{CALL}",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        f"[TOOL_CALLS][{CALL}]",
        f"<|python_tag|>{CALL}",
        '<function=HassTurnOn>{"name": "Lamp"}</function>',
        '{"name": "HassTurnOn", "parameters": {"name": "Lamp"}}',
        '{"tool": "HassTurnOn", "args": {"name": "Lamp"}}',
        '{"name": "HassTurnOn", "arguments": "{\\"name\\": \\"Lamp\\"}"}',
        '{"type": "function", "function": {"name": "HassTurnOn", "arguments": {"name": "Lamp"}}}',
        f'{{"tool_calls": [{CALL}]}}',
    ],
)
def test_each_way_is_one_call_and_no_text(text: str) -> None:
    calls, rest = read_printed_calls(text)
    assert [(c.name, dict(c.arguments)) for c in calls] == [("HassTurnOn", {"name": "Lamp"})]
    assert rest == ""


def test_text_around_calls_stays() -> None:
    calls, rest = read_printed_calls(f"One moment.\n<tool_call>{CALL}</tool_call>\n<tool_call>{CALL}</tool_call>")
    assert len(calls) == 2
    assert rest == "One moment."


@pytest.mark.parametrize(
    "text",
    [
        'Sure.\n```homeassistant\n{"service": "light.turn_on", "target_device": "light.lamp"}',
        '<tool_call>{"name": "HassTurnOn", "argum',
        "<tool_call>HassTurnOn</tool_call>",
        '{"name": "HassTurnOn", "arguments": [1]}',
        '{"name": "HassTurnOn", "arguments": "{not json"}',
    ],
)
def test_what_only_looks_like_a_call_is_neither_spoken_nor_called(text: str) -> None:
    printed = read_printed(text)
    assert printed.unreadable
    assert not printed.calls
    assert not set("{}`<>") & set(printed.text)


@pytest.mark.parametrize(
    "text", ["It is 20 degrees.", "A set is written {1, 2}.", 'Use {"a": 1} for that.', "[1, 2]", "a < b and c > d", ""]
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert read_printed_calls(text) == ((), text)


def test_no_number_that_json_lacks() -> None:
    assert read_printed('{"name": "X", "arguments": {"brightness": NaN}}').calls == ()


@given(st.text(alphabet='{}[]"\\`<>|=/ abcname:argumentstool_call,\n0', max_size=300))
def test_nothing_breaks_it(text: str) -> None:
    printed = read_printed(text)
    assert all(call.name for call in printed.calls)


def test_depth_and_number_of_objects_are_bounded() -> None:
    assert read_printed('{"a":' * 5000).calls == ()
    assert len(read_printed(json.dumps({"name": "X", "arguments": {}}) * 200).calls) <= 32
