"""A server that answers as it is told, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

KEY = "a-key-for-tests"

Answer = list[Any] | web.Response
"""Events of a stream, or a whole response."""


def delta(reason: str | None = None, **content: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": content, "finish_reason": reason}]}


def said(text: str) -> Answer:
    """A text in two pieces."""
    half = len(text) // 2
    return [delta(role="assistant", content=""), delta(content=text[:half]), delta(content=text[half:]), delta("stop")]


def called(tool: str, identity: str = "call_1", **arguments: Any) -> Answer:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": identity, "type": "function", "function": function}
    return [delta(role="assistant", content=""), delta(tool_calls=[call]), delta("tool_calls")]


def refused(status: int, message: str, param: str | None = None) -> Answer:
    return web.json_response({"error": {"message": message, "type": "x", "param": param, "code": "x"}}, status=status)


BREAK = object()
"""The connection ends there."""


class FakeServer:
    """Change the public attributes while it runs."""

    def __init__(self) -> None:
        self.key = KEY
        self.models: Any = {"object": "list", "data": [{"id": "HA-Assist"}, {"id": "some-model"}]}
        self.version: str | None = "0.1.0"
        self.answers: list[Answer] = []
        self.asked: list[dict[str, Any]] = []
        self.before: Callable[[], Awaitable[None]] | None = None
        """Called once, before the next answer."""
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FakeServer]:
        app = web.Application(client_max_size=16 * 1024 * 1024)
        app.router.add_get("/health", self._health)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._chat)
        async with TestServer(app, host="127.0.0.1") as server:
            self.url = str(server.make_url("")).rstrip("/")
            yield self

    async def _health(self, _request: web.Request) -> web.Response:
        if self.version is None:
            return web.Response(status=404)
        return web.json_response({"status": "ok", "version": self.version})

    async def _models(self, request: web.Request) -> web.Response:
        return self._stranger(request) or web.json_response(self.models)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        if stranger := self._stranger(request):
            return stranger
        self.asked.append(await request.json())
        if self.before is not None:
            before, self.before = self.before, None
            await before()
        answer = self.answers.pop(0)
        if isinstance(answer, web.Response):
            return answer
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b": ping\n\n")
        for event in answer:
            if event is BREAK and request.transport is not None:
                request.transport.abort()
                return response
            data = event if isinstance(event, str) else json.dumps(event)
            await response.write(f"data: {data}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response

    def _stranger(self, request: web.Request) -> web.Response | None:
        if request.headers.get("Authorization") == f"Bearer {self.key}":
            return None
        return web.json_response({"error": {"message": "The key is wrong."}}, status=401)
