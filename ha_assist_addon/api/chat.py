"""`POST /v1/chat/completions`."""

from __future__ import annotations

from aiohttp import web

from ..backends.base import Forwarder
from ..wire.chat import last_sentence, parse_chat
from ..wire.json_body import parse_json_object
from .body import read_body
from .chat_reply import ChatReply
from .exchange import answer, opened
from .forward import forward


async def chat_completions(request: web.Request) -> web.StreamResponse:
    """Answer one chat request; one for a model whose server speaks this form too is passed on as it came."""
    raw = await read_body(request)
    body = parse_json_object(raw)
    with opened(request, body, last_sentence(body)) as (recording, backend):
        recording.trace.request = raw
        if backend is not None and isinstance(backend, Forwarder):
            return await forward(request, backend, raw, recording)
        parsed = parse_chat(body)
        shape = ChatReply(recording.trace, include_usage=parsed.include_usage)
        return await answer(request, parsed.chat, backend, shape, recording)
