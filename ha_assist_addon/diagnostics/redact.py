"""Takes names and secrets out of what a person shows to others; the same name always becomes the same pseudonym."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import HaAssistError
from ..examples import system_prompt
from ..home.catalogue import Home
from ..home.toolbox import Toolbox
from ..pipeline.context import script_entity
from .bodies import as_chat
from .names import collect, functions_of, home_of, messages_of
from .pseudonyms import DOMAINS, Pseudonyms
from .summary import Detail
from .trace import Exchange

REMOVED = "[removed]"
_CODES = frozenset(
    {
        *("accepted", "action", "device_class", "domain", "exact", "finish_reason", "intent", "kind", "language"),
        *("model", "owned_by", "policy", "reason", "role", "route", "slot", "stage", "status", "tool_call_id", "type"),
        *("verdict", "verification", "requested_model", "backend_model"),
    }
)
"""Keys whose values are words of ours or of Home Assistant, which a name may equal by chance."""
_SCHEMA_WORDS = frozenset({"type", "required", "format", "pattern"})
_DROPPED = frozenset({"attributes", "user", "metadata", "safety_identifier", "prompt_cache_key", "timezone"})


def redact(detail: Detail) -> Detail:
    """The same request with invented names: `Light 1`, `Area 2`, `Person 1`; keys and tokens are gone.

    What the instructions of the home's owner say is left out; the list of the home is written anew.
    """
    names = Pseudonyms()
    detail = replace(detail, request=_chat(detail.request))
    home = home_of(detail.request)
    collect(names, detail, home)
    summary = detail.summary
    return replace(
        detail,
        summary=replace(
            summary,
            conversation=None,
            sentence=_named(summary.sentence, names),
            reply=_named(summary.reply, names),
            why=_named(summary.why, names),
            target=_named(summary.target, names),
            area=_named(summary.area, names),
        ),
        metrics=_walked(detail.metrics, names),
        server_said=names.text(detail.server_said),
        calls=tuple(
            {"name": _tool_name(str(call["name"]), names), "arguments": _walked(call["arguments"], names)}
            for call in detail.calls
        ),
        request=None if detail.request is None else _request(detail.request, home, names),
        exchange=None if detail.exchange is None else _exchange(detail.exchange, names),
    )


def _chat(body: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """None also for a body that could not be read when it came."""
    try:
        return None if body is None else as_chat(body)
    except HaAssistError:
        return None


def _named(text: str | None, names: Pseudonyms) -> str | None:
    return None if text is None else names.name(text)


def _walked(value: Any, names: Pseudonyms) -> Any:
    if isinstance(value, str):
        return names.name(value)
    if isinstance(value, Mapping):
        return {
            key: inner if key in _CODES and _is_code(inner) else _walked(inner, names)
            for key, inner in value.items()
            if key not in _DROPPED
        }
    if isinstance(value, (list, tuple)):
        return [_walked(inner, names) for inner in value]
    return value


def _is_code(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value))


def _request(body: Mapping[str, Any], home: Home, names: Pseudonyms) -> dict[str, Any]:
    said = [_message(m, names) for m in messages_of(body) if m.get("role") not in ("system", "developer")]
    system = [{"role": "system", "content": system_prompt(_home(home, names))}] if home.entities else []
    redacted: dict[str, Any] = {
        key: _walked(value, names) for key, value in body.items() if key not in {"messages", "tools", *_DROPPED}
    }
    redacted["messages"] = [*system, *said]
    if functions := functions_of(body):
        redacted["tools"] = [{"type": "function", "function": _function(f, names)} for f in functions]
    return redacted


def _home(home: Home, names: Pseudonyms) -> dict[str, Any]:
    floor = home.satellite_floor
    return {
        "satellite": {
            "area": names.name(home.satellite_area) if home.satellite_area else None,
            "floor": names.name(floor) if floor else None,
        },
        "entities": [
            {
                "names": [names.name(name) for name in entity.names],
                "domain": entity.domain,
                "areas": [names.name(area) for area in entity.areas],
            }
            for entity in home.entities
        ],
    }


def _message(message: Mapping[str, Any], names: Pseudonyms) -> dict[str, Any]:
    redacted = {**message, "content": _content(message.get("content"), names)}
    redacted.pop("name", None)
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        redacted["tool_calls"] = [_tool_call(call, names) for call in calls if isinstance(call, dict)]
    return redacted


def _content(content: Any, names: Pseudonyms) -> Any:
    if isinstance(content, list):
        return [
            {"type": "text", "text": names.text(str(part.get("text") or ""))}
            for part in content
            if isinstance(part, dict) and "text" in part
        ]
    return _text(content, names) if isinstance(content, str) else None


def _text(content: str, names: Pseudonyms) -> str:
    """A text; in one that is JSON, as results of tools are, names may be written with escapes."""
    if content.lstrip().startswith(("{", "[")):
        try:
            return json.dumps(_walked(json.loads(content), names), ensure_ascii=False)
        except (ValueError, RecursionError):
            pass
    return names.text(content)


def _tool_call(call: Mapping[str, Any], names: Pseudonyms) -> dict[str, Any]:
    function = call.get("function") if isinstance(call.get("function"), dict) else {}
    arguments = function.get("arguments") if isinstance(function, dict) else None
    try:
        parsed = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        parsed = {}
    offered = str(function.get("name") or "") if isinstance(function, dict) else ""
    return {
        "id": call.get("id"),
        "type": "function",
        "function": {
            "name": _tool_name(offered, names),
            "arguments": json.dumps(_walked(parsed, names), ensure_ascii=False),
        },
    }


def _function(function: Mapping[str, Any], names: Pseudonyms) -> dict[str, Any]:
    (tool,) = Toolbox.read([function]).tools
    parameters = _schema(function.get("parameters"), names)
    if not tool.is_script:
        return {**function, "description": _schema(function.get("description"), names), "parameters": parameters}
    aliases = [names.name(name) for name in script_entity(tool).names]
    return {"name": _tool_name(tool.name, names), "description": f"Aliases: {aliases}", "parameters": parameters}


def _schema(value: Any, names: Pseudonyms) -> Any:
    """A schema works as before; names in its texts and among its choices are replaced."""
    if isinstance(value, Mapping):
        return {key: inner if key in _SCHEMA_WORDS else _schema(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_schema(inner, names) for inner in value]
    return names.name(value) if isinstance(value, str) and value not in DOMAINS else value


def _tool_name(name: str, names: Pseudonyms) -> str:
    """A script's tool is named after it; the name spaces stay."""
    *spaces, plain = name.split("__")
    spoken = plain.replace("_", " ")
    invented = names.name(spoken)
    return name if invented == spoken else "__".join([*spaces, invented.replace(" ", "_").lower()])


def _exchange(exchange: Exchange, names: Pseudonyms) -> Exchange:
    """Without the system text, which repeats the owner's instructions."""
    prompt = [_message(m, names) for m in exchange.prompt if m.get("role") not in ("system", "developer")]
    return Exchange([{"role": "system", "content": REMOVED}, *prompt], names.text(exchange.answer))
