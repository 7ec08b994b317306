"""What both APIs do with a request: find who answers it, keep a trace of it, and hand the answer over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing, contextmanager

from aiohttp import web

from ..backends.base import Backend
from ..conversation import ChatRequest
from ..errors import ModelNotFound
from ..trace.trace import Trace
from ..wire.fields import JsonBody, conversation_of, requested_model
from .contract import kept
from .errors import json_response
from .keys import ANSWER, SERVICES, VIRTUAL_MODEL
from .recording import Recording
from .reply import Reply, Shape
from .stops import STOPS
from .stream import stream


@contextmanager
def opened(request: web.Request, body: JsonBody, sentence: str | None) -> Iterator[tuple[Recording, Backend | None]]:
    """The request's recording, and the backend that it names; None is HA-Assist, which only its exact name means."""
    services = request.app[SERVICES]
    model = requested_model(body)
    backend = None if model == VIRTUAL_MODEL else services.backends.find(model)
    if model != VIRTUAL_MODEL and backend is None:
        raise ModelNotFound(param="model")
    trace = Trace(requested_model=model, conversation=conversation_of(body), sentence=sentence)
    if backend is not None:
        trace.route, trace.reason, trace.backend_model = "physical", "physical_model", model
        trace.why = "The request names this model itself, so it went straight there."
        trace.inference_calls = 1
    with Recording(trace, services.traces) as recording:
        yield recording, backend


async def answer(
    request: web.Request, chat: ChatRequest, backend: Backend | None, shape: Shape, recording: Recording
) -> web.StreamResponse:
    """Let HA-Assist or the named model answer, and send that as a stream or in one piece."""
    if backend is None:
        source = request.app[ANSWER](chat, request.app[SERVICES], recording.trace)
    else:
        source = backend.generate(chat)
    events = kept(source, chat)
    if chat.stream:
        return await stream(request, events, shape, recording)
    reply = Reply()
    async with aclosing(events), request.app[STOPS].interrupting():
        async for event in events:
            reply.add(event)
    response = json_response(shape.whole(reply))
    reply.record(recording)
    return response
