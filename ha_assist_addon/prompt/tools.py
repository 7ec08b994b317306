"""Tools as a model gets to see them: their own arguments made simple, their targets as the ids of the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..conversation import JsonObject
from ..home.intents import PLATFORM, SWITCHES
from ..home.toolbox import Tool
from .handles import Handles

READ_ONLY = frozenset(
    {"sensor", "binary_sensor", "weather", "person", "device_tracker", "zone", "sun", "calendar", "event", "image"}
)
"""Domains that nobody switches."""

READ_TOOL = "GetLiveContext"
MOST_NAMES = 8
"""Up to so many names a native tool lists them as the only values; more would cost more than they help."""

_LONGEST_DESCRIPTION = 100
_MOST_VALUES = 40
_DEEPEST = 3
_MOST_CALLS = 5


def target_names(tool: Tool, handles: Handles) -> tuple[str, ...] | None:
    """The ids that a tool's `name` can be, or None where its `name` is no device."""
    if tool.plain in PLATFORM:
        return tuple(handles.of_domains(PLATFORM[tool.plain]))
    if tool.plain in SWITCHES:
        return tuple(h for h, e in handles.entities.items() if e.domain not in READ_ONLY)
    return tuple(handles.entities) if tool.plain == READ_TOOL else None


def parameters(tool: Tool, handles: Handles) -> dict[str, Any]:
    """The arguments of a tool with simple schemas; what nobody could fill in is left out."""
    simple: dict[str, Any] = {}
    names = target_names(tool, handles)
    for key, schema in tool.properties.items():
        if names is None:
            simple[key] = _simple(schema)
        elif key == "name":
            if names:
                simple[key] = {"enum": list(names)}
        elif key == "area":
            if handles.areas:
                simple[key] = {"enum": list(handles.areas)}
        elif key == "floor":
            if handles.home.floors:
                simple[key] = {"enum": [floor.name for floor in handles.home.floors]}
        elif key == "domain":
            domains = sorted({handles.entities[name].domain for name in names})
            if len(domains) > 1 or (domains and tool.plain in SWITCHES):
                simple[key] = {"type": "array", "items": {"enum": domains}, "minItems": 1, "maxItems": len(domains)}
        elif key != "device_class":
            simple[key] = _simple(schema)
    return simple


def signature(tool: Tool, handles: Handles) -> str:
    """One line: `HassLightSet(name?, area?, brightness? 0-100): Sets the brightness …`."""
    names = target_names(tool, handles)
    said = [
        _argument(key, schema, required=key in tool.required, listed=names is not None and key in ("name", "area"))
        for key, schema in parameters(tool, handles).items()
    ]
    description = first_sentence(tool.description)
    return f"{tool.plain}({', '.join(said)})" + (f": {description}" if description else "")


def answer_schema(tools: Iterable[Tool], handles: Handles, *, parallel: bool, must_act: bool) -> JsonObject:
    """A JSON schema for either an answer or calls; only calls where the client demands one."""
    calls = [
        _close_schema(
            {"tool": {"const": tool.plain}, "args": _close_schema(parameters(tool, handles), _needed(tool, handles))}
        )
        for tool in tools
    ]
    acting = _close_schema(
        {
            "calls": {
                "type": "array",
                "items": {"anyOf": calls},
                "minItems": 1,
                "maxItems": _MOST_CALLS if parallel else 1,
            }
        }
    )
    if not calls:
        return _close_schema({"answer": {"type": "string"}})
    return acting if must_act else {"anyOf": [_close_schema({"answer": {"type": "string"}}), acting]}


def native_tools(tools: Iterable[Tool], handles: Handles) -> tuple[JsonObject, ...]:
    """Function objects for a server that takes tools itself: by their offered names, with the devices' own names."""
    return tuple(
        {
            "name": tool.name,
            "description": first_sentence(tool.description),
            "parameters": _close_schema(
                {key: _spelt_out(key, schema, handles) for key, schema in parameters(tool, handles).items()},
                _needed(tool, handles),
            ),
        }
        for tool in tools
    )


def first_sentence(text: str) -> str:
    """The first sentence of a description, cut at a word where it is long."""
    sentence = re.split(r"(?<=[.!?])\s|\n", " ".join(text.split()), maxsplit=1)[0].rstrip(".")
    if len(sentence) <= _LONGEST_DESCRIPTION:
        return sentence
    return f"{sentence[:_LONGEST_DESCRIPTION].rsplit(' ', 1)[0]} …"


def _spelt_out(key: str, schema: Any, handles: Handles) -> Any:
    values = schema.get("enum")
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        return schema
    if key == "name" and set(values) <= set(handles.entities):
        names = dict.fromkeys(handles.entities[handle].name for handle in values)
        return {"type": "string", "enum": list(names)} if len(names) <= MOST_NAMES else {"type": "string"}
    if key == "area" and set(values) <= set(handles.areas):
        return {"type": "string", "enum": [handles.areas[handle].name for handle in values]}
    return schema


def _needed(tool: Tool, handles: Handles) -> list[str]:
    known = parameters(tool, handles)
    return [key for key in tool.required if key in known]


def _close_schema(properties: Mapping[str, Any], required: Sequence[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties) if required is None else list(required),
        "additionalProperties": False,
    }


def _argument(key: str, schema: Mapping[str, Any], *, required: bool, listed: bool) -> str:
    values = ""
    if not listed:
        choice = schema.get("enum") or (schema.get("items") or {}).get("enum")
        low, high = schema.get("minimum"), schema.get("maximum")
        if choice:
            values = " " + "|".join(value if isinstance(value, str) else json.dumps(value) for value in choice[:12])
        elif low is not None and high is not None:
            values = f" {low}-{high}"
    return f"{key}{'' if required else '?'}{values}"


def _simple(schema: Any, depth: int = 0) -> dict[str, Any]:
    """A schema without descriptions, defaults and the combinations that constrained decoding does not know."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return {}
    parts = schema.get("allOf")
    if isinstance(parts, list):
        merged: dict[str, Any] = {}
        for part in parts:
            merged = {**_simple(part, depth + 1), **merged}
        return merged
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list) and options:
            return {"anyOf": [_simple(option, depth + 1) for option in options[:_MOST_CALLS]]}
    kept = {key: schema[key] for key in ("type", "minimum", "maximum", "const") if key in schema}
    values = schema.get("enum")
    if isinstance(values, list) and 0 < len(values) <= _MOST_VALUES:
        return {"enum": values}
    if isinstance(schema.get("items"), dict):
        kept["items"] = _simple(schema["items"], depth + 1)
    if isinstance(schema.get("properties"), dict):
        kept["properties"] = {key: _simple(value, depth + 1) for key, value in schema["properties"].items()}
        required = schema.get("required")
        known = required if isinstance(required, list) else []
        kept["required"] = [key for key in known if isinstance(key, str) and key in kept["properties"]]
    return kept
