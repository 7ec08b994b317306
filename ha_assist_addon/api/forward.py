"""A physical model's request, passed on and answered as it came: Home Assistant's words have no effect here."""

from __future__ import annotations

from contextlib import AsyncExitStack

from aiohttp import web

from ..backends.base import Forwarder
from ..errors import HaAssistError
from .errors import error_object
from .recording import ANSWERED, DISCONNECTED, Recording
from .reply import sse
from .stops import STOPS


async def forward(request: web.Request, backend: Forwarder, body: bytes, recording: Recording) -> web.StreamResponse:
    """Stream the backend's answer through, unread."""
    stops = request.app[STOPS]
    async with AsyncExitStack() as stack:
        async with stops.interrupting():
            answer = await stack.enter_async_context(backend.forward(body))
        response = web.StreamResponse(status=answer.status, headers={"Content-Type": answer.content_type})
        try:
            await response.prepare(request)
            try:
                async with stops.interrupting():
                    async for chunk in answer.chunks:
                        await response.write(chunk)
            except HaAssistError as error:
                recording.fail(error)
                await _break_off(request, response, error)
            else:
                recording.finish(ANSWERED)
                await response.write_eof()
        except ConnectionError:
            recording.finish(DISCONNECTED)
        return response


async def _break_off(request: web.Request, response: web.StreamResponse, error: HaAssistError) -> None:
    """Say in a stream what happened; half a JSON object can only be cut, so that nobody takes it for whole."""
    if response.content_type == "text/event-stream":
        await response.write(b"\n\n" + sse(error_object(error)))
        await response.write_eof()
    elif request.transport is not None:
        request.transport.abort()
