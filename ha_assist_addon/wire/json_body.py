"""JSON objects as clients send them: no constants that JSON lacks, no lone surrogates, no endless nesting."""

from __future__ import annotations

import json
from typing import Any, Never

from ..errors import InvalidRequest
from ..nesting import too_deep


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
