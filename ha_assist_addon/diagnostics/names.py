"""Which names a recorded request holds: those of its home, of its tools, and of what was said and called."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from ..errors import HaAssistError
from ..home.catalogue import Home, read_home
from ..home.entity import Entity
from ..home.live_context import read_live_context
from ..home.request_home import script_entity
from ..home.toolbox import Toolbox
from .bodies import as_chat, parsed
from .summary import Detail

_NAMING = {"name": "name", "area": "area", "preferred_area_id": "area", "floor": "floor", "preferred_floor_id": "floor"}
"""Slots and arguments that hold names, with the kind of name."""
_PLACES = frozenset({"person", "device_tracker"})
_AT_HOME = frozenset({"home", "not_home", "unknown", "unavailable", None})
_LISTS = frozenset({"targets", "target_candidates", "near", "members", "text"})
"""Fields of the metrics and of `ha_context` that hold names, one or several."""
_HOMES_KEPT = 4


Names = tuple[tuple[str, tuple[str, ...]], ...]
"""Things with their kind, their name and their aliases."""


class Collector(Protocol):
    """Whoever wants to know the names."""

    def add(self, kind: str, names: Iterable[str]) -> None:
        """A thing's name and aliases."""
        ...


class NameList:
    """Names to be kept."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, tuple[str, ...]], None] = {}

    def add(self, kind: str, names: Iterable[str]) -> None:
        """A thing's name and aliases."""
        if listed := tuple(name for name in names if name.strip()):
            self._found[kind, listed] = None

    def names(self) -> Names:
        """What was found, each thing once."""
        return tuple(self._found)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that a request tells of: those of its home, which many requests share, and those of its own."""

    home: Names = ()
    own: Names = ()


def names_of(request: bytes | None) -> KnownNames | None:
    """The names in a body as it came, to be kept beside its record; None where they cannot be known."""
    try:
        body = chat_of(parsed(request))
        if body is None:
            return None
        own = NameList()
        home = _home_names(_system_text(body), json.dumps({key: body.get(key) for key in ("tools", "ha_context")}))
        collect_own(own, body)
    except (HaAssistError, RecursionError):
        return None
    shared = set(home)
    return KnownNames(home, tuple(each for each in own.names() if each not in shared))


@lru_cache(maxsize=_HOMES_KEPT)
def _home_names(system: str, more: str) -> Names:
    """The names of a home; the next request nearly always has the same one, and a large one takes a while to read."""
    names = NameList()
    collect_home(names, json.loads(more), read_home(system))
    return names.names()


def chat_of(body: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The body as a chat request; None also for one that could not be read when it came."""
    try:
        return None if body is None else as_chat(body)
    except HaAssistError:
        return None


def collect(names: Collector, detail: Detail, home: Home) -> None:
    """Tell `names` of every name that is known to be one."""
    collect_home(names, detail.request, home)
    collect_own(names, detail.request)
    for kind, kept in detail.names or ():
        names.add(kind, kept)
    for kind, name in _named(detail.metrics):
        names.add(kind, (name,))
    for call in detail.calls:
        for kind, name in _named(call.get("arguments")):
            names.add(kind, (name,))


def collect_home(names: Collector, body: Mapping[str, Any] | None, home: Home) -> None:
    """What stays the same from request to request: the listed home and the tools that are named after things."""
    for area in home.areas:
        names.add("area", area.names)
    if home.satellite_floor:
        names.add("floor", (home.satellite_floor,))
    _add_entities(names, home.entities)
    _add_context(names, (body or {}).get("ha_context"))
    _add_entities(names, [script_entity(tool) for tool in Toolbox.read(functions_of(body)).tools if tool.is_script])
    for kind, listed in _listed(functions_of(body)):
        for name in listed:
            names.add(kind, (name,))


def collect_own(names: Collector, body: Mapping[str, Any] | None) -> None:
    """What Home Assistant answered to calls, and what was called."""
    for message in messages_of(body):
        if message.get("role") == "tool":
            _add_result(names, text_of(message))
        for call in message.get("tool_calls") or () if isinstance(message.get("tool_calls"), list) else ():
            for kind, name in _named(_arguments(call)):
                names.add(kind, (name,))


def _arguments(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    arguments = function.get("arguments") if isinstance(function, dict) else None
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return None


def _add_entities(names: Collector, entities: Sequence[Entity]) -> None:
    for entity in entities:
        names.add("area", entity.areas)
        names.add(entity.domain, entity.names)
        if entity.domain in _PLACES and entity.state not in _AT_HOME:
            names.add("place", (str(entity.state),))


def _add_context(names: Collector, context: Any) -> None:
    if not isinstance(context, dict):
        return
    for key, kind in (("areas", "area"), ("floors", "floor"), ("entities", "")):
        for thing in context.get(key) or () if isinstance(context.get(key), list) else ():
            if isinstance(thing, dict):
                aliases = thing.get("aliases")
                listed = [thing.get("name"), *(aliases if isinstance(aliases, list) else ())]
                names.add(kind or str(thing.get("domain")), [n for n in listed if isinstance(n, str)])
                state = thing.get("state")
                if str(thing.get("domain")) in _PLACES and isinstance(state, str) and state not in _AT_HOME:
                    names.add("place", (state,))
    for kind, name in _named(context):
        names.add(kind, (name,))


def _add_result(names: Collector, text: str) -> None:
    """The names in what Home Assistant answered to a call, in any of its envelopes."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        result = text
    for each in _texts(result):
        if "- " in each:
            _add_entities(names, read_live_context(f"\n{each}"))
    for kind, name in _named(result):
        names.add(kind, (name,))


def _named(value: Any) -> Iterator[tuple[str, str]]:
    """Names wherever a slot or an argument holds one, and in lists of targets."""
    if isinstance(value, Mapping):
        domain = value.get("domain") if isinstance(value.get("domain"), str) else value.get("type")
        for key, inner in value.items():
            if key in _NAMING and isinstance(inner, str):
                kind = _NAMING[key]
                yield (str(domain) if kind == "name" and isinstance(domain, str) else kind), inner
            elif key in _LISTS:
                listed = [inner] if isinstance(inner, str) else inner if isinstance(inner, (list, tuple)) else ()
                yield from (("name", each) for each in listed if isinstance(each, str))
            if key != "calls" or not isinstance(inner, (list, tuple)):
                yield from _named(inner)
            else:  # the name of a call is that of a tool
                for call in inner:
                    yield from _named(call.get("arguments") if isinstance(call, Mapping) else None)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _named(inner)


def _listed(functions: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Calendars and to-do lists, which the prompt may not list: the tools that read them do."""
    for tool in Toolbox.read(functions).tools:
        for argument, kind in (("calendar", "calendar"), ("todo_list", "todo")):
            schema = tool.properties.get(argument)
            choices = schema.get("enum") if isinstance(schema, Mapping) else None
            if isinstance(choices, list):
                yield kind, [choice for choice in choices if isinstance(choice, str)]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)


def functions_of(body: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The functions of the offered tools, as far as they are ones."""
    tools = (body or {}).get("tools")
    found = [t.get("function") for t in tools if isinstance(t, dict)] if isinstance(tools, list) else []
    return [f for f in found if isinstance(f, dict) and isinstance(f.get("name"), str)]


def home_of(body: Mapping[str, Any] | None) -> Home:
    """The home that a chat request's system text lists."""
    return read_home(_system_text(body))


def _system_text(body: Mapping[str, Any] | None) -> str:
    return "\n".join(text_of(m) for m in messages_of(body) if m.get("role") in ("system", "developer"))


def messages_of(body: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    """The messages of a chat request that nobody has checked."""
    found = (body or {}).get("messages")
    return [m for m in found if isinstance(m, dict)] if isinstance(found, list) else []


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message, its parts joined."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
