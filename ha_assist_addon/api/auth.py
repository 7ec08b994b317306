"""The bearer key of the API."""

from __future__ import annotations

import hmac

from aiohttp import web
from aiohttp.typedefs import Middleware

from ..errors import InvalidApiKey
from .errors import Handler
from .keys import SERVICES

OPEN_PATHS = frozenset({"/health"})


def require_key(api_key: str) -> Middleware:
    """Ask for the key on every path but `/health`, also on paths that do not exist."""
    expected = api_key.encode("utf-8", "surrogateescape")

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path not in OPEN_PATHS:
            header = request.headers.get("Authorization", "")
            right = _is_right(header, expected)
            request.app[SERVICES].arrivals.note(request.path, accepted=right, with_key=bool(header.partition(" ")[2]))
            if not right:
                raise InvalidApiKey
        return await handler(request)

    return check


def _is_right(header: str, expected: bytes) -> bool:
    scheme, _, key = header.partition(" ")
    # Bytes, because the comparison in constant time refuses text beyond ASCII.
    given = key.strip().encode("utf-8", "surrogateescape")
    return hmac.compare_digest(given, expected) and scheme.lower() == "bearer"
