"""Reading a request's body: JSON that is safe to walk, or a sentence that says what is wrong with it."""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from ..errors import BodyTooLarge, InvalidRequest, PackedBody, RequestTooSlow

MAX_BODY_BYTES = 16 * 1024 * 1024
BODY_SECONDS = 60.0
UTF8_NAMES = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})


async def read_body(request: web.Request) -> bytes:
    """The whole body, within the limits of size and time."""
    if request.content_length is not None and request.content_length > MAX_BODY_BYTES:
        raise BodyTooLarge
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in {"identity", ""}:
        raise PackedBody
    charset = request.charset
    if charset is not None and charset.lower() not in UTF8_NAMES:
        raise InvalidRequest("The request must be text in UTF-8; its header names another character set.")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except web.HTTPRequestEntityTooLarge as error:
        raise BodyTooLarge from error
    except TimeoutError as error:
        raise RequestTooSlow from error
    except (web.RequestPayloadError, HttpProcessingError) as error:
        raise InvalidRequest("The body of the request cannot be read; it is broken.") from error
