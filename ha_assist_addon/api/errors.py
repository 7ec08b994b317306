"""Errors on their way out: every one becomes an OpenAI error object, and none tells more than its sentence."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from ..errors import BodyTooLarge, HaAssistError, InternalError, InvalidRequest, MethodNotAllowed, NotFound

LOGGER = logging.getLogger(__name__)
RETRY_AFTER_SECONDS = 2

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def encode_json(value: Any) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which UTF-8 cannot carry, becomes a question mark."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace")


def json_response(value: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A response that holds one JSON value."""
    return web.Response(
        body=encode_json(value), status=status, headers=headers, content_type="application/json", charset="utf-8"
    )


def error_object(error: HaAssistError) -> dict[str, Any]:
    """What a client reads; Home Assistant speaks the message."""
    return {"error": {"message": error.message, "type": error.type, "param": error.param, "code": error.code}}


def error_response(error: HaAssistError) -> web.Response:
    """An error with its status, and with what the openai client needs to know about trying again."""
    headers = {}
    if error.status == web.HTTPUnauthorized.status_code:
        headers["WWW-Authenticate"] = "Bearer"
    if error.retry:
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    elif error.status in {408, 409, 429} or error.status >= web.HTTPInternalServerError.status_code:
        headers["x-should-retry"] = "false"
    return json_response(error_object(error), status=error.status, headers=headers)


def as_client_error(error: Exception) -> HaAssistError:
    """What a client may know of any exception; a fault of our own is logged."""
    match error:
        case HaAssistError():
            return error
        case web.HTTPNotFound():
            return NotFound()
        case web.HTTPMethodNotAllowed():
            return MethodNotAllowed()
        case web.HTTPRequestEntityTooLarge():
            return BodyTooLarge()
        case web.HTTPException() if error.status < web.HTTPInternalServerError.status_code:
            return InvalidRequest()
        case _:
            log_fault(error)
            return InternalError()


def log_fault(error: Exception) -> None:
    """Say where a fault happened; its text and traceback can quote the conversation and are for debugging only."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place is not None else "an unknown place"
    LOGGER.error("Fault in HA-Assist: %s at %s", type(error).__name__, where)
    LOGGER.debug("The fault in full", exc_info=error)


@web.middleware
async def error_middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn whatever a handler raises into an error object."""
    try:
        return await handler(request)
    except Exception as error:  # noqa: BLE001 - this is the border: nothing may leave in another form
        response = error_response(as_client_error(error))
        if isinstance(error, web.HTTPMethodNotAllowed):
            response.headers["Allow"] = error.headers["Allow"]
        return response
