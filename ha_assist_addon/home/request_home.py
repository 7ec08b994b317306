"""What a request tells of the house: its home and its tools, with the scripts as entities of their own."""

from __future__ import annotations

import ast
import asyncio
import re
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from ..conversation import ChatRequest
from .catalogue import Home, HomeCache
from .entity import Entity
from .ha_context import HaContext, merge, read_context
from .toolbox import Tool, Toolbox

_ALIASES = "Aliases: ["

LARGE_PROMPT = 30_000
"""Characters of a prompt, about 500 entities, over which reading it would hold up other requests too long."""


@dataclass(frozen=True, slots=True)
class RequestHome:
    """The home and the tools of one request; `language` where the client told it."""

    home: Home
    toolbox: Toolbox
    language: str | None = None


def read_request_home(request: ChatRequest, homes: HomeCache, registry: HaContext | None = None) -> RequestHome:
    """Read the home from the system text (cached by its content) and the tools from the request.

    `registry` is what Home Assistant's own registries tell; the request's `ha_context` goes over it. Raises
    `InvalidRequest` for an `ha_context` that cannot be used.
    """
    toolbox = Toolbox.read(request.tools)
    home = homes.get(request.system_text)
    told = read_context(request.ha_context) if request.ha_context is not None else None
    for context in (registry, told):
        if context is not None and home.entities:
            home = _merge_once(home, context) if context is registry else merge(home, context)
    scripts = tuple(script_entity(tool) for tool in toolbox.tools if tool.is_script)
    language = (told and told.language) or (registry and registry.language) or None
    offered = tuple(tool.name for tool in toolbox.tools if tool.is_script)
    return RequestHome(_with_scripts(home, scripts, offered) if scripts else home, toolbox, language)


async def load_request_home(request: ChatRequest, homes: HomeCache, registry: HaContext | None = None) -> RequestHome:
    """As `read_request_home`; a large home that is not known yet is read in a thread: nobody else waits for it."""
    text = request.system_text
    if len(text) < LARGE_PROMPT or homes.is_prepared(text, registry):
        return read_request_home(request, homes, registry)
    return await asyncio.to_thread(_prepare, request, homes, registry)


def _prepare(request: ChatRequest, homes: HomeCache, registry: HaContext | None) -> RequestHome:
    house = read_request_home(request, homes, registry)
    home = house.home
    # What a home makes of itself when it is first asked is asked for here.
    _ = home.names, home.by_name, home.by_domain, home.by_area, home.area_by_name, home.sample
    homes.mark_prepared(request.system_text, registry)
    return house


_MERGED: WeakKeyDictionary[Home, tuple[HaContext, Home]] = WeakKeyDictionary()
_COMPLETED: WeakKeyDictionary[Home, tuple[tuple[object, ...], Home]] = WeakKeyDictionary()
"""What was last made of a home that is kept, for as long as it is kept."""


def _merge_once(home: Home, context: HaContext) -> Home:
    made = _MERGED.get(home)
    if made is None or made[0] is not context:
        made = _MERGED[home] = (context, merge(home, context))
    return made[1]


def _with_scripts(home: Home, scripts: tuple[Entity, ...], offered: tuple[str, ...]) -> Home:
    """The home and its scripts; `offered` tells apart scripts that only differ in their tool's name."""
    made = _COMPLETED.get(home)
    if made is None or made[0] != (scripts, offered):
        made = _COMPLETED[home] = ((scripts, offered), replace(home, entities=(*home.entities, *scripts)))
    return made[1]


def script_entity(tool: Tool) -> Entity:
    """A tool as an entity: the prompt does not list it, its name and `Aliases: [...]` name it."""
    plain = tool.name.rsplit("__", 1)[-1]
    names = [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).replace("_", " ")]
    last_line = tool.description.rstrip().rpartition("\n")[2]
    if (start := last_line.find(_ALIASES)) >= 0 and last_line.endswith("]"):
        try:
            listed = ast.literal_eval(last_line[start + len(_ALIASES) - 1 :])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            listed = []
        names = [str(name) for name in listed if isinstance(name, str) and name.strip()] + names
    elif tool.description and len(tool.description) <= 40:
        names.append(tool.description)
    return Entity(names=tuple(dict.fromkeys(names)), domain="script", attributes={"tool": tool.name})
