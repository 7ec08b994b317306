"""Home Assistant's schemas as JSON schema: of tools, and of the data that a task asks for."""

from collections.abc import Callable
from typing import Any

import voluptuous as vol

from homeassistant.helpers import llm

try:
    from probatio import to_openapi
except ImportError:  # Home Assistant before 2026.9
    from voluptuous_openapi import convert

    def _json_schema(schema: vol.Schema, serializer: Callable[[Any], Any] | None) -> dict[str, Any]:
        converted: dict[str, Any] = convert(schema, custom_serializer=serializer)
        return converted
else:

    def _json_schema(schema: vol.Schema, serializer: Callable[[Any], Any] | None) -> dict[str, Any]:
        converted: dict[str, Any] = to_openapi(schema, custom_serializer=serializer, openapi_version="3.1.0")
        return converted


def tool_of(tool: llm.Tool, serializer: Callable[[Any], Any] | None) -> dict[str, Any]:
    """A tool as it is offered to HA-Assist."""
    function: dict[str, Any] = {"name": tool.name, "parameters": _json_schema(tool.parameters, serializer)}
    if tool.description:
        function["description"] = tool.description
    return {"type": "function", "function": function}


def response_format(name: str, structure: vol.Schema, api: llm.APIInstance | None) -> dict[str, Any]:
    """The form of an answer that is data."""
    serializer = (api and api.custom_serializer) or llm.selector_serializer
    schema = closed(_json_schema(structure, serializer))
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The strict form of a schema: nothing beside the fields, each of them there, the optional ones perhaps null."""
    result = dict(schema)
    if isinstance(result.get("items"), dict):
        result["items"] = closed(result["items"])
    if properties := result.get("properties"):
        required = result.get("required", [])
        result["properties"] = {
            name: closed(value) if name in required else _nullable(closed(value)) for name, value in properties.items()
        }
        result["required"] = list(properties)
        result["additionalProperties"] = False
    return result


def without_nulls(data: Any) -> Any:
    """Data without the fields that are null, which are those that were left out."""
    if isinstance(data, dict):
        return {name: without_nulls(value) for name, value in data.items() if value is not None}
    return [without_nulls(value) for value in data] if isinstance(data, list) else data


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if not isinstance(kind, str):
        return {"anyOf": [schema, {"type": "null"}]}
    values = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [kind, "null"], **values}
