"""Streams: what Home Assistant's clients insist on, and what happens when something breaks on the way."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import aiohttp
import openai
import pytest

from ha_assist_addon.api.keys import Pace
from ha_assist_addon.conversation import Finish, TextDelta, Usage
from ha_assist_addon.errors import BackendTimeout, BackendUnavailable, Busy
from tests.support.scripted import FOREVER, Scripted, call
from tests.support.serving import KEY, Running, running

BODY: dict[str, Any] = {"model": "HA-Assist", "stream": True, "messages": [{"role": "user", "content": "Hello"}]}


async def lines_of(server: Running, body: dict[str, Any] = BODY) -> list[str]:
    async with server.http.post(f"{server.url}/chat/completions", json=body) as response:
        assert response.status == 200
        assert response.content_type == "text/event-stream"
        return [line for line in (await response.text()).split("\n") if line]


def chunks_of(lines: list[str]) -> list[Any]:
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


async def test_role_first_then_text_then_one_call_a_chunk_then_the_reason_with_metrics(
    server: Running, pipeline: Scripted
) -> None:
    pipeline.steps = (
        TextDelta("I turn "),
        TextDelta(""),
        TextDelta("both on."),
        call("HassTurnOn", name="A"),
        call("HassTurnOff"),
        Finish("tool_calls"),
    )
    lines = await lines_of(server)
    assert lines[-1] == "data: [DONE]"
    chunks = chunks_of(lines)
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert deltas[0] == {"role": "assistant", "content": ""}
    assert [delta["content"] for delta in deltas[1:3]] == ["I turn ", "both on."]
    assert [delta["tool_calls"] for delta in deltas[3:5]] == [
        [
            {
                "index": 0,
                "id": "call_HassTurnOn",
                "type": "function",
                "function": {"name": "HassTurnOn", "arguments": '{"name":"A"}'},
            }
        ],
        [
            {
                "index": 1,
                "id": "call_HassTurnOff",
                "type": "function",
                "function": {"name": "HassTurnOff", "arguments": "{}"},
            }
        ],
    ]
    assert deltas[5] == {}
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None] * 5 + ["tool_calls"]
    assert chunks[5]["metrics"]["ha_route"]["inference_calls"] == 0
    assert all("metrics" not in chunk and "usage" not in chunk for chunk in chunks[:5])
    assert len({chunk["id"] for chunk in chunks}) == 1


@pytest.mark.parametrize("strict", [True, False])
async def test_the_openai_client_reads_it(server: Running, pipeline: Scripted, strict: bool) -> None:
    pipeline.steps = (TextDelta("Yes."), call("HassTurnOn", name="A"), Finish("tool_calls", Usage(3, 2)))
    text, names, reasons, usage = "", [], [], None
    async with server.openai(strict=strict) as client:
        stream = await client.chat.completions.create(
            model="HA-Assist", messages=BODY["messages"], stream=True, stream_options={"include_usage": True}
        )
        async for chunk in stream:
            usage = chunk.usage or usage
            for choice in chunk.choices:
                text += choice.delta.content or ""
                names += [tool.function.name for tool in choice.delta.tool_calls or () if tool.function]
                reasons.append(choice.finish_reason)
    assert (text, names, reasons[-1]) == ("Yes.", ["HassTurnOn"], "tool_calls")
    assert usage is not None
    assert usage.total_tokens == 5


async def test_a_failure_before_the_first_event_keeps_its_status(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (BackendUnavailable(),)
    status, answer, headers = await server.post(BODY)
    assert (status, answer["error"]["code"], headers["x-should-retry"]) == (503, "backend_unavailable", "false")


async def test_only_a_busy_model_is_worth_another_try(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (Busy(),)
    status, _, headers = await server.post(BODY)
    assert status == 503
    assert int(headers["Retry-After"]) > 0
    assert "x-should-retry" not in headers


async def test_a_failure_in_the_middle_is_told_in_the_stream(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("Once upon"), BackendTimeout())
    lines = await lines_of(server)
    assert "[DONE]" not in lines[-1]
    assert json.loads(lines[-1].removeprefix("data: "))["error"]["code"] == "backend_timeout"
    async with server.openai() as client:
        stream = await client.chat.completions.create(model="HA-Assist", messages=BODY["messages"], stream=True)
        with pytest.raises(openai.APIError, match="too long"):
            async for _ in stream:
                pass
    assert {record["outcome"] for record in server.services.traces.newest_first()} == {"failed"}


async def test_a_fault_of_ours_in_the_middle_tells_nothing_of_itself(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("Once"), ConnectionResetError("secret place"))
    lines = await lines_of(server)
    assert json.loads(lines[-1].removeprefix("data: "))["error"]["code"] == "server_error"
    assert "secret" not in "".join(lines)


async def test_what_cannot_be_put_into_words_ends_the_stream_too(server: Running, pipeline: Scripted) -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"a": deep}
    pipeline.steps = (TextDelta("One"), 0.05, call(**deep), Finish("tool_calls"))
    async with asyncio.timeout(5), server.http.post(f"{server.url}/chat/completions", json=BODY) as response:
        lines = [line async for line in response.content if line.startswith(b"data: ")]
    assert json.loads(lines[-1][6:])["error"]["code"] == "backend_error"
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["failed"]


async def test_silence_is_filled_with_comments(tmp_path: Path, pipeline: Scripted) -> None:
    pipeline.steps = (0.2, TextDelta("At last"), 0.12, Finish("stop"))
    async with running(tmp_path, pipeline, pace=Pace(first_event=0.05, ping=0.05)) as server:
        lines = await lines_of(server)
        assert lines[0].startswith('data: {"id"')
        assert lines[1] == ": ping"
        assert lines.count(": ping") >= 3
        async with server.openai() as client:
            stream = await client.chat.completions.create(model="HA-Assist", messages=BODY["messages"], stream=True)
            assert "".join([chunk.choices[0].delta.content or "" async for chunk in stream]) == "At last"


@pytest.mark.parametrize("stream", [True, False])
async def test_a_client_that_goes_away_ends_the_generation_quietly(
    server: Running, pipeline: Scripted, caplog: pytest.LogCaptureFixture, stream: bool
) -> None:
    pipeline.steps = (TextDelta("One"), FOREVER, Finish("stop"))
    if stream:
        async with server.http.post(f"{server.url}/chat/completions", json=BODY) as response:
            await response.content.readline()
            response.close()
    else:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await server.post({**BODY, "stream": False})
    async with asyncio.timeout(5):
        await pipeline.closed.wait()
    await asyncio.sleep(0.05)
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["disconnected"]
    assert not [record for record in caplog.records if record.levelname in {"WARNING", "ERROR"}]


async def test_a_client_that_stops_at_the_finish_reason_has_been_answered(server: Running) -> None:
    async with server.openai() as client:
        stream = await client.chat.completions.create(model="HA-Assist", messages=BODY["messages"], stream=True)
        async for chunk in stream:
            if chunk.choices[0].finish_reason:
                break
        await stream.close()
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["answered"]


async def test_a_generation_that_outlasts_the_shutdown_is_cancelled(tmp_path: Path, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("One"), FOREVER, Finish("stop"))
    headers = {"Authorization": f"Bearer {KEY}"}
    async with asyncio.timeout(10), aiohttp.ClientSession(headers=headers) as patient:
        async with running(tmp_path, pipeline, drain=1.0) as server:
            response = await patient.post(f"{server.url}/chat/completions", json=BODY)
            await response.content.readline()
            told = time.monotonic()
        assert time.monotonic() - told < 1.8, "the Supervisor kills what outlasts its patience"
        assert pipeline.closed.is_set()
        assert b"shutting_down" in await response.read()
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["failed"]


async def test_a_generation_that_ends_within_the_shutdown_is_answered(tmp_path: Path, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("One"), 1.2, TextDelta(" two"), Finish("stop"))
    headers = {"Authorization": f"Bearer {KEY}"}
    async with asyncio.timeout(10), aiohttp.ClientSession(headers=headers) as patient:
        async with running(tmp_path, pipeline, drain=2.0) as server:
            response = await patient.post(f"{server.url}/chat/completions", json=BODY)
            await response.content.readline()
        assert b" two" in await response.read()
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["answered"]
