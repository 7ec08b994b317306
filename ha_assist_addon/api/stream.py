"""A chat answer as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator

from aiohttp import web

from ..conversation import Finish, ReplyEvent, TextDelta
from .errors import as_client_error, error_object
from .keys import PACE
from .pump import Pump
from .recording import DISCONNECTED, Recording
from .reply import PING, Envelope, Reply, sse

SSE_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
}


async def stream(
    request: web.Request,
    events: AsyncIterator[ReplyEvent],
    envelope: Envelope,
    recording: Recording,
    *,
    include_usage: bool,
) -> web.StreamResponse:
    """Send the events as they come; an error before the first one is raised and keeps its own status."""
    pace = request.app[PACE]
    async with Pump(events) as pump:
        first = await pump.next(pace.first_event)
        response = web.StreamResponse(headers=SSE_HEADERS)
        try:
            await response.prepare(request)
            async for piece in _pieces(pump, first, envelope, recording, pace.ping, include_usage):
                await response.write(piece)
            await response.write_eof()
        except ConnectionError:
            # The client has what it wanted, or has gone; the pump's end cancels what still runs.
            recording.finish(DISCONNECTED)
        return response


async def _pieces(
    pump: Pump,
    event: ReplyEvent | None,
    envelope: Envelope,
    recording: Recording,
    ping_seconds: float,
    include_usage: bool,
) -> AsyncIterator[bytes]:
    """The bytes of the stream; what is there at the same time is sent at once."""
    reply = Reply()
    pending = [envelope.role_chunk()]
    try:
        while True:
            match event:
                case None:
                    pending.append(PING)
                case Finish():
                    reply.add(event)
                    pending.extend(envelope.finish_chunks(event, include_usage=include_usage))
                    reply.record(recording)
                    break
                case _:
                    if not (isinstance(event, TextDelta) and not event.text):
                        pending.append(envelope.event_chunk(event, len(reply.calls)))
                    reply.add(event)
            event = pump.ready()
            if event is None:
                yield b"".join(pending)
                pending.clear()
                event = await pump.next(ping_seconds)
    except Exception as error:  # noqa: BLE001 - the status is gone, so whatever it is can only be told here
        known = as_client_error(error)
        recording.fail(known)
        pending.append(sse(error_object(known)))
    yield b"".join(pending)
