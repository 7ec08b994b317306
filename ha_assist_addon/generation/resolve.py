"""A model's call in the terms of the request: offered name, catalogue spelling, the types that the schema wants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..conversation import ToolCall
from ..home.entity import Entity, fold
from ..home.intents import PLATFORM, SWITCHES
from ..home.toolbox import Tool, Toolbox
from ..prompt.handles import Handles
from ..prompt.tools import READ_TOOL

_NUMBER = re.compile(r"\s*(-?\d+(?:[.,]\d+)?)\s*(?:%|°\s?[CF]?|percent|K)?\s*")


def resolve(call: ToolCall, toolbox: Toolbox, handles: Handles) -> ToolCall:
    """Replace ids by names and plain names by offered ones; what cannot be resolved stays as the model wrote it."""
    tool = toolbox.by_name.get(call.name) or toolbox.find(call.name) or _spelt_otherwise(call.name, toolbox)
    if tool is None:
        return call
    arguments = {key: value for key, value in call.arguments.items() if value not in (None, "", [], {})}
    if tool.plain in PLATFORM or tool.plain in SWITCHES or tool.plain == READ_TOOL:
        arguments = _with_targets(arguments, tool, handles)
    return ToolCall(call.id, tool.name, {key: _typed(value, tool, key) for key, value in arguments.items()})


def _spelt_otherwise(name: str, toolbox: Toolbox) -> Tool | None:
    """The one tool that differs in case, underscores or name spaces only: `hass_turn_on`, `functions.HassTurnOn`."""
    key = _squeezed(name.rsplit(".", 1)[-1].rsplit("__", 1)[-1])
    same = [tool for tool in toolbox.tools if _squeezed(tool.plain) == key]
    return same[0] if key and len(same) == 1 else None


def _squeezed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _with_targets(arguments: Mapping[str, Any], tool: Tool, handles: Handles) -> dict[str, Any]:
    found = dict(arguments)
    if isinstance(name := found.get("name"), str):
        entity = handles.entity(name) or _as_printed(name, handles) or _area_as_name(name, found, handles)
        if entity is not None:
            found["name"] = entity.name
            if handles.is_ambiguous(entity) and entity.area and "area" in tool.properties:
                found["area"] = entity.area
    if isinstance(area := found.get("area"), str) and (known := handles.area(area)) is not None:
        found["area"] = known.name
    if isinstance(floor := found.get("floor"), str):
        known_floor = handles.home.floor_by_name.get(fold(floor))
        found["floor"] = known_floor.name if known_floor is not None else floor
    domains = found.get("domain")
    if "domain" not in tool.properties and _within(domains, PLATFORM.get(tool.plain)):
        found.pop("domain", None)
    return found


def _as_printed(name: str, handles: Handles) -> Entity | None:
    """The entity whose names are listed, as the prompt prints them: `Office Ceiling Light, Luz de la oficina`."""
    listed = [part.strip() for part in name.split(",") if part.strip()]
    if len(listed) < 2:
        return None
    found = {id(e): e for part in listed for e in handles.home.by_name.get(fold(part), ())}
    bearing = [e for e in found.values() if {fold(n) for n in listed} <= {fold(n) for n in e.names}]
    return bearing[0] if len(bearing) == 1 else None


def _area_as_name(name: str, found: dict[str, Any], handles: Handles) -> Entity | None:
    """A model that puts an area's id or name where a device belongs means the area, where nothing bears that name."""
    area = handles.area(name)
    if area is not None and fold(name) not in handles.home.by_name and "area" not in found:
        del found["name"]
        found["area"] = area.name
    return None


def _within(value: Any, domains: frozenset[str] | None) -> bool:
    listed = [value] if isinstance(value, str) else value
    return isinstance(listed, list) and domains is not None and set(map(str, listed)) <= domains


def _typed(value: Any, tool: Tool, key: str) -> Any:
    """A value in the type that the schema wants, where that changes nothing: `"40%"` is 40."""
    types = tool.property_types(key)
    if isinstance(value, str) and types and "string" not in types:
        if types & {"integer", "number"} and (number := _NUMBER.fullmatch(value)):
            value = float(number[1].replace(",", "."))
        elif "array" in types:
            return [value]
        elif types == {"boolean"} and value.casefold() in ("true", "false"):
            return value.casefold() == "true"
    if isinstance(value, float) and value.is_integer() and "integer" in types:
        return int(value)
    if isinstance(value, list) and len(value) == 1 and types == {"string"}:
        return value[0]
    return value
