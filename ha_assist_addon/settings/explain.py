"""Words for what pydantic found: one sentence that names the key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_EXPECTED = {
    "bool_parsing": "should be true or false",
    "bool_type": "should be true or false",
    "dict_type": "should be a block of settings",
    "finite_number": "should be an ordinary number",
    "float_parsing": "should be a number",
    "float_type": "should be a number",
    "greater_than": "should be more than {gt:g}",
    "greater_than_equal": "should be at least {ge:g}",
    "int_from_float": "should be a whole number",
    "int_parsing": "should be a whole number",
    "int_parsing_size": "should be a smaller number",
    "int_type": "should be a whole number",
    "less_than_equal": "should be at most {le:g}",
    "model_type": "should be a block of settings",
    "string_too_long": "should have at most {max_length} characters",
    "string_type": "should be a text",
    "tuple_type": "should be a list",
    "url_parsing": "should be an http address such as http://192.168.1.20:8080/v1",
    "url_scheme": "should be an address that begins with http:// or https://",
}
_UNKNOWN_KEY = {"extra_forbidden", "invalid_key"}
_SECRET = ("api_key",)
_LONGEST_VALUE = 40
_PASSWORD = re.compile(r":/*[^\s/]*@")
"""An address with user and password in it, or what looks like one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one key; `code` and `values` choose the sentence in another language."""

    key: str
    code: str
    values: Mapping[str, str] = field(default_factory=dict)


def faults_of(error: ValidationError) -> tuple[Fault, ...]:
    """The first fault of each key."""
    found: dict[str, Fault] = {}
    for one in error.errors(include_url=False):
        limits = {name: f"{value:g}" for name, value in one.get("ctx", {}).items() if isinstance(value, int | float)}
        found.setdefault(dotted(one), Fault(dotted(one), one["type"], limits))
    return tuple(found.values())


def explain(error: ValidationError, model: type[BaseModel], shown: Mapping[str, str] | None = None) -> tuple[str, str]:
    """The key of the first fault and a sentence on it; `shown` names keys differently, as by their variable."""
    faults = error.errors(include_url=False)
    key = dotted(faults[0])
    sentence = _sentence(faults[0], (shown or {}).get(key, key or "settings.yaml"), model)
    others = len({dotted(fault) for fault in faults} - {key})
    if others:
        sentence += f" ({others} more {'key is' if others == 1 else 'keys are'} wrong.)"
    return key, sentence


def dotted(fault: ErrorDetails) -> str:
    """The key that a fault is about, such as models.gemma.enabled."""
    return ".".join(_path(fault))


def _path(fault: ErrorDetails) -> list[str]:
    # A number is the place in a list, except where the key itself is at fault.
    unknown = fault["type"] in _UNKNOWN_KEY
    return [str(part) for part in fault["loc"] if part != "[key]" and (unknown or isinstance(part, str))]


def _sentence(fault: ErrorDetails, name: str, model: type[BaseModel]) -> str:
    if fault["type"] in _UNKNOWN_KEY:
        *blocks, key = _path(fault)
        near = difflib.get_close_matches(key, _known_keys(model, blocks), n=1)
        return f"{name} is not a setting of HA-Assist" + (f"; perhaps you mean {near[0]}." if near else ".")
    context = fault.get("ctx", {})
    if fault["type"] == "value_error":
        expected = str(context.get("error", "")).removeprefix("it ") or fault["msg"]
    elif template := _EXPECTED.get(fault["type"]):
        expected = template.format(**context)
    else:
        expected = "is not valid: " + fault["msg"][:1].lower() + fault["msg"][1:]
    return f"{name}{_value(fault)} {expected}."


def _value(fault: ErrorDetails) -> str:
    value = fault["input"]
    if isinstance(value, dict | list | tuple | BaseModel) or any(part in _SECRET for part in fault["loc"]):
        return ""
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # a number of thousands of digits
        return ""
    if _PASSWORD.search(text):
        return ""
    return f" is {text}, but" if len(text) <= _LONGEST_VALUE else ""


def _known_keys(model: type[BaseModel], path: list[str]) -> list[str]:
    for part in path:
        field = model.model_fields.get(part)
        inner: Any = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            inner = next((arg for arg in get_args(inner) if isinstance(arg, type) and issubclass(arg, BaseModel)), None)
        if inner is None:
            return []
        model = cast("type[BaseModel]", inner)
    return list(model.model_fields)
