"""Clients that leave at any byte, and more of them than a language model can serve."""

from __future__ import annotations

import asyncio
import gc
import json
from collections import Counter
from typing import Any

import pytest

from tests.support.fake_upstream import FakeUpstream, Scripted, delta, events
from tests.support.house import House, body, thing
from tests.support.serving import KEY, Running

HOUSE = House((thing("Desk Lamp", "light", "Office"), thing("Front Door", "lock", "Hall")))
CROWD = 64


def request_of(payload: dict[str, Any], path: str = "/v1/chat/completions") -> bytes:
    raw = json.dumps(payload).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\nContent-Length: {len(raw)}\r\n\r\n"
    return head.encode() + raw


async def leave(server: Running, sent: bytes, read: int) -> None:
    """Send so much, read so much, and break off the hard way."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(sent)
    if read:
        await reader.read(read)
    writer.transport.abort()


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses", "/v1/ha-assist/diagnose"])
async def test_a_client_leaves_at_any_byte_of_its_request(
    server: Running, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    whole = request_of({"model": "HA-Assist", "messages": [{"role": "user", "content": "hi"}], "input": "hi"}, path)
    caplog.set_level("INFO")
    await asyncio.gather(*(leave(server, whole[:cut], 0) for cut in range(0, len(whole), 7)))
    await still_works(server)
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
async def test_a_client_leaves_at_any_byte_of_its_answer(
    server: Running, upstream: FakeUpstream, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    caplog.set_level("INFO")
    tasks = len(asyncio.all_tasks())
    for sentence in ("turn on the Desk Lamp", "tell me a story"):
        for stream in (True, False):
            payload = body(HOUSE, sentence, stream=stream)
            if path == "/v1/responses":
                payload["input"] = payload.pop("messages")
                payload["tools"] = [{"type": "function", **tool["function"]} for tool in payload["tools"]]
            for read in (1, 15, 100, 200, 300, 400, 600, 900, 1500):
                await leave(server, request_of(payload, path), read)
    await still_works(server)
    async with asyncio.timeout(20):
        while len(asyncio.all_tasks()) > tasks + 4:  # noqa: ASYNC110 - tasks tell nobody that they end
            await asyncio.sleep(0.02)
    assert "Traceback" not in caplog.text


async def still_works(server: Running) -> None:
    status, reply, _ = await server.post(body(HOUSE, "turn on the Desk Lamp"))
    assert status == 200
    assert reply["choices"][0]["message"]["tool_calls"]


async def test_a_crowd_is_answered_or_told_to_come_back(server: Running, upstream: FakeUpstream) -> None:
    """Nothing is lost: each request has its own answer and its own record, and direct answers wait for no model."""
    queue = server.services.settings.current.settings.ha_assist_queue
    upstream.queue = [Scripted([0.5, *events(delta(content="A story."), delta("stop"))]) for _ in range(CROWD)]
    told = [body(HOUSE, "tell me a story") for _ in range(CROWD)]
    direct = [body(HOUSE, "turn on the Desk Lamp") for _ in range(CROWD)]
    answers = await asyncio.gather(*(server.post(request) for request in [*told, *direct]))

    statuses = Counter(status for status, _, _ in answers[:CROWD])
    assert set(statuses) == {200, 503}
    assert statuses[200] >= queue
    for status, answer, headers in answers[:CROWD]:
        if status == 503:
            assert answer["error"]["code"] == "busy"
            assert int(headers["Retry-After"]) > 0
        else:
            assert answer["choices"][0]["message"]["content"] == "A story."
    for status, answer, _ in answers[CROWD:]:
        assert status == 200
        assert answer["choices"][0]["finish_reason"] == "tool_calls"
    assert await server.services.traces.count() == 2 * CROWD


async def test_many_requests_leave_nothing_behind(server: Running) -> None:
    async def some(number: int) -> None:
        for _ in range(number):
            await server.post(body(HOUSE, "turn on the Desk Lamp"))

    await some(30)
    gc.collect()
    before = len(gc.get_objects())
    await some(150)
    gc.collect()
    assert len(gc.get_objects()) - before < 30_000
