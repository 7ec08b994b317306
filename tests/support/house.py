"""Builds what Home Assistant would send: a home as its prompt lists it, the tools it offers, and a whole request.

Also runs a request through the pipeline without HTTP and gathers what came out.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.conversation import CallEvent, Finish, ReplyEvent, TextDelta
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.examples import example_tools
from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.pipeline.run import run
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.wire.chat import parse_chat

Version = Literal["2026.2", "2026.8", "2026.11"]
VERSIONS: tuple[Version, ...] = ("2026.2", "2026.8", "2026.11")

READS = frozenset(
    {"GetLiveContext", "GetDateTime", "todo_get_items", "calendar_get_events", "HassTimerStatus", "search_media"}
)
"""Plain names of tools that change nothing."""

_INTRODUCTION = "You are a voice assistant for Home Assistant.\nAnswer questions about the world truthfully."
_LIVE = (
    "You ARE equipped to answer questions about the current state of\nthe home by retrieving live context.\n"
    "For general knowledge questions not about the home: Answer truthfully from internal knowledge.\n"
)
_HEADING = "Static Context: An overview of the areas and the devices in this smart home:"
_CONTROL = (
    "When controlling Home Assistant always call the intent tools. "
    "Use {0}HassTurnOn to lock and {0}HassTurnOff to unlock a lock. "
    "When controlling a device, prefer passing just name and domain. "
    "When controlling an area, prefer passing just area name and domain."
)
_HERE = "commands like 'turn on the lights' should target this area."
_ANYWHERE = (
    "When a user asks to turn on all devices of a specific type, ask the user to specify an area, unless there is only "
    "one device of that type."
)
_NO_TIMERS = "This device is not able to start timers."
_TIMER_TOOLS = frozenset(
    {
        "HassStartTimer",
        "HassCancelTimer",
        "HassIncreaseTimer",
        "HassDecreaseTimer",
        "HassPauseTimer",
        "HassUnpauseTimer",
        "HassTimerStatus",
    }
)
_NEEDS = {
    "HassSetPosition": {"cover", "valve"},
    "HassStopMoving": {"cover", "valve"},
    "HassBroadcast": {"assist_satellite"},
}
_PLATFORMS = frozenset(
    {"calendar", "climate", "fan", "humidifier", "lawn_mower", "light", "media_player", "todo", "vacuum"}
)
_LATER = frozenset({"HassListRemoveItem", "HassVacuumCleanArea"})
_MEDIA_SEARCH: dict[str, Any] = {
    "name": "HassMediaSearchAndPlay",
    "description": "Searches for media and plays the first result",
    "parameters": {
        "type": "object",
        "properties": {key: {"type": "string"} for key in ("search_query", "media_class", "name", "area", "floor")},
        "required": ["search_query"],
    },
}


@dataclass(frozen=True, slots=True)
class Thing:
    """One exposed entity; `names` is the friendly name and the aliases, `areas` the area and its aliases."""

    names: tuple[str, ...]
    domain: str
    areas: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The friendly name."""
        return self.names[0]


def thing(names: str, domain: str, areas: str = "") -> Thing:
    """`thing("Floor Lamp, Reading Lamp", "light", "Living Room, Lounge")`."""
    return Thing(tuple(names.split(", ")), domain, tuple(areas.split(", ")) if areas else ())


@dataclass(frozen=True, slots=True)
class House:
    """A home, where the person stands in it, and which Home Assistant speaks for it."""

    things: tuple[Thing, ...] = ()
    satellite: str | None = None
    floor: str | None = None
    version: Version = "2026.11"
    timers: bool | None = None
    extra_tools: tuple[Mapping[str, Any], ...] = ()

    @property
    def can_time(self) -> bool:
        """Satellites can run timers unless told otherwise."""
        return self.timers if self.timers is not None else self.satellite is not None


def overview(things: Iterable[Thing]) -> str:
    """The YAML list as Home Assistant dumps it (`util.yaml.dump`): sorted by name, folded at 80 columns."""
    items = [
        {"names": ", ".join(t.names), "domain": t.domain, **({"areas": ", ".join(t.areas)} if t.areas else {})}
        for t in sorted(things, key=lambda t: t.name)
    ]
    return yaml.dump(items, default_flow_style=False, allow_unicode=True, sort_keys=False, Dumper=yaml.SafeDumper)


def prompt(house: House) -> str:
    """The system text in the order of the version."""
    if house.satellite:
        floor = f" (floor {house.floor})" if house.floor else ""
        place = f"You are in area {house.satellite}{floor} and all generic {_HERE}"
    else:
        place = _ANYWHERE
    prefix = "intent__" if house.version == "2026.11" else ""
    control = [_CONTROL.format(prefix), place, *([] if house.can_time else [_NO_TIMERS])]
    listed = [_LIVE, _HEADING, overview(house.things)]
    parts = [*control, *listed] if house.version == "2026.2" else [*listed, *control]
    return "\n".join([_INTRODUCTION, *parts])


@cache
def _table(version: Version) -> tuple[Mapping[str, Any], ...]:
    offered = [tool for tool in example_tools() if not tool["name"].startswith("script__")]
    if version == "2026.11":
        return tuple(offered)
    older = []
    for tool in copy.deepcopy(offered):
        tool["name"] = plain_name(tool["name"])
        if tool["name"] in {"search_media", "play_media"} or (version == "2026.2" and tool["name"] in _LATER):
            continue
        if version == "2026.2" and tool["name"] == "GetLiveContext":
            tool["parameters"] = {"type": "object", "properties": {}, "required": []}
        older.append(tool)
    return (*older, _MEDIA_SEARCH)


def _platform(name: str, plain: str) -> set[str]:
    needed = _NEEDS.get(plain)
    if needed is not None:
        return needed
    space = name.split("__", maxsplit=1)[0]
    return {space} if space in _PLATFORMS else set()


@cache
def _platform_of() -> Mapping[str, set[str]]:
    found = {plain_name(t["name"]): _platform(t["name"], plain_name(t["name"])) for t in _table("2026.11")}
    return {**found, "HassMediaSearchAndPlay": {"media_player"}}


def tools(house: House) -> list[Mapping[str, Any]]:
    """The function objects that Home Assistant offers for the domains of this home."""
    domains = {t.domain for t in house.things}
    offered: list[Mapping[str, Any]] = []
    for tool in _table(house.version):
        plain = plain_name(tool["name"])
        needed = _platform_of()[plain]
        if (needed and not needed & domains) or (plain in _TIMER_TOOLS and not house.can_time):
            continue
        offered.append(_with_lists(tool, plain, house.things))
    return [*offered, *house.extra_tools]


def _with_lists(tool: Mapping[str, Any], plain: str, things: Sequence[Thing]) -> Mapping[str, Any]:
    argument, domain = {"todo_get_items": ("todo_list", "todo"), "calendar_get_events": ("calendar", "calendar")}.get(
        plain, ("", "")
    )
    if not argument:
        return tool
    changed = copy.deepcopy(dict(tool))
    changed["parameters"]["properties"][argument]["enum"] = [t.name for t in things if t.domain == domain]
    return changed


def body(house: House, *messages: str | Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A whole request; a bare string is a sentence of the person."""
    said = [{"role": "user", "content": m} if isinstance(m, str) else dict(m) for m in messages]
    return {
        "model": "HA-Assist",
        "messages": [{"role": "system", "content": prompt(house)}, *said],
        "tools": [{"type": "function", "function": tool} for tool in tools(house)],
        **more,
    }


def called(name: str, arguments: Mapping[str, Any], identity: str = "call_1") -> dict[str, Any]:
    """An assistant message with one call."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": identity, "type": "function", "function": function}],
    }


def result(content: Any, identity: str = "call_1") -> dict[str, Any]:
    """What Home Assistant says of a call; text is passed as it is."""
    return {
        "role": "tool",
        "tool_call_id": identity,
        "content": content if isinstance(content, str) else json.dumps(content),
    }


def done(*names: str, failed: Sequence[str] = ()) -> dict[str, Any]:
    """The result of an action, raw."""
    entity = [{"name": n, "type": "entity", "id": f"light.{n.lower().replace(' ', '_')}"} for n in (*names, *failed)]
    return {
        "speech": {},
        "response_type": "action_done",
        "data": {"success": entity[: len(names)], "failed": entity[len(names) :]},
    }


@dataclass(slots=True)
class Decision:
    """What the pipeline answered."""

    events: list[ReplyEvent] = field(default_factory=list)
    trace: Trace = field(default_factory=lambda: Trace("HA-Assist"))

    @property
    def text(self) -> str:
        """All text."""
        return "".join(e.text for e in self.events if isinstance(e, TextDelta))

    @property
    def calls(self) -> list[tuple[str, dict[str, Any]]]:
        """Calls by their offered name."""
        return [(e.call.name, dict(e.call.arguments)) for e in self.events if isinstance(e, CallEvent)]

    @property
    def actions(self) -> list[tuple[str, dict[str, Any]]]:
        """Calls that change something, by their plain name."""
        return [(plain_name(n), a) for n, a in self.calls if plain_name(n) not in READS]

    @property
    def finishes(self) -> list[Finish]:
        """Should be exactly one, the last event."""
        return [e for e in self.events if isinstance(e, Finish)]


class Pipeline:
    """The pipeline without HTTP and without a language model; `languages` are those that are enabled.

    It reads the state as often as `verify` says after an action, and waits for nothing.
    """

    def __init__(self, data_dir: Path, *languages: str, verify: int = 2) -> None:
        environ = {
            "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_DELAY": "0",
            "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_ATTEMPTS": str(verify),
        }
        if languages:
            environ["HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES"] = ",".join(languages)
        store = SettingsStore(data_dir, environ=environ)
        self.services = Services(store, GrammarLibrary(), BackendRegistry(store), TraceStore())

    def decide(self, request: Mapping[str, Any]) -> Decision:
        """Run one request."""
        return asyncio.run(self.decide_async(request))

    async def decide_async(self, request: Mapping[str, Any]) -> Decision:
        """As `decide`, within a running loop."""
        decision = Decision()
        parsed = parse_chat(dict(request)).chat
        async for event in run(parsed, self.services, decision.trace):
            decision.events.append(event)
        return decision

    def say(self, house: House, *messages: str | Mapping[str, Any], **more: Any) -> Decision:
        """Build a request and run it."""
        return self.decide(body(house, *messages, **more))
