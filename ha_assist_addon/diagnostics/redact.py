"""Takes names and secrets out of what a person shows to others; the same name always becomes the same pseudonym."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..examples import system_prompt
from ..home.catalogue import Home
from ..home.request_home import script_entity
from ..home.toolbox import Toolbox, plain_name
from ..trace.trace import Exchange
from .keep import FACTS
from .known_words import known_identifiers, known_words
from .names import chat_of, collect, functions_of, home_of, messages_of
from .pseudonyms import DOMAINS, Pseudonyms
from .summary import Detail

REMOVED = "[removed]"
_CODES = frozenset(
    {
        *("accepted", "device_class", "domain", "finish_reason", "kind", "language"),
        *("model", "owned_by", "policy", "reason", "role", "route", "slot", "stage", "status", "tool_call_id", "type"),
        *("verdict", "verification", "requested_model", "backend_model"),
    }
)
"""Keys whose values are words of ours or of Home Assistant, which a name may equal by chance."""
_INTENTS = frozenset({"action", "exact", "intent"})
_FIELD = re.compile(r"[a-z][a-z0-9_]*|ha_\w+")
_SLOT = re.compile(r"<[^>]*>|\{[^}]*\}")
UNKNOWN_NAMES = (
    "The names of the home were not kept with this request, so nothing that was said can be exported safely."
)
_SCHEMA_WORDS = frozenset({"type", "required", "format", "pattern"})
_DROPPED = frozenset({"attributes", "user", "metadata", "safety_identifier", "prompt_cache_key", "timezone"})


def redact(detail: Detail) -> Detail:
    """The same request with invented names: `Light 1`, `Area 2`, `Person 1`; keys and tokens are gone.

    What the instructions of the home's owner say is left out; the list of the home is written anew.
    """
    detail = replace(detail, request=chat_of(detail.request))
    if detail.request is None and detail.names is None:
        return _without_texts(detail)
    names = Pseudonyms(known_words(detail.summary.language))
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
            intent=_identifier(summary.intent, names),
        ),
        names=None,
        metrics=_walked(detail.metrics, names),
        server_said=names.text(detail.server_said),
        calls=tuple(
            {"name": _identifier(str(call["name"]), names), "arguments": _walked(call["arguments"], names)}
            for call in detail.calls
        ),
        request=None if detail.request is None else _request(detail.request, home, names),
        exchange=None if detail.exchange is None else _exchange(detail.exchange, names),
    )


def _without_texts(detail: Detail) -> Detail:
    """What can be told where nobody knows which of the words are names: times, routes and results."""
    summary = detail.summary
    facts = {name: detail.metrics[name] for name in FACTS if name in detail.metrics}
    if "ha_route" in facts:
        facts["ha_route"] = {**facts["ha_route"], "why": UNKNOWN_NAMES}
    return replace(
        detail,
        summary=replace(
            summary,
            conversation=None,
            sentence=None,
            reply=None,
            why=UNKNOWN_NAMES,
            target=None,
            area=None,
            intent=_identifier(summary.intent, Pseudonyms(frozenset())),
        ),
        metrics=facts,
        server_said="",
        calls=(),
        request=None,
        exchange=None,
    )


def _named(text: str | None, names: Pseudonyms) -> str | None:
    return None if text is None else names.name(text)


def _identifier(name: str | None, names: Pseudonyms) -> str | None:
    """The name of an intent or a tool; one that not every home has is somebody's own."""
    return name if name is None or plain_name(name) in known_identifiers() else _tool_name(name, names)


def _walked(value: Any, names: Pseudonyms, *, theirs: bool = False) -> Any:
    """`theirs` says that the fields too were named by whoever wrote the value, as in the result of a script."""
    if isinstance(value, str):
        return value if plain_name(value) in known_identifiers() else names.name(value)
    if isinstance(value, Mapping):
        return {
            _key(key, names, theirs): _value(key, inner, names, theirs)
            for key, inner in value.items()
            if key not in _DROPPED
        }
    if isinstance(value, (list, tuple)):
        return [_walked(inner, names, theirs=theirs) for inner in value]
    return value


def _key(key: Any, names: Pseudonyms, theirs: bool) -> Any:
    """A field's name; in what a home tells it may be a thing's."""
    if not isinstance(key, str) or (_FIELD.fullmatch(key) and not theirs):
        return key
    spoken = key.replace("_", " ")
    return key if names.name(spoken) == spoken else names.name(spoken)


def _value(key: Any, value: Any, names: Pseudonyms, theirs: bool) -> Any:
    if key in _INTENTS and isinstance(value, str):
        return _identifier(value, names)
    if key == "template" and isinstance(value, str):
        # Where it is one of ours or of Home Assistant's, all its words are known.
        return value if names.text(_SLOT.sub(" ", value)) == _SLOT.sub(" ", value) else REMOVED
    if key in _CODES and not theirs and _is_code(value):
        return value
    return _walked(value, names, theirs=theirs)


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
            return json.dumps(_walked(json.loads(content), names, theirs=True), ensure_ascii=False)
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
            "name": _identifier(offered, names),
            "arguments": json.dumps(_walked(parsed, names), ensure_ascii=False),
        },
    }


def _function(function: Mapping[str, Any], names: Pseudonyms) -> dict[str, Any]:
    (tool,) = Toolbox.read([function]).tools
    # What Home Assistant itself says of its tools is prose of many words; what others say may name anybody.
    say = names.ours if not tool.is_script and tool.plain in known_identifiers() else names.name
    parameters = _schema(function.get("parameters"), say)
    if not tool.is_script:
        described = _schema(function.get("description"), say)
        return {**function, "name": _identifier(tool.name, names), "description": described, "parameters": parameters}
    aliases = [names.name(name) for name in script_entity(tool).names]
    return {"name": _tool_name(tool.name, names), "description": f"Aliases: {aliases}", "parameters": parameters}


def _schema(value: Any, say: Callable[[str], str]) -> Any:
    """A schema works as before; names in its texts and among its choices are replaced."""
    if isinstance(value, Mapping):
        return {key: inner if key in _SCHEMA_WORDS else _schema(inner, say) for key, inner in value.items()}
    if isinstance(value, list):
        return [_schema(inner, say) for inner in value]
    return say(value) if isinstance(value, str) and value not in DOMAINS else value


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
