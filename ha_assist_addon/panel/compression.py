"""Pages and files are sent compressed: the list repeats its icons in every row."""

from __future__ import annotations

from aiohttp import web

from .border import Handler

SMALLEST = 1024
_TEXT = frozenset({"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"})
_HOLDS_THE_KEY = "/connect"
"""Never compressed: the length of a page that holds a secret should tell nothing of it."""


@web.middleware
async def compressed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Compress what is text and long enough, as far as the browser takes it."""
    response = await handler(request)
    if (
        isinstance(response, web.Response)
        and response.content_type in _TEXT
        and isinstance(response.body, bytes)
        and len(response.body) >= SMALLEST
        and not request.path.startswith(_HOLDS_THE_KEY)
    ):
        response.enable_compression()
        response.headers["Vary"] = "Accept-Encoding"
    return response
