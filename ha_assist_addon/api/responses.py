"""`POST /v1/responses`."""

from __future__ import annotations

from aiohttp import web

from .body import parse_json_object, read_body
from .exchange import answer, opened
from .responses_reply import ResponsesReply
from .responses_wire import last_sentence, parse_responses


async def responses(request: web.Request) -> web.StreamResponse:
    """Answer one request; a model that it names is asked in whatever form its server speaks."""
    raw = await read_body(request)
    body = parse_json_object(raw)
    with opened(request, body, last_sentence(body)) as (recording, backend):
        recording.trace.request = raw
        parsed = parse_responses(body)
        shape = ResponsesReply(recording.trace, parsed.echo)
        return await answer(request, parsed.chat, backend, shape, recording)
