"""Checks values against schemas of strangers: nothing is fetched, and nothing in a schema can take long."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from pydantic_core import CoreConfig, SchemaError, SchemaValidator, core_schema
from pydantic_core import ValidationError as Mismatch
from referencing import Registry

_Keyword = Callable[[Validator, Any, Any, Mapping[str, Any]], Iterator[ValidationError] | None]

LARGEST = 256 * 1024
"""Characters that a value may have as JSON; a language model writes a fraction of that."""
_STEPS = 60_000
"""Keywords that are looked at in one check: references to one another would make a short schema endless."""
_LONGEST_MESSAGE = 300


class UnusableSchema(ValueError):
    """The schema is none, leads out of itself, or takes too long."""


_left: ContextVar[list[int]] = ContextVar("_left")


def mismatch(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Where a value does not fit a schema and why, None where it fits; raises UnusableSchema."""
    size = len(json.dumps(value, ensure_ascii=False, default=str))
    if size > LARGEST:
        return "it is too long to be checked"
    # What does not fit is quoted by its error, so that each step on a large value costs more.
    token = _left.set([_STEPS, 1 + size // 20_000])
    try:
        _VALIDATOR(schema, registry=Registry()).validate(value)
    except ValidationError as error:
        path = ".".join(str(part) for part in error.absolute_path)
        message = error.message[:_LONGEST_MESSAGE]
        return f"{path}: {message}" if path else message
    except UnusableSchema:
        raise
    except Exception as error:
        # The validator lets through whatever it stumbles over in a schema that is none.
        raise UnusableSchema(type(error).__name__) from error
    finally:
        _left.reset(token)
    return None


def _spend(steps: int) -> None:
    left = _left.get()
    left[0] -= steps * left[1]
    if left[0] < 0:
        raise UnusableSchema("it takes too long")


def _counted(keyword: _Keyword) -> _Keyword:
    def check(validator: Validator, value: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
        _spend(1)
        yield from keyword(validator, value, instance, schema) or ()

    return check


@lru_cache(maxsize=64)
def _pattern(pattern: str) -> SchemaValidator:
    # Rust's engine takes time in proportion to the text, whatever the pattern; Python's can take for ever.
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern), CoreConfig(regex_engine="rust-regex"))
    except SchemaError as error:
        raise UnusableSchema("its pattern cannot be used") from error


def _fits(pattern: str, text: str) -> bool:
    _spend(1)
    try:
        _pattern(pattern).validate_python(text)
    except Mismatch:
        return False
    return True


def _check_pattern(_: Validator, pattern: str, instance: Any, __: Mapping[str, Any]) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _fits(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _check_pattern_properties(
    validator: Validator, patterns: Mapping[str, Any], instance: Any, _: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, schema in patterns.items():
            for key, value in instance.items():
                if _fits(pattern, key):
                    yield from validator.descend(value, schema, path=key, schema_path=pattern)  # type: ignore[attr-defined]


def _check_additional(
    validator: Validator, allowed: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [key for key in instance if key not in known and not any(_fits(pattern, key) for pattern in patterns)]
    if isinstance(allowed, dict):
        for key in extras:
            yield from validator.descend(instance[key], allowed, path=key)  # type: ignore[attr-defined]
    elif not allowed and extras:
        yield ValidationError(f"{', '.join(map(repr, extras))} is not expected")


def _check_unique(_: Validator, wanted: Any, instance: Any, __: Mapping[str, Any]) -> Iterator[ValidationError]:
    if wanted and isinstance(instance, list):
        seen = [json.dumps(item, sort_keys=True) for item in instance]
        if len(set(seen)) < len(seen):
            yield ValidationError(f"{instance!r} has items twice")


def _refuse(*_: Any) -> Iterator[ValidationError]:
    # Its search for what other keywords looked at goes through Python's patterns and through no count.
    raise UnusableSchema("it has a keyword that is not supported")


_OWN: Mapping[str, _Keyword] = {
    "pattern": _check_pattern,
    "patternProperties": _check_pattern_properties,
    "additionalProperties": _check_additional,
    "uniqueItems": _check_unique,
    "unevaluatedProperties": _refuse,
    "unevaluatedItems": _refuse,
}
_KEYWORDS = {**Draft202012Validator.VALIDATORS, **_OWN}
_VALIDATOR: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {name: _counted(check) for name, check in _KEYWORDS.items()}
)
