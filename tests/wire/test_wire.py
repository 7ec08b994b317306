"""What is tolerated in a request, and what becomes of it."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from ha_assist_addon.conversation import ChatRequest, Role
from ha_assist_addon.errors import InvalidRequest
from ha_assist_addon.home.ha_context import read_context
from ha_assist_addon.wire.chat import parse_chat

PNG = "data:image/png;base64,AAAA"


def parsed(**change: Any) -> ChatRequest:
    return parse_chat({"model": "HA-Assist", "messages": [{"role": "user", "content": "Hello"}], **change}).chat


def test_content_in_all_its_forms() -> None:
    messages = parsed(
        messages=[
            {"role": "developer", "content": "Be brief."},
            {"role": "assistant", "content": None},
            {
                "role": "user",
                "content": [{"type": "text", "text": "one"}, "two", {"type": "input_text", "text": "three"}],
            },
            {"role": "user", "content": [{"type": "video", "url": "x"}]},
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": PNG}}, {"type": "text", "text": "What is it?"}],
            },
            {"role": "user", "content": [{"type": "input_image", "image_url": PNG}]},
        ]
    ).messages
    assert [message.role for message in messages[:2]] == [Role.SYSTEM, Role.ASSISTANT]
    assert [message.text for message in messages] == ["Be brief.", "", "one\ntwo\nthree", "", "What is it?", ""]
    assert [message.images for message in messages[4:]] == [(PNG,), (PNG,)]


def test_broken_arguments_in_the_history_count_as_none() -> None:
    arguments = [
        '{"name": "A"}',
        "{",
        "",
        "[1]",
        "5",
        None,
        {"name": "B"},
        "[" * 5000,
        '{"a": NaN}',
        '{"a": "\\ud83d"}',
    ]
    calls = [{"id": str(i), "function": {"name": "T", "arguments": value}} for i, value in enumerate(arguments)]
    (message,) = parsed(messages=[{"role": "assistant", "content": None, "tool_calls": calls}]).messages
    assert [dict(call.arguments) for call in message.tool_calls] == [
        {"name": "A"}, {}, {}, {}, {}, {}, {"name": "B"}, {}, {}, {}
    ]  # fmt: skip


def test_orphans_and_foreign_calls_are_let_through() -> None:
    messages = parsed(
        messages=[
            {"role": "tool", "tool_call_id": "gone", "content": "{}"},
            {"role": "tool", "content": [{"type": "text", "text": "part"}]},
            {"role": "function", "name": "old", "content": "x"},
            {"role": "assistant", "content": "y", "tool_calls": [{"type": "custom", "id": "1"}]},
            {"role": "assistant", "content": "y", "tool_calls": None},
        ]
    ).messages
    assert [(message.role, message.text, message.tool_call_id) for message in messages[:3]] == [
        (Role.TOOL, "{}", "gone"), (Role.TOOL, "part", None), (Role.TOOL, "x", None)
    ]  # fmt: skip
    assert messages[3].tool_calls == ()


def test_tools_are_kept_just_as_offered() -> None:
    function = {"name": "HassTurnOn", "parameters": {"type": "object", "anyOf": [{}]}, "strict": False, "x": 1}
    request = parsed(
        tools=[{"type": "web_search"}, {"type": "function", "function": function}, {"function": {"name": "Bare"}}],
        tool_choice="auto",
    )
    assert request.tools == (function, {"name": "Bare"})
    assert parsed(tools=None, tool_choice=None).tool_choice == "auto"


def test_the_rest() -> None:
    schema = {"type": "json_schema", "json_schema": {"name": "Lab Task!", "strict": True, "schema": {"type": "object"}}}
    context = {"language": "de", "areas": [{"name": "Küche"}]}
    request = parsed(
        parallel_tool_calls=False, response_format=schema, max_tokens=3000, max_completion_tokens=200, temperature=0,
        top_p=1, n=1, stop="END", seed=4, stream=None, user="user-1", metadata={"session_id": "session-1"},
        ha_context=context, chat_template_kwargs={"enable_thinking": False}, logprobs=None,
    )  # fmt: skip
    assert not request.parallel_tool_calls
    assert request.response_format == schema
    assert (request.max_tokens, request.temperature, request.top_p) == (200, 0, 1)
    assert (request.stop, request.seed, request.stream) == (("END",), 4, False)
    assert request.conversation == "session-1"
    assert request.ha_context == context
    assert request.body["chat_template_kwargs"] == {"enable_thinking": False}
    assert parsed(response_format={"type": "text"}).response_format is None
    assert parsed(metadata={"session_id": 5}, user="user-1").conversation == "user-1"


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"messages": [{}] * 300_000}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": "x"}] * 10_001}, "messages"),
        ({"messages": [{"role": "user", "content": [5] * 300_000}]}, "messages[0].content"),
        ({"tools": [5] * 300_000}, "tools"),
        ({"stop": [5] * 300_000}, "stop"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_million_faults_are_one(change: dict[str, Any], param: str) -> None:
    """An error object for each of them takes seconds and a gigabyte."""
    tracemalloc.start()
    with pytest.raises(InvalidRequest) as caught:
        parse_chat({"model": "HA-Assist", "messages": [{"role": "user", "content": "x"}], **change})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (caught.value.param or "").startswith(param)
    assert most < 30_000_000


@pytest.mark.parametrize("part", ["entities", "areas", "floors"])
def test_so_are_those_of_a_context(part: str) -> None:
    tracemalloc.start()
    with pytest.raises(InvalidRequest):
        read_context({part: [{"name": "a", "domain": "light", "aliases": [5] * 1000}] * 1000})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 30_000_000
