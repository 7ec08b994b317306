"""An answer as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

from aiohttp import web

from ..conversation import Finish, ReplyEvent, TextDelta
from ..errors import ShuttingDown
from .errors import as_client_error
from .keys import PACE
from .pump import Pump
from .recording import DISCONNECTED, Recording
from .reply import PING, Reply, Shape
from .stops import STOPS

SSE_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
}


async def stream(
    request: web.Request, events: AsyncGenerator[ReplyEvent], shape: Shape, recording: Recording
) -> web.StreamResponse:
    """Send the events as they come; an error before the first one is raised and keeps its own status."""
    async with Pump(events) as pump:
        with request.app[STOPS].calling(lambda: pump.stop(ShuttingDown())):
            return await _send(request, pump, shape, recording)


async def _send(request: web.Request, pump: Pump, shape: Shape, recording: Recording) -> web.StreamResponse:
    pace = request.app[PACE]
    first = await pump.next(pace.first_event)
    response = web.StreamResponse(headers=SSE_HEADERS)
    try:
        await response.prepare(request)
        async for piece in _pieces(pump, first, shape, recording, pace.ping):
            await response.write(piece)
        await response.write_eof()
    except ConnectionError:
        # The client has what it wanted, or has gone; the pump's end cancels what still runs.
        recording.finish(DISCONNECTED)
    return response


async def _pieces(
    pump: Pump, event: ReplyEvent | None, shape: Shape, recording: Recording, ping_seconds: float
) -> AsyncIterator[bytes]:
    """The bytes of the stream; what is there at the same time is sent at once."""
    reply = Reply()
    pending = [shape.opening()]
    try:
        while True:
            match event:
                case None:
                    pending.append(PING)
                case Finish():
                    reply.add(event)
                    pending.append(shape.closing(event))
                    reply.record(recording)
                    break
                case _:
                    if not (isinstance(event, TextDelta) and not event.text):
                        pending.append(shape.piece(event))
                    reply.add(event)
            event = pump.ready()
            if event is None:
                yield b"".join(pending)
                pending.clear()
                event = await pump.next(ping_seconds)
    except Exception as error:  # noqa: BLE001 - the status is gone, so whatever it is can only be told here
        known = as_client_error(error)
        recording.fail(known)
        pending.append(shape.failure(known))
    yield b"".join(pending)
