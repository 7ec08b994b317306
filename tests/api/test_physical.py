"""A physical model's request stays plain: whatever it says, it goes to its server as it came."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest

from tests.support.fake_upstream import FakeUpstream, Fault, Scripted, delta, events, refused
from tests.support.scripted import Scripted as ScriptedPipeline
from tests.support.serving import Running, running

MESSAGES: list[Any] = [
    {
        "role": "system",
        "content": "Static Context: An overview of the areas and the devices in this smart home:\n- names: Lamp",
    },
    {"role": "user", "content": "HA-Assist, turn on the Lamp"},
]
TOOLS: list[Any] = [{"type": "function", "function": {"name": "HassTurnOn", "parameters": {"type": "object"}}}]
WHOLE = {
    "id": "x", "object": "chat.completion", "created": 1, "model": "small",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "Hi", "refusal": None}, "finish_reason": "stop"}
    ],
}  # fmt: skip


@pytest.fixture
async def upstream() -> AsyncIterator[FakeUpstream]:
    async with FakeUpstream().running() as fake:
        yield fake


@pytest.fixture
async def server(tmp_path: Path, pipeline: ScriptedPipeline, upstream: FakeUpstream) -> AsyncIterator[Running]:
    settings = f"models:\n  upstream: {{enabled: true, base_url: '{upstream.url}', model: small}}\n"
    async with running(tmp_path, pipeline, settings=settings) as up:
        yield up


async def test_it_is_listed_behind_ha_assist(server: Running) -> None:
    async with server.openai() as client:
        assert [model.id async for model in client.models.list()] == ["HA-Assist", "small"]


async def test_the_body_goes_there_unchanged_and_the_answer_comes_back_unchanged(
    server: Running, upstream: FakeUpstream, pipeline: ScriptedPipeline
) -> None:
    answer = json.dumps(WHOLE, indent=1).encode()
    upstream.queue = [Scripted([answer[:40], answer[40:]], 200, "application/json; charset=utf-8")]
    body = json.dumps({"n": 3, "model": "small", "messages": MESSAGES, "tools": TOOLS, "odd": 1}, indent=3).encode()
    async with server.http.post(f"{server.url}/chat/completions", data=body) as response:
        assert response.status == 200
        assert await response.read() == answer
    assert upstream.bodies == [body]
    assert not pipeline.seen
    (record,) = server.services.traces.newest_first()
    route = record["metrics"]["ha_route"]
    assert (route["route"], route["backend_model"], route["inference_calls"]) == ("physical", "small", 1)
    assert (record["outcome"], record["sentence"]) == ("answered", "HA-Assist, turn on the Lamp")


async def test_a_stream_comes_back_as_it_is(server: Running, upstream: FakeUpstream) -> None:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "small"}
    upstream.queue = [Scripted(events({**head, **delta(content="<think>so</think>Hi")}, {**head, **delta("stop")}))]
    async with server.openai() as client:
        stream = await client.chat.completions.create(model="small", messages=MESSAGES, tools=TOOLS, stream=True)
        text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
    assert text == "<think>so</think>Hi"


async def test_failures_are_error_objects(server: Running, upstream: FakeUpstream) -> None:
    upstream.queue = [
        refused(401, {"error": {"message": "no"}}),
        refused(500, b"<html>", "text/html"),
        refused(400, {"error": {"message": "n must be 1", "type": "t", "param": "n", "code": "c"}}),
        Scripted([b"<html>"], 200, "text/html"),
        Scripted([Fault.BREAK]),
    ]
    found = [await server.post({"model": "small", "messages": MESSAGES}) for _ in range(5)]
    assert [(status, answer["error"]["code"]) for status, answer, _ in found] == [
        (502, "backend_error"), (502, "backend_error"), (400, "c"), (502, "backend_error"), (503, "backend_unavailable")
    ]  # fmt: skip
    outcomes = [record["outcome"] for record in server.services.traces.newest_first()]
    assert outcomes == ["failed", "failed", "answered", "failed", "failed"]


async def test_a_break_in_the_middle(server: Running, upstream: FakeUpstream) -> None:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "small"}
    upstream.queue = [
        Scripted([*events({**head, **delta(content="One")}, done=False), Fault.BREAK]),
        Scripted([b'{"id":', Fault.BREAK], 200, "application/json"),
    ]
    async with server.openai() as client:
        stream = await client.chat.completions.create(model="small", messages=MESSAGES, stream=True)
        with pytest.raises(openai.APIError, match="broke off"):
            async for _ in stream:
                pass
        with pytest.raises(openai.APIConnectionError):
            await client.chat.completions.create(model="small", messages=MESSAGES)
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["failed", "failed"]


async def test_a_client_that_goes_away_ends_the_generation(server: Running, upstream: FakeUpstream) -> None:
    upstream.queue = [Scripted([*events(delta(content="One"), done=False), Fault.STALL])]
    body = {"model": "small", "messages": MESSAGES, "stream": True}
    async with server.http.post(f"{server.url}/chat/completions", json=body) as response:
        await response.content.readline()
        response.close()
    async with asyncio.timeout(5):
        await upstream.left_alone.wait()
    await asyncio.sleep(0.05)
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["disconnected"]
