"""JSON schemas as LiteRT's constrained decoding takes them."""

from __future__ import annotations

from typing import Any

from ...conversation import JsonObject

MARK = "\u2581"
"""How SentencePiece writes a space inside its pieces.

LiteRT gives these raw pieces to its grammar (google-ai-edge/LiteRT-LM#3510): a grammar that wants a space is never
satisfied, one that wants the mark is, and the answer then holds a space. A free string takes the mark like any letter.
"""
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions"})


def constraint(schema: JsonObject, *, marked: bool) -> dict[str, Any]:
    """The schema for compact JSON; with `marked`, spaces in names and fixed values become marks."""
    shaped = _marked(dict(schema)) if marked else dict(schema)
    # White space between the parts is where a small model never stops, and a space cannot be written there.
    return shaped | {"x-guidance": {"whitespace_flexible": False}}


def _marked(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_marked(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    shaped: dict[str, Any] = {}
    for key, value in schema.items():
        if key in {"enum", "const", "required"}:
            shaped[key] = _replace(value)
        elif key in _NAMED and isinstance(value, dict):
            mark = key == "properties"
            shaped[key] = {_replace(name) if mark else name: _marked(part) for name, part in value.items()}
        else:
            shaped[key] = _replace(value) if key == "pattern" else _marked(value)
    return shaped


def _replace(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(" ", MARK)
    if isinstance(value, list):
        return [_replace(item) for item in value]
    if isinstance(value, dict):
        return {_replace(key): _replace(item) for key, item in value.items()}
    return value
