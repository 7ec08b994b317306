"""Answers of many servers, read alike wherever the bytes are cut."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.backends.openai_form import AnswerReader, request_body
from ha_assist_addon.conversation import (
    CallEvent,
    ChatRequest,
    Finish,
    Message,
    ReplyEvent,
    Role,
    TextDelta,
    ToolCall,
    Usage,
)
from ha_assist_addon.errors import BackendFailed, ContextLengthExceeded
from tests.support.fake_upstream import delta, events


def read(*chunks: bytes) -> tuple[str, list[tuple[str, Any]], Finish]:
    """Text, calls and end of an answer."""
    reader = AnswerReader()
    found: list[ReplyEvent] = [event for chunk in chunks for event in reader.feed(chunk)]
    found += reader.end()
    end = found[-1]
    assert isinstance(end, Finish)
    calls = [(event.call.name, event.call.arguments) for event in found if isinstance(event, CallEvent)]
    return "".join(event.text for event in found if isinstance(event, TextDelta)), calls, end


def fragment(index: int | None = 0, **function: Any) -> dict[str, Any]:
    identity = function.pop("id", None)
    shape: dict[str, Any] = {"function": function}
    if index is not None:
        shape["index"] = index
    if identity is not None:
        shape["id"] = identity
    return delta(tool_calls=[shape])


def test_calls_are_put_together() -> None:
    answer = events(
        delta(role="assistant", content=None),
        fragment(0, id="a", name="HassTurnOn", arguments=""),
        fragment(0, arguments='{"na'),
        fragment(0, arguments='me": "X"}'),
        fragment(1, id="b", name="HassTurnOff", arguments=""),
        delta("tool_calls"),
        {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}},
    )
    assert read(*answer) == (
        "",
        [("HassTurnOn", {"name": "X"}), ("HassTurnOff", {})],
        Finish("tool_calls", Usage(9, 4)),
    )


@pytest.mark.parametrize(
    "fragments",
    [
        [fragment(0, id="a", name="A", arguments="{}"), fragment(0, id="b", name="B", arguments='{"x": 1}')],
        [fragment(None, id="a", name="A", arguments={}), fragment(None, id="b", name="B", arguments={"x": 1})],
        [
            fragment(None, name="A", arguments="{}"),
            fragment(None, name="B", arguments='{"x"'),
            fragment(None, arguments=": 1}"),
        ],
        [
            fragment(0, name="A", arguments="{}"),
            fragment(1, name="B", arguments='{"x": '),
            fragment(1, name="B", arguments="1}"),
        ],
        [
            fragment(None, id="a", name="A"),
            fragment(None, id="b", name="B", arguments='{"x": '),
            fragment(None, id="b", arguments="1}"),
        ],
    ],
)
def test_servers_number_their_calls_in_many_ways(fragments: list[Any]) -> None:
    _, calls, end = read(*events(*fragments, delta("stop")))
    assert calls == [("A", {}), ("B", {"x": 1})]
    assert end.reason == "tool_calls"


@pytest.mark.parametrize(
    "arguments", ['{"name": ', "[1]", "on", "null", '{"x": NaN}', '{"x": [-Infinity]}', '{"x": 1e999}', {"x": math.nan}]
)
def test_a_call_that_cannot_be_read_is_no_call(arguments: object) -> None:
    with pytest.raises(BackendFailed, match="readable"):
        read(*events(fragment(0, id="a", name="A", arguments=arguments), delta("tool_calls")))


def test_an_answer_in_one_piece() -> None:
    message = {
        "role": "assistant",
        "content": "<think>hm</think>Hello",
        "tool_calls": [{"id": "a", "function": {"name": "A"}}],
    }
    answer = {
        "choices": [{"message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2},
    }
    for text in (json.dumps(answer), json.dumps(answer, indent=2), json.dumps(answer, indent=2).replace("\n", "\r\n")):
        assert read(text.encode()) == ("Hello", [("A", {})], Finish("tool_calls", Usage(1, 2)))


@pytest.mark.parametrize(
    "answer",
    [
        b"<html><body>502 Bad Gateway</body></html>",
        b"",
        b"[]",
        b"data: {broken\n\n",
        b"data: []\n\n",
        b"data: " + b"[" * 50_000 + b"\n\n",
        b"".join(events(delta(content="Half"), done=False)),
        b'{"choices": [{"message": {"content": "cut off',
    ],
    ids=lambda answer: repr(answer[:30]),
)
def test_nonsense_and_half_answers(answer: bytes) -> None:
    with pytest.raises(BackendFailed) as caught:
        read(answer)
    assert "html" not in caught.value.message


@pytest.mark.parametrize(
    "answer",
    [
        b'data: {"error": {"code": "context_length_exceeded", "message": "x"}}\n\n',
        b'data: {"error": {"type": "exceed_context_size_error", "code": 400, "message": "x"}}\n\n',
        b'error: {"error": {"message": "This model\'s maximum context length is 2048 tokens."}}\n\n',
        b'{"error": {"code": "context_length_exceeded"}}',
    ],
)
def test_an_overflow_that_comes_late(answer: bytes) -> None:
    with pytest.raises(ContextLengthExceeded):
        read(answer)


def test_what_follows_done_and_foreign_fields_are_passed_over() -> None:
    lines = b": hello\r\nevent: message\r\nid: 1\r\nretry: 5\r\n" + b"".join(
        events(delta("length", content=["x"]), {"choices": None})
    )
    text, calls, end = read(lines + b"data: {broken")
    assert (text, calls, end.reason) == ("", [], "length")


TEXT = "".join(chunk.decode() for chunk in events(
    delta(role="assistant"), delta(content="<think>a</think> Grüße, "), delta(content="„Welt“ 💡"),
    fragment(0, id="a", name="A", arguments='{"x": "ü"}'), delta("tool_calls"),
))  # fmt: skip


@given(st.lists(st.integers(0, len(TEXT.encode())), max_size=12))
def test_the_cut_of_the_bytes_does_not_matter(cuts: list[int]) -> None:
    raw = TEXT.encode()
    ends = [0, *sorted(cuts), len(raw)]
    chunks = [raw[start:end] for start, end in itertools.pairwise(ends)]
    assert read(*chunks) == ("Grüße, „Welt“ 💡", [("A", {"x": "ü"})], Finish("tool_calls"))


def test_a_request_in_the_servers_language() -> None:
    function = {"name": "A", "parameters": {"type": "object"}}
    request = ChatRequest(
        model="HA-Assist",
        messages=(
            Message(Role.SYSTEM, "Be brief."),
            Message(Role.USER, "What is it?", images=("data:image/png;base64,AAAA",)),
            Message(Role.ASSISTANT, tool_calls=(ToolCall("1", "A", {"x": "ü"}),)),
            Message(Role.TOOL, "{}", tool_call_id="1"),
        ),
        tools=(function,), tool_choice="A", parallel_tool_calls=False, max_tokens=50, temperature=0.0, stop=("END",),
    )  # fmt: skip
    body = json.loads(request_body(request, "small"))
    assert body == {
        "model": "small",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                    {"type": "text", "text": "What is it?"},
                ],
            },
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "1", "type": "function", "function": {"name": "A", "arguments": '{"x": "ü"}'}}],
            },
            {"role": "tool", "content": "{}", "tool_call_id": "1"},
        ],
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": "A"}},
        "parallel_tool_calls": False,
        "max_tokens": 50,
        "temperature": 0.0,
        "stop": ["END"],
    }
