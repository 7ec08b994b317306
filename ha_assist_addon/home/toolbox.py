"""The tools that a request offers: found by their plain name, called by their offered name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..conversation import JsonObject
from ..json_schema import UnusableSchema, mismatch

_RENAMED = {"get_items": "todo_get_items", "get_events": "calendar_get_events"}
"""Tools that lost a part of their name when Home Assistant 2026.9 moved it into the name space."""


CONTRIBUTED = "ha_assist__"
"""How the names of the tools begin that our own integration adds to Home Assistant's."""

READS = frozenset({"GetLiveContext", "GetDateTime", "todo_get_items", "calendar_get_events", "HassTimerStatus"})
"""Home Assistant's own tools that change nothing."""

KNOWN = frozenset(
    {
        "HassTurnOn", "HassTurnOff", "HassToggle", "HassSetPosition", "HassStopMoving", "HassOpenCover",
        "HassCloseCover", "HassLightSet", "HassFanSetSpeed", "HassClimateSetTemperature", "HassClimateGetTemperature",
        "HassHumidifierSetpoint", "HassHumidifierMode", "HassVacuumStart", "HassVacuumReturnToBase",
        "HassVacuumCleanArea", "HassLawnMowerStartMowing", "HassLawnMowerDock",
        "HassStartTimer", "HassCancelTimer", "HassCancelAllTimers", "HassIncreaseTimer", "HassDecreaseTimer",
        "HassPauseTimer", "HassUnpauseTimer", "HassTimerStatus",
        "HassListAddItem", "HassListCompleteItem", "HassListRemoveItem", "HassShoppingListAddItem",
        "HassShoppingListCompleteItem", "HassShoppingListLastItems",
        "HassMediaPause", "HassMediaUnpause", "HassMediaNext", "HassMediaPrevious", "HassMediaPlayerMute",
        "HassMediaPlayerUnmute", "HassMediaSearchAndPlay", "HassSetVolume", "HassSetVolumeRelative",
        "HassBroadcast", "HassGetState", "HassGetWeather", "HassGetCurrentDate", "HassGetCurrentTime",
        "HassNevermind", "HassRespond", "play_media", "search_media",
    }
)  # fmt: skip
"""Home Assistant's own tools of which we know what they do; a name that merely begins with `Hass` is none of them."""

_FIRST_WORD = re.compile(r"[_\W]|(?<=[a-z])(?=[A-Z])")
_READING = frozenset(
    {
        "get",
        "list",
        "search",
        "find",
        "read",
        "query",
        "fetch",
        "lookup",
        "look",
        "check",
        "show",
        "describe",
        "calculate",
    }
)
"""First words by which tools of other integrations say that they only look something up."""


def plain_name(offered: str) -> str:
    """The name of a tool without name spaces: `assist__intent__HassTurnOn` is `HassTurnOn`."""
    last = offered.rsplit("__", 1)[-1]
    return _RENAMED.get(last, last)


@dataclass(frozen=True, slots=True)
class Tool:
    """One offered tool."""

    name: str
    plain: str
    description: str
    schema: JsonObject

    @property
    def properties(self) -> Mapping[str, Any]:
        """The arguments that the tool takes; empty where the schema does not say."""
        properties = self.schema.get("properties")
        return properties if isinstance(properties, dict) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """Arguments without which the tool cannot be called."""
        required = self.schema.get("required")
        return tuple(r for r in required if isinstance(r, str)) if isinstance(required, list) else ()

    @property
    def is_script(self) -> bool:
        """Whether this is one of the person's scripts: 2026.9 and later say so, earlier their names are lower case."""
        if "__" in self.name:
            return "script" in self.name.split("__")[:-1]
        return self.name.islower() and self.name not in _RENAMED.values()

    @property
    def only_reads(self) -> bool:
        """Whether a tool changes nothing: one of Home Assistant's own that reads, or another whose name says so.

        Without a name space it may be a script: `get_ready_for_bed` is no question.
        """
        if self.plain in READS:
            return True
        if "__" not in self.name or self.is_script:
            return False
        return _FIRST_WORD.split(self.plain, maxsplit=1)[0].casefold() in _READING

    def property_types(self, name: str) -> frozenset[str]:
        """All JSON types that one argument may have, looked for in `allOf`, `anyOf` and `oneOf` too."""
        return frozenset(_types(self.properties.get(name)))

    def problem(self, arguments: JsonObject) -> str | None:
        """Why the offered schema refuses these arguments, or None where it takes them."""
        unknown = [key for key in arguments if key not in self.properties]
        if unknown and self.properties:
            return f"{self.plain} takes no {unknown[0]}"
        try:
            return mismatch(dict(arguments), self.schema)
        except UnusableSchema as error:
            return f"the schema of {self.plain} cannot be used ({error})"


def _types(schema: Any) -> Iterable[str]:
    if not isinstance(schema, dict):
        return
    kind = schema.get("type")
    if isinstance(kind, str):
        yield kind
    elif isinstance(kind, list):
        yield from (k for k in kind if isinstance(k, str))
    for key in ("allOf", "anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list):
            for option in options:
                yield from _types(option)


@dataclass(frozen=True, slots=True)
class Toolbox:
    """All tools of a request."""

    tools: tuple[Tool, ...]
    by_plain: Mapping[str, Tool]
    by_name: Mapping[str, Tool]

    @classmethod
    def read(cls, functions: Iterable[JsonObject]) -> Toolbox:
        """Read function objects; one without a usable name is left out, a schema that is no object is empty."""
        tools = tuple(tool for function in functions if (tool := _tool(function)) is not None)
        by_plain: dict[str, Tool] = {}
        for tool in tools:
            by_plain.setdefault(tool.plain, tool)
        return cls(tools, by_plain, {tool.name: tool for tool in tools})

    def find(self, plain: str) -> Tool | None:
        """The tool of this plain name."""
        return self.by_plain.get(plain)

    def contributed(self, plain: str) -> Tool | None:
        """The tool of this name that our own integration offers: another's of that name may be anything."""
        return next((tool for tool in self.tools if f"__{tool.name}".endswith(f"__{CONTRIBUTED}{plain}")), None)


def _tool(function: JsonObject) -> Tool | None:
    name = function.get("name")
    if not isinstance(name, str) or not name:
        return None
    schema, description = function.get("parameters"), function.get("description")
    return Tool(
        name=name,
        plain=plain_name(name),
        description=description if isinstance(description, str) else "",
        schema=schema if isinstance(schema, dict) else {"type": "object", "properties": {}},
    )
