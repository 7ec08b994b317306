"""What an upstream server's refusal means for the person; its own words go to the panel only."""

from __future__ import annotations

import logging
import re
from typing import Any

from ..errors import BackendFailed, BackendTimeout, BackendUnavailable, Busy, ContextLengthExceeded, HaAssistError

LOGGER = logging.getLogger(__name__)
OVERFLOW_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error"})
# vLLM and others give only a sentence.
OVERFLOW_WORDS = re.compile(
    r"maximum context length|context (length|size|window)[^.]{0,40}exceed|exceed[^.]{0,40}context"
)
MESSAGE_SHOWN = 300


def refusal(status: int, answer: Any) -> HaAssistError:
    """The error for a status and for what came with it, parsed or not; `said` holds the server's own words."""
    error = _error(status, answer)
    error.said = f"{status}: {message}" if (message := message_of(answer)) else str(status)
    return error


def message_of(answer: Any) -> str:
    """What a server's error object says, shortened; empty where it says nothing."""
    return " ".join(_code_and_message(answer)[1].split())[:MESSAGE_SHOWN]


def _error(status: int, answer: Any) -> HaAssistError:
    code, message = _code_and_message(answer)
    LOGGER.debug("The language model's server answered %s: %s", status, message[:MESSAGE_SHOWN])
    if code & OVERFLOW_CODES or (status in {200, 400, 413, 422} and OVERFLOW_WORDS.search(message.lower())):
        return ContextLengthExceeded()
    match status:
        case 401 | 403:
            return BackendFailed("The language model's server refuses the key in HA-Assist's settings.")
        case 404:
            return BackendFailed("The language model's server does not know the address or the model in the settings.")
        case 408 | 504 | 524:
            return BackendTimeout()
        case 429:
            return Busy()
        case 503:
            return BackendUnavailable("The language model is not ready yet. Please try again in a moment.")
        case 400 | 413 | 422:
            return BackendFailed("The language model's server did not accept the request.")
        case _:
            return BackendFailed()


def is_error_object(answer: Any) -> bool:
    """Whether this is an OpenAI error object, which a client can read."""
    return isinstance(answer, dict) and isinstance(answer.get("error"), dict)


def _code_and_message(answer: Any) -> tuple[set[str], str]:
    if not isinstance(answer, dict):
        return set(), ""
    error = answer.get("error", answer)
    if isinstance(error, str):
        return set(), error
    if not isinstance(error, dict):
        return set(), ""
    codes = {value for key in ("code", "type") if isinstance(value := error.get(key), str)}
    message = error.get("message") or error.get("detail")
    return codes, message if isinstance(message, str) else ""
