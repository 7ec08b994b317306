"""`POST /v1/chat/completions`: HA-Assist goes to the pipeline, a physical model's request to its backend."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from aiohttp import web

from ..backends.base import Forwarder
from ..conversation import ReplyEvent
from ..diagnostics.trace import Trace
from ..errors import ModelNotFound
from .body import parse_json_object, read_body
from .errors import json_response
from .forward import forward
from .keys import ANSWER, SERVICES, VIRTUAL_MODEL
from .pump import until_finish
from .recording import Recording
from .reply import Envelope, Reply
from .stream import stream
from .wire import ParsedRequest, conversation_of, last_sentence, parse_chat, requested_model


async def chat_completions(request: web.Request) -> web.StreamResponse:
    """Answer one chat request; only the exact model name switches HA-Assist on."""
    raw = await read_body(request)
    body = parse_json_object(raw)
    model = requested_model(body)
    services = request.app[SERVICES]
    backend = None if model == VIRTUAL_MODEL else services.backends.find(model)
    if model != VIRTUAL_MODEL and backend is None:
        raise ModelNotFound(param="model")
    trace = Trace(requested_model=model, conversation=conversation_of(body), sentence=last_sentence(body))
    with Recording(trace, services.traces) as recording:
        if backend is None:
            parsed = parse_chat(body)
            return await _reply(request, parsed, request.app[ANSWER](parsed.chat, services, trace), recording)
        trace.route, trace.reason, trace.backend_model = "physical", "physical_model", model
        trace.why = "The request names this model itself, so it went there unchanged."
        trace.inference_calls = 1
        if isinstance(backend, Forwarder):
            return await forward(request, backend, raw, recording)
        parsed = parse_chat(body)
        return await _reply(request, parsed, backend.generate(parsed.chat), recording)


async def _reply(
    request: web.Request, parsed: ParsedRequest, events: AsyncIterator[ReplyEvent], recording: Recording
) -> web.StreamResponse:
    envelope = Envelope(recording.trace)
    if parsed.chat.stream:
        return await stream(request, events, envelope, recording, include_usage=parsed.include_usage)
    reply = Reply()
    async with aclosing(until_finish(events)) as source:
        async for event in source:
            reply.add(event)
    reply.record(recording)
    return json_response(envelope.completion(reply))
