"""A scripted OpenAI-compatible server: it answers well, stalls, breaks off, trickles or talks nonsense, as queued."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from aiohttp import web

from ha_assist_addon.app import listening


class Fault(Enum):
    """What a server can do instead of sending the next piece."""

    BREAK = auto()
    STALL = auto()


Piece = bytes | float | Fault
"""Bytes to send, seconds to wait, or a fault."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """One answer."""

    pieces: Sequence[Piece] = ()
    status: int = 200
    content_type: str = "text/event-stream"


def events(*values: Any, done: bool = True) -> list[bytes]:
    """Server-sent events of these JSON values."""
    sent = [b"data: " + json.dumps(value).encode() + b"\n\n" for value in values]
    return [*sent, b"data: [DONE]\n\n"] if done else sent


def delta(reason: str | None = None, **content: Any) -> dict[str, Any]:
    """One chunk of a streamed answer."""
    return {"choices": [{"index": 0, "delta": content, "finish_reason": reason}]}


def said(text: str) -> Scripted:
    """A streamed text."""
    return Scripted(events(delta(role="assistant"), delta(content=text), delta("stop")))


def refused(status: int, error: Any, content_type: str = "application/json") -> Scripted:
    """An error with a JSON or other body."""
    body = error if isinstance(error, bytes) else json.dumps(error).encode()
    return Scripted([body], status, content_type)


class FakeUpstream:
    """Answers with what is queued, and with the default when nothing is."""

    def __init__(self) -> None:
        self.queue: list[Scripted] = []
        self.default = said("Hello.")
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.asked = asyncio.Event()
        self.left_alone = asyncio.Event()
        """Set when a client went away in the middle of an answer."""
        self.url = ""

    @property
    def requests(self) -> list[Any]:
        """The bodies received, parsed."""
        return [json.loads(body) for body in self.bodies]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FakeUpstream]:
        """Serve on a free port."""
        app = web.Application(client_max_size=1 << 25)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._chat)
        async with listening(app, "127.0.0.1", 0, drain=0.1) as port:
            self.url = f"http://127.0.0.1:{port}/v1"
            yield self

    async def _models(self, _request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": []})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.read())
        self.headers.append(dict(request.headers))
        self.asked.set()
        answer = self.queue.pop(0) if self.queue else self.default
        response = web.StreamResponse(status=answer.status, headers={"Content-Type": answer.content_type})
        try:
            if answer.pieces and isinstance(answer.pieces[0], Fault | float):
                await self._play(request, None, answer.pieces[0])
            await response.prepare(request)
            for piece in answer.pieces:
                await self._play(request, response, piece)
            await response.write_eof()
        except (asyncio.CancelledError, ConnectionError):
            self.left_alone.set()
            raise
        return response

    async def _play(self, request: web.Request, response: web.StreamResponse | None, piece: Piece) -> None:
        match piece:
            case bytes() if response is not None:
                await response.write(piece)
            case float():
                await asyncio.sleep(piece)
            case Fault.STALL:
                await asyncio.sleep(3600)
            case Fault.BREAK if request.transport is not None:
                request.transport.abort()
                raise ConnectionResetError
