"""The dry run as an API: the same decision, nothing done, nothing recorded, nothing generated unless asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.conversation import ToolCall
from ha_assist_addon.examples import example_home, request_body
from ha_assist_addon.wire.chat import parse_chat
from tests.support.fake_upstream import FakeUpstream, said
from tests.support.serving import Running, running

ENGLISH = "settings: {ha_assist_languages: [en], ha_assist_verify_delay: 0}\n"
PATH = "/ha-assist/diagnose"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path, settings=ENGLISH) as up:
        yield up


def ask(sentence: str) -> dict[str, Any]:
    return request_body(example_home(), sentence)


async def test_what_would_be_called_is_told_and_not_recorded(server: Running) -> None:
    status, told, _ = await server.post(ask("turn on the kitchen light"), PATH)
    assert status == 200
    assert (told["generative_calls"], told["tools_executed"]) == (0, 0)
    (call,) = told["proposed_response"]["tool_calls"]
    assert call["function"]["name"] == "intent__HassTurnOn"
    assert json.loads(call["function"]["arguments"])["name"] == "Kitchen Light"
    assert told["metrics"]["would_inference_calls"] == 0
    assert told["metrics"]["ha_route"]["reason"] == "exact_match"
    assert told["prepared_request"] is None
    assert told["diff"] is None
    assert server.services.traces.newest_first() == ()


async def test_a_recorded_request_is_run_again_and_compared(server: Running) -> None:
    _, answer, _ = await server.post(ask("turn on the kitchen light"))
    status, same, _ = await server.post({"request_id": answer["id"]}, PATH)
    assert (status, same["diff"]) == (200, [])
    _, other, _ = await server.post({"request_id": answer["id"], "sentence": "turn off the garden pump"}, PATH)
    assert {change["what"] for change in other["diff"]} == {"intent", "target", "arguments"}
    _, last, _ = await server.post({"sentence": "turn off the garden pump"}, PATH)
    assert last["proposed_response"] == other["proposed_response"]
    assert len(server.services.traces.newest_first()) == 1


async def test_a_request_of_the_responses_api_is_run_again(server: Running) -> None:
    chat = ask("turn on the kitchen light")
    body = {
        "model": "HA-Assist",
        "instructions": chat["messages"][0]["content"],
        "input": "turn on the kitchen light",
        "tools": [{"type": "function", **tool["function"]} for tool in chat["tools"]],
    }
    status, _, _ = await server.post(body, "/responses")
    assert status == 200
    (row,) = await server.services.traces.newest()
    _, told, _ = await server.post({"request_id": row.id}, PATH)
    assert told["diff"] == []
    _, told, _ = await server.post(body, PATH)
    assert told["proposed_response"]["tool_calls"]


async def test_with_the_example_home_and_without_an_own_one(server: Running) -> None:
    for more in ({"example": "home"}, {}):
        status, told, _ = await server.post({"sentence": "turn on the kitchen light", **more}, PATH)
        assert status == 200
        assert told["proposed_response"]["tool_calls"]


async def test_a_model_is_asked_only_where_that_is_wanted(tmp_path: Path) -> None:
    async with FakeUpstream().running() as upstream:
        models = f"models: {{upstream: {{enabled: true, base_url: '{upstream.url}', model: stub}}}}\n"
        async with running(tmp_path, settings=ENGLISH + models) as server:
            request = ask("tell me a story about dragons and the moon")
            status, told, _ = await server.post(request, PATH)
            assert status == 200, told
            assert (told["generative_calls"], told["metrics"]["would_inference_calls"]) == (0, 1)
            assert told["proposed_response"] is None
            assert "dragons" in json.dumps(told["prepared_request"])
            assert upstream.requests == []

            upstream.queue[:] = [said("Once upon a time.")]
            _, told, _ = await server.post({**request, "generate": True}, PATH)
            assert (told["generative_calls"], told["metrics"]["would_inference_calls"]) == (1, 1)
            assert told["proposed_response"]["content"] == "Once upon a time."
            assert len(upstream.requests) == 1
            assert server.services.traces.newest_first() == ()


async def test_a_yes_is_tried_without_being_used_up(server: Running) -> None:
    request = ask("open up")
    question = "Shall I unlock the front door?"
    request["messages"] += [{"role": "assistant", "content": question}, {"role": "user", "content": "yes"}]
    chat = parse_chat(request).chat
    unlock = ToolCall("1", "intent__HassTurnOff", {"name": "Front Door Lock", "domain": ["lock"]})
    server.services.confirmations.hold(chat, question, [unlock])
    for _ in range(2):
        _, told, _ = await server.post(request, PATH)
        (call,) = told["proposed_response"]["tool_calls"]
        assert json.loads(call["function"]["arguments"]) == unlock.arguments
    assert server.services.confirmations.take(chat) == (unlock,)


async def test_an_error_is_what_the_dry_run_found(server: Running) -> None:
    schema = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
    status, told, _ = await server.post({**ask("a recipe"), "response_format": schema}, PATH)
    assert status == 200
    assert told["error"]
    assert told["proposed_response"] is None


@pytest.mark.parametrize(
    ("body", "status", "param"),
    [
        ({}, 400, "sentence"),
        ({"sentence": " "}, 400, "sentence"),
        ({"sentence": 5}, 400, "sentence"),
        ({"sentence": "x", "example": "castle"}, 400, "example"),
        ({"sentence": "x", "example": "home", "request_id": "y"}, 400, "example"),
        ({"request_id": "unknown"}, 404, "request_id"),
        ({"request_id": ["a"]}, 400, "request_id"),
        ({"sentence": "x", "generate": "yes"}, 400, "generate"),
        ({"sentence": "x", "home": {}}, 400, "home"),
        ({"messages": []}, 400, "messages"),
        ({"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function"}]}, 400, "tools[0].function"),
        ({"input": 5}, 400, None),
        (b"{", 400, None),
    ],
)
async def test_what_is_wrong_is_said(server: Running, body: Any, status: int, param: str | None) -> None:
    answered, told, _ = await server.post(body, PATH)
    assert answered == status
    assert told["error"]["message"].endswith(".")
    if param is not None:
        assert told["error"]["param"] == param


async def test_the_key_is_needed(server: Running) -> None:
    status, _, _ = await server.post({"sentence": "x"}, PATH, Authorization="Bearer wrong")
    assert status == 401
