"""The bearer key of the API."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

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
            headers = request.headers.getall("Authorization", [])
            right = _is_right(headers, expected)
            with_key = any(header.partition(" ")[2] for header in headers)
            request.app[SERVICES].arrivals.note(request.path, accepted=right, with_key=with_key)
            if not right:
                raise InvalidApiKey
        return await handler(request)

    return check


def _is_right(headers: Sequence[str], expected: bytes) -> bool:
    # Of two, a proxy in between may have looked at the other one.
    scheme, _, key = (headers[0] if len(headers) == 1 else "").partition(" ")
    # Bytes, because the comparison in constant time refuses text beyond ASCII.
    given = key.strip().encode("utf-8", "surrogateescape")
    return hmac.compare_digest(given, expected) and scheme.lower() == "bearer"
