"""Data of a given form: a model's answer is that, or an error; prose never passes for data."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from ..backends.calls import finite
from ..errors import AnswerNotStructured, InvalidRequest
from ..json_schema import UnusableSchema, mismatch

_LARGEST_SCHEMA = 64 * 1024
"""Characters; checking one that is larger takes seconds, and no model on this machine could follow it."""
_FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*(?:```|$)", re.DOTALL | re.IGNORECASE)


def check_form(response_format: Mapping[str, Any]) -> None:
    """Raise InvalidRequest where the schema that is asked for is none."""
    schema = _schema(response_format)
    if schema is None:
        return
    try:
        if len(json.dumps(schema)) > _LARGEST_SCHEMA:
            raise InvalidRequest(
                "The JSON schema of this request is too large.", param="response_format.json_schema.schema"
            )
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError, TypeError, ValueError, AttributeError) as error:
        raise InvalidRequest(
            "The JSON schema of this request is not valid.", param="response_format.json_schema.schema"
        ) from error


def read_data(text: str, response_format: Mapping[str, Any]) -> str:
    """The JSON text in an answer, checked against the form; raises AnswerNotStructured."""
    value = _value(text)
    schema = _schema(response_format)
    if schema is None:
        if not isinstance(value, dict):
            raise AnswerNotStructured
    else:
        try:
            fits = mismatch(value, schema) is None
        except UnusableSchema as error:
            raise InvalidRequest(
                "The JSON schema of this request cannot be used.", param="response_format.json_schema.schema"
            ) from error
        if not fits:
            raise AnswerNotStructured
    return json.dumps(value, ensure_ascii=False)


def _schema(response_format: Mapping[str, Any]) -> dict[str, Any] | None:
    if response_format.get("type") != "json_schema":
        return None
    schema = (response_format.get("json_schema") or {}).get("schema")
    return schema if isinstance(schema, dict) else None


def _value(text: str) -> Any:
    """The answer as JSON: whole, in a code fence, or the one object or list in it."""
    text = text.strip()
    fenced = _FENCE.search(text)
    for candidate in (text, fenced[1] if fenced else ""):
        try:
            return json.loads(candidate, parse_constant=finite, parse_float=finite, strict=False)
        except (ValueError, RecursionError):
            continue
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if start >= 0:
        try:
            value, _ = json.JSONDecoder(parse_constant=finite, parse_float=finite, strict=False).raw_decode(text, start)
        except (ValueError, RecursionError):
            pass
        else:
            return value
    raise AnswerNotStructured
