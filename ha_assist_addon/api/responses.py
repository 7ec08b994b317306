"""`POST /v1/responses`."""

from __future__ import annotations

from aiohttp import web

from ..wire.json_body import parse_json_object
from ..wire.responses import last_sentence, parse_responses
from .body import read_body
from .exchange import answer, opened
from .responses_reply import ResponsesReply


async def responses(request: web.Request) -> web.StreamResponse:
    """Answer one request; a model that it names is asked in whatever form its server speaks."""
    raw = await read_body(request)
    body = parse_json_object(raw)
    with opened(request, body, last_sentence(body)) as (recording, backend):
        recording.trace.request = raw
        parsed = parse_responses(body)
        shape = ResponsesReply(recording.trace, parsed.echo)
        return await answer(request, parsed.chat, backend, shape, recording)
