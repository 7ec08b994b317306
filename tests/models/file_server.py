"""A real server of one file, with ranges, that can be told what goes wrong with the next answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Cut:
    """Break the connection after so many bytes of the body."""

    after: int


@dataclass(frozen=True, slots=True)
class Hold:
    """Send so many bytes, then nothing until the client goes away."""

    after: int


@dataclass(frozen=True, slots=True)
class Trickle:
    """Send the body in pieces of so many bytes, with a pause before each."""

    piece: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Instead:
    """Answer something else."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


Fault = Cut | Hold | Trickle | Instead


class FileServer:
    """Serves `content` at `url`; each request takes one fault from the queue."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.etag: str | None = '"one"'
        self.modified: str | None = None
        self.ranges = True
        self.tells_length = True
        self.faults: list[Fault] = []
        self.requests: list[dict[str, str]] = []
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FileServer]:
        """Serve on a free port."""
        app = web.Application()
        app.router.add_get("/{name:.*}", self._answer)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/model"
            yield self
        finally:
            await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(dict(request.headers))
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, Instead):
            return web.Response(status=fault.status, body=fault.body, headers=fault.headers)
        start = self._start(request)
        if start is not None and start >= len(self.content):
            return web.Response(status=416, headers={"Content-Range": f"bytes */{len(self.content)}"})
        body = self.content[start or 0 :]
        response = web.StreamResponse(status=200 if start is None else 206)
        if self.etag:
            response.headers["ETag"] = self.etag
        if self.modified:
            response.headers["Last-Modified"] = self.modified
        if start is not None:
            response.headers["Content-Range"] = f"bytes {start}-{len(self.content) - 1}/{len(self.content)}"
        if self.tells_length:
            response.content_length = len(body)
        await response.prepare(request)
        await self._send(request, response, body, fault)
        return response

    def _start(self, request: web.Request) -> int | None:
        found = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", ""))
        condition = request.headers.get("If-Range")
        if not found or not self.ranges or condition not in {None, self.etag, self.modified}:
            return None
        return int(found[1])

    async def _send(
        self, request: web.Request, response: web.StreamResponse, body: bytes, fault: Cut | Hold | Trickle | None
    ) -> None:
        match fault:
            case Cut(after):
                await response.write(body[:after])
                # What was written must leave before the connection breaks.
                await asyncio.sleep(0.2)
                if request.transport is not None:
                    request.transport.abort()
                raise ConnectionResetError
            case Hold(after):
                await response.write(body[:after])
                await asyncio.sleep(3600)
            case Trickle(piece, seconds):
                for at in range(0, len(body), piece):
                    await asyncio.sleep(seconds)
                    await response.write(body[at : at + piece])
            case None:
                await response.write(body)
        await response.write_eof()
