"""The tools that a request offers: found by their plain name, called by their offered name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..conversation import JsonObject
from ..json_schema import UnusableSchema, mismatch
from .intents import KNOWN, intent_row
from .purpose import Purpose, purpose, read_only_hint

_RENAMED = {"get_items": "todo_get_items", "get_events": "calendar_get_events"}
"""Tools that lost a part of their name when Home Assistant 2026.9 moved it into the name space."""

CONTRIBUTED = "ha_assist__"
"""How the names of the tools begin that our own integration adds to Home Assistant's."""

_OWN_SPACES = frozenset(
    {
        *("assist", "intent", "homeassistant", "llm", "conversation", "assist_satellite", "shopping_list", "timer"),
        *("light", "climate", "fan", "humidifier", "cover", "valve", "lock", "vacuum", "lawn_mower", "media_player"),
        *("todo", "calendar", "weather", "switch", "water_heater", "alarm_control_panel", "history", "logbook"),
    }
)
"""The name spaces of Home Assistant's own tools; `assist` is the prefix that it adds where two APIs meet."""


def plain_name(offered: str) -> str:
    """The name of a tool without name spaces: `assist__intent__HassTurnOn` is `HassTurnOn`.

    A tool of somebody else that is called as one of Home Assistant's own keeps its full name.
    """
    *spaces, last = offered.split("__")
    plain = _RENAMED.get(last, last)
    if spaces and spaces[-1] not in _OWN_SPACES and plain in KNOWN:
        return offered
    return plain


@dataclass(frozen=True, slots=True)
class Tool:
    """One offered tool."""

    name: str
    plain: str
    description: str
    schema: JsonObject
    hint: bool | None = None
    """Whether the client passed on that the tool only reads, or that it may do more."""
    spaced: bool = False
    """Whether Home Assistant's own tools come in name spaces, as they do since 2026.9: then scripts do too."""

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
        """Whether this is one of the person's scripts.

        2026.9 and later say so, earlier their names are lower case; there, a name that tells of reading is one too.
        """
        *spaces, last = self.name.split("__")
        if spaces and (self.spaced or spaces != ["assist"]):
            return "script" in spaces
        if not last.islower() or last in _RENAMED or last in _RENAMED.values():
            return False
        return not self.spaced or purpose(last, self.description, self.hint) is not Purpose.READS

    @property
    def is_contributed(self) -> bool:
        """Whether an integration, an API or an MCP server brings the tool: none of Home Assistant's own, no script."""
        return self.plain not in KNOWN and not self.is_script

    @property
    def purpose(self) -> Purpose:
        """Whether the tool only looks something up; a script without a hint never does: `get_ready_for_bed`."""
        if intent_row(self.plain).reads:
            return Purpose.READS
        if not self.is_contributed:
            return Purpose.READS if self.is_script and self.hint else Purpose.ACTS
        return purpose(self.plain.rsplit("__", 1)[-1], self.description, self.hint)

    @property
    def only_reads(self) -> bool:
        """Whether a tool changes nothing."""
        return self.purpose is Purpose.READS

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
        spaced = any(t.plain in KNOWN and t.name.split("__")[-2:-1] not in ([], ["assist"]) for t in tools)
        borne = Counter(tool.plain for tool in tools if tool.plain not in KNOWN)
        tools = tuple(
            replace(tool, spaced=spaced, plain=tool.name if borne[tool.plain] > 1 else tool.plain) for tool in tools
        )
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
        hint=read_only_hint(function),
    )
