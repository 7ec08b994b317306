"""Calls printed as text, in the ways of the model families."""

from __future__ import annotations

import json
import re

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


PUBLISHED = {
    "Llama 3.1": '<|python_tag|>{"name": "HassLightSet", "parameters": {"name": "Lamp", "brightness": 40}}<|eom_id|>',
    "Llama 3.2": '[HassLightSet(name="Lamp", brightness=40)]',
    "Llama, own tools": '<function=HassLightSet>{"name": "Lamp", "brightness": 40}</function>',
    "Qwen 2.5 and Hermes": (
        '<tool_call>\n{"name": "HassLightSet", "arguments": {"name": "Lamp", "brightness": 40}}\n</tool_call>'
    ),
    "Qwen 3 Coder": (
        "<tool_call>\n<function=HassLightSet>\n<parameter=name>\nLamp\n</parameter>\n<parameter=brightness>\n40\n"
        "</parameter>\n</function>\n</tool_call>"
    ),
    "Mistral": '[TOOL_CALLS] [{"name": "HassLightSet", "arguments": {"name": "Lamp", "brightness": 40}}]',
    "Mistral, later": '[TOOL_CALLS]HassLightSet[ARGS]{"name": "Lamp", "brightness": 40}',
    "Gemma": "```tool_code\nprint(HassLightSet(name='Lamp', brightness=40))\n```",
    "Phi 4 mini": (
        '<|tool_call|>[{"name": "HassLightSet", "arguments": {"name": "Lamp", "brightness": 40}}]<|/tool_call|>'
    ),
    "Granite": '<|tool_call|>[{"name": "HassLightSet", "arguments": {"name": "Lamp", "brightness": 40}}]',
    "DeepSeek": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>HassLightSet\n```json\n"
        '{"name": "Lamp", "brightness": 40}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
    ),
    "GLM 4.5": (
        "<tool_call>HassLightSet\n<arg_key>name</arg_key>\n<arg_value>Lamp</arg_value>\n<arg_key>brightness</arg_key>\n"
        "<arg_value>40</arg_value>\n</tool_call>"
    ),
    "gpt-oss": (
        "<|channel|>commentary to=functions.HassLightSet <|constrain|>json<|message|>"
        '{"name": "Lamp", "brightness": 40}<|call|>'
    ),
    "Kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.HassLightSet:0<|tool_call_argument_begin|>"
        '{"name": "Lamp", "brightness": 40}<|tool_call_end|><|tool_calls_section_end|>'
    ),
    "Functionary": (
        '<functioncall> {"name": "HassLightSet", "arguments": {"name": "Lamp", "brightness": 40}} </functioncall>'
    ),
    "xLAM": '[{"name": "HassLightSet", "arguments": {"name": "Lamp", "brightness": 40}}]',
    "Claude-like": (
        '<function_calls><invoke name="HassLightSet"><parameter name="name">Lamp</parameter>'
        '<parameter name="brightness">40</parameter></invoke></function_calls>'
    ),
    "ReAct": 'Thought: I should act.\nAction: HassLightSet\nAction Input: {"name": "Lamp", "brightness": 40}',
    "lines": "tool: HassLightSet\nargs:\n  name: Lamp\n  brightness: 40",
    "prose": 'I will now call HassLightSet with {"name": "Lamp", "brightness": 40}.',
}


@pytest.mark.parametrize("family", PUBLISHED)
def test_published_notations_are_read(family: str) -> None:
    printed = read_printed(PUBLISHED[family], {"HassLightSet"})
    assert [(c.name, dict(c.arguments)) for c in printed.calls] == [
        ("HassLightSet", {"name": "Lamp", "brightness": 40})
    ]
    assert printed.text == ""


@pytest.mark.parametrize("family", PUBLISHED)
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_half_of_a_call_is_not_heard(family: str, share: float) -> None:
    text = PUBLISHED[family]
    printed = read_printed(f"One moment.\n{text[: int(len(text) * share)]}", {"HassLightSet"})
    if printed.calls or printed.unreadable:
        assert printed.text == "One moment."
    assert not re.search(r"HassLightSet|<[｜|\w/]|[{}]", printed.text), printed.text


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


@pytest.mark.parametrize("words", ["", "Certainly. "])
def test_nothing_of_an_answer_that_was_cut_off_between_its_calls_is_spoken(words: str) -> None:
    calls, text = read_printed_calls(
        words + '{\n"calls": [ {"tool": "HassTurnOn", "args": {"name": "Desk Lamp"}}, {"tool": "HassLightSet", "ar'
    )
    assert [(c.name, c.arguments) for c in calls] == [("HassTurnOn", {"name": "Desk Lamp"})]
    assert text == words.strip()
