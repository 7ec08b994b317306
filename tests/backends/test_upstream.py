"""One generation at a server that may be slow, broken, full or away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from ha_assist_addon.backends.upstream import UpstreamBackend
from ha_assist_addon.conversation import ChatRequest, Finish, Message, ReplyEvent, Role, TextDelta
from ha_assist_addon.errors import (
    BackendFailed,
    BackendTimeout,
    BackendUnavailable,
    Busy,
    ContextLengthExceeded,
    HaAssistError,
)
from tests.support.fake_upstream import FakeUpstream, Fault, Scripted, delta, events, refused, said

REQUEST = ChatRequest(model="HA-Assist", messages=(Message(Role.USER, "Hello"),))


@asynccontextmanager
async def backend_at(url: str, *, seconds: float = 5, queue: int = 2) -> AsyncIterator[UpstreamBackend]:
    made = UpstreamBackend(base_url=url, model="small", api_key=None, timeout=seconds, queue=queue)
    try:
        yield made
    finally:
        await made.close()


async def answer_of(backend: UpstreamBackend) -> list[ReplyEvent]:
    return [event async for event in backend.generate(REQUEST)]


async def test_one_streamed_request(backend: UpstreamBackend, upstream: FakeUpstream) -> None:
    upstream.queue = [said("<think>hm</think>Hello.")]
    assert await answer_of(backend) == [TextDelta("Hello."), Finish("stop")]
    (body,) = upstream.requests
    assert (body["model"], body["stream"]) == ("small", True)
    assert upstream.headers[0]["Authorization"] == "Bearer sk-upstream"


async def test_the_address_is_used_as_typed(upstream: FakeUpstream) -> None:
    async with backend_at(upstream.url + "/") as backend:
        assert await answer_of(backend)
    async with backend_at(upstream.url.removesuffix("/v1")) as backend:
        with pytest.raises(BackendFailed, match="address"):
            await answer_of(backend)


async def test_text_arrives_while_the_server_still_writes(backend: UpstreamBackend, upstream: FakeUpstream) -> None:
    upstream.queue = [Scripted([*events(delta(content="One"), done=False), Fault.STALL])]
    async with aclosing(backend.generate(REQUEST)) as generation:
        assert await anext(generation) == TextDelta("One")
    async with asyncio.timeout(5):
        await upstream.left_alone.wait()


async def test_cancelling_reaches_the_server(backend: UpstreamBackend, upstream: FakeUpstream) -> None:
    upstream.queue = [Scripted([Fault.STALL])]
    task = asyncio.create_task(answer_of(backend))
    await upstream.asked.wait()
    task.cancel()
    async with asyncio.timeout(5):
        await upstream.left_alone.wait()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await answer_of(backend), "its place in the queue is free again"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Scripted([Fault.BREAK]), BackendUnavailable),
        (Scripted([*events(delta(content="One"), done=False), Fault.BREAK]), BackendFailed),
        (Scripted(events(delta(content="One"), done=False)), BackendFailed),
        (Scripted([b"<html>oh no</html>"], 200, "text/html"), BackendFailed),
        (refused(500, b"<html>secret stack trace</html>", "text/html"), BackendFailed),
        (refused(401, {"error": {"message": "secret key sk-123 is bad", "code": "invalid_api_key"}}), BackendFailed),
        (refused(403, {"detail": "no"}), BackendFailed),
        (refused(404, {"error": "model 'small' not found"}), BackendFailed),
        (refused(302, b""), BackendFailed),
        (refused(400, {"error": {"message": "bad", "code": 400}}), BackendFailed),
        (refused(400, {"error": {"code": 400, "type": "exceed_context_size_error"}}), ContextLengthExceeded),
        (refused(400, {"error": {"code": "context_length_exceeded"}}), ContextLengthExceeded),
        (refused(400, {"message": "This model's maximum context length is 2048 tokens"}), ContextLengthExceeded),
        (refused(429, {}), Busy),
        (refused(503, {"error": {"message": "Loading model", "code": 503}}), BackendUnavailable),
        (refused(504, b"x" * 200_000), BackendTimeout),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else f"{value.status}",
)
async def test_every_failure_is_one_sentence_of_ours(
    backend: UpstreamBackend, upstream: FakeUpstream, answer: Scripted, error: type[HaAssistError]
) -> None:
    upstream.queue = [answer]
    with pytest.raises(error) as caught:
        await answer_of(backend)
    assert type(caught.value) is error
    assert caught.value.status != 401
    assert "secret" not in caught.value.message
    assert len(upstream.bodies) == 1, "never a second generation"


async def test_nobody_there() -> None:
    async with backend_at("http://127.0.0.1:1/v1") as backend:
        with pytest.raises(BackendUnavailable):
            await answer_of(backend)
        assert not await backend.reachable()


@pytest.mark.parametrize("url", ["nonsense", "http://", "ftp://x/v1", "http://[::1/v1", "http://x:99999/v1"])
async def test_an_address_that_is_none(url: str) -> None:
    async with backend_at(url) as backend:
        with pytest.raises(BackendUnavailable):
            await answer_of(backend)
        assert not await backend.reachable()


@pytest.mark.parametrize(
    "pieces", [[Fault.STALL], [*events(delta(content="One"), done=False), Fault.STALL], [b": .\n", 0.1] * 50]
)
async def test_too_slow(upstream: FakeUpstream, pieces: list[Any]) -> None:
    upstream.queue = [Scripted(pieces)]
    async with backend_at(upstream.url, seconds=0.3) as backend:
        with pytest.raises(BackendTimeout):
            await answer_of(backend)


async def test_a_full_queue(backend: UpstreamBackend, upstream: FakeUpstream) -> None:
    upstream.queue = [Scripted([0.3, *said("One").pieces]), Scripted([0.3, *said("Two").pieces])]
    both = [asyncio.create_task(answer_of(backend)) for _ in range(2)]
    await asyncio.sleep(0.1)
    with pytest.raises(Busy):
        await answer_of(backend)
    assert [len(answer) for answer in await asyncio.gather(*both)] == [2, 2]
    assert await answer_of(backend)


async def test_closing_waits_for_what_runs(upstream: FakeUpstream) -> None:
    async with backend_at(upstream.url) as backend:
        upstream.queue = [Scripted([0.2, *said("One").pieces])]
        running = asyncio.create_task(answer_of(backend))
        await asyncio.sleep(0.05)
        await backend.close()
        assert running.done()
        assert (await running)[0] == TextDelta("One")


async def test_forwarding_changes_nothing(backend: UpstreamBackend, upstream: FakeUpstream) -> None:
    pieces = [b'data: {"odd":  "spacing"}\n\n', b"data: [DO", b"NE]\n\n"]
    upstream.queue = [Scripted(pieces)]
    body = b'{"model":"small",  "x": [1, 2.0], "messages":[]}'
    async with backend.forward(body) as answer:
        assert (answer.status, answer.content_type) == (200, "text/event-stream")
        assert b"".join([chunk async for chunk in answer.chunks]) == b"".join(pieces)
    assert upstream.bodies == [body]


async def test_forwarding_passes_back_what_the_client_did_wrong(
    backend: UpstreamBackend, upstream: FakeUpstream
) -> None:
    error = {"error": {"message": "n must be 1", "type": "invalid_request_error", "param": "n", "code": None}}
    upstream.queue = [
        refused(400, error),
        refused(400, {"error": {"code": "context_length_exceeded"}}),
        refused(401, error),
    ]
    async with backend.forward(b"{}") as answer:
        assert answer.status == 400
        assert json.loads(b"".join([chunk async for chunk in answer.chunks])) == error
    with pytest.raises(ContextLengthExceeded):
        async with backend.forward(b"{}"):
            pass
    with pytest.raises(BackendFailed):
        async with backend.forward(b"{}"):
            pass
