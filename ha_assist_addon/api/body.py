"""Reading a request's body: JSON that is safe to walk, or a sentence that says what is wrong with it."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Never

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from ..errors import BodyTooLarge, InvalidRequest, PackedBody, RequestTooSlow
from ..nesting import too_deep

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


def parse_json_object(raw: bytes) -> dict[str, Any]:
    """The JSON object in a body; anything that would trip a later step is refused here."""
    if not raw.strip():
        raise InvalidRequest("The request is empty; a JSON object was expected.")
    try:
        value = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise InvalidRequest("The request is not valid UTF-8 text.") from error
    except RecursionError as error:
        raise _too_deep() from error
    except json.JSONDecodeError as error:
        raise InvalidRequest(
            f"The request is not valid JSON; see line {error.lineno}, column {error.colno}."
        ) from error
    except ValueError as error:
        raise InvalidRequest("The request holds a number that is too long.") from error
    if not isinstance(value, dict):
        raise InvalidRequest("The request must be a JSON object.")
    if too_deep(value):
        raise _too_deep()
    # Only an escape can smuggle in half a surrogate pair: raw ones are not valid UTF-8.
    if (b"\\ud" in raw or b"\\uD" in raw) and _has_lone_surrogate(value):
        raise InvalidRequest("The request holds a broken character (half of a surrogate pair).")
    return value


def _has_lone_surrogate(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _refuse_constant(name: str) -> Never:
    raise InvalidRequest(f"The request holds {name}, which is not a number in JSON.")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise InvalidRequest("The request holds a number that is too large.")
    return number


def _too_deep() -> InvalidRequest:
    return InvalidRequest("The request is nested too deeply.")
