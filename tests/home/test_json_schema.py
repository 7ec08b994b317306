"""Schemas of strangers: what they may say, and what they may not cost."""

from __future__ import annotations

from typing import Any

import pytest

from ha_assist_addon.json_schema import LARGEST, UnusableSchema, mismatch


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        ({"a": "abc"}, {"properties": {"a": {"pattern": "^a"}}}, True),
        ({"a": "bbc"}, {"properties": {"a": {"pattern": "^a"}}}, False),
        ({"a": "bab"}, {"properties": {"a": {"pattern": "a"}}}, True),
        ({"a": 5}, {"properties": {"a": {"pattern": "^a"}}}, True),
        ({"ab": 5}, {"patternProperties": {"^a": {"type": "string"}}}, False),
        ({"ab": "x", "c": 1}, {"patternProperties": {"^a": {}}, "additionalProperties": False}, False),
        ({"ab": "x", "c": 1}, {"patternProperties": {"^a": {}}, "additionalProperties": {"type": "integer"}}, True),
        ({"ab": "x", "c": "1"}, {"properties": {"ab": {}}, "additionalProperties": {"type": "integer"}}, False),
        ([1, 2], {"uniqueItems": True}, True),
        ([{"a": 1}, {"a": 1}], {"uniqueItems": True}, False),
        ({"a": 5}, {"$defs": {"n": {"maximum": 4}}, "properties": {"a": {"$ref": "#/$defs/n"}}}, False),
    ],
)
def test_what_fits(value: Any, schema: dict[str, Any], *, fits: bool) -> None:
    assert (mismatch(value, schema) is None) is fits


def chain(keyword: str) -> dict[str, Any]:
    """A short schema with 2 ** 60 paths."""
    steps: dict[str, Any] = {f"s{n}": {keyword: [{"$ref": f"#/$defs/s{n + 1}"}] * 2} for n in range(60)}
    return {"$defs": {**steps, "s60": {}}, "$ref": "#/$defs/s0"}


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/nowhere"},
        {"$ref": "http://127.0.0.1:9/schema"},
        {"$dynamicRef": "http://127.0.0.1:9/schema"},
        {"$ref": "file:///etc/passwd"},
        {"pattern": "(?=x)"},
        {"pattern": "((a{1000}){1000}){1000}"},
        {"unevaluatedProperties": False},
        {"type": "nonsense"},
        {"anyOf": 3},
        {"enum": 3},
        chain("allOf"),
        chain("oneOf"),
        {"anyOf": [{"const": 5}] * 100_000},
    ],
    ids=lambda schema: str(schema)[:40],
)
def test_what_cannot_be_used(schema: dict[str, Any]) -> None:
    with pytest.raises(UnusableSchema):
        mismatch("x", schema)


def test_no_pattern_takes_long() -> None:
    """With Python's own engine each of these takes longer than anybody waits."""
    for pattern in (r"^(\w+\s?)*$", "(a+)+$", "([a-zA-Z ]+)*!", "(a|a)*b", r"^(([a-z])+.)+[A-Z]([a-z])+$"):
        assert mismatch("a" * 5000 + "?", {"pattern": pattern}) is not None
        assert mismatch({"a" * 5000 + "?": 1}, {"patternProperties": {pattern: {}}, "additionalProperties": False})


def test_a_value_that_is_too_long_fits_nothing() -> None:
    assert mismatch("x" * LARGEST, {}) == "it is too long to be checked"
    assert len(mismatch(["x" * 10_000], {"items": {"type": "integer"}}) or "") < 400
