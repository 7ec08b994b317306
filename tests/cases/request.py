"""What Home Assistant would send for a case."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ha_assist_addon.home.toolbox import plain_name
from tests.cases.judge import Case, areas, oracle
from tests.support.house import House, Thing, Version, body, tools

_ROOMS = ("Workshop", "Conservatory", "Boot Room", "Wine Cellar", "Gallery", "Observatory", "Stable", "Boathouse")
_WORDS = ("Amber", "Birch", "Cobalt", "Dune", "Ember", "Fjord", "Grove", "Heron", "Iris", "Juniper", "Krill", "Larch")
_KINDS = (
    ("sensor", "Level"),
    ("switch", "Relay"),
    ("binary_sensor", "Contact"),
    ("number", "Offset"),
    ("light", "Spot"),
)
_UNLISTED = frozenset({"calendar", "script"})


def build(case: Case, version: Version = "2026.11") -> dict[str, Any]:
    """The request whose answer is judged."""
    house = house_of(case, version)
    offered = _offered(case, house)
    names = {plain_name(tool["name"]): tool["name"] for tool in offered}
    request = body(house, *(_message(m, names, version) for m in case["messages"]))
    request["tools"] = [{"type": "function", "function": tool} for tool in offered]
    if context := ha_context(case):
        request["ha_context"] = context
    return request


def house_of(case: Case, version: Version) -> House:
    """The home of a case, as the prompt lists it."""
    listed = [
        Thing((e["name"], *(a for a in e.get("aliases", ()) if a.strip())), e["domain"], areas(case, e))
        for e in case["home"]
        if e["domain"] not in _UNLISTED
    ]
    satellite = case.get("satellite_area")
    floor = next((e["floor"] for e in case["home"] if e.get("floor") and e.get("area") == satellite), None)
    scripts = tuple(_script(e) for e in case["home"] if e["domain"] == "script")
    things = (*listed, *_filler(case["id"], case.get("filler_entities", 0)))
    return House(things, satellite, floor if satellite else None, version, extra_tools=scripts)


def _filler(seed: str, count: int) -> Iterator[Thing]:
    chance = random.Random(seed)
    for number in range(count):
        domain, noun = chance.choice(_KINDS)
        yield Thing((f"{chance.choice(_WORDS)} {noun} {number}",), domain, (chance.choice(_ROOMS),))


def _script(entity: Mapping[str, Any]) -> Mapping[str, Any]:
    slug = re.sub(r"\W+", "_", entity["name"].casefold())
    names = [entity["name"], *entity.get("aliases", ())]
    return {
        "name": f"script__{slug}",
        "description": f"Aliases: {names}",
        "parameters": {"type": "object", "properties": {}},
    }


def _offered(case: Case, house: House) -> Sequence[Mapping[str, Any]]:
    usual = tools(house)
    if not case.get("tools"):
        return usual
    whole = House((*house.things, *_EVERYTHING), "Anywhere", None, house.version)
    known = {plain_name(tool["name"]): tool for tool in tools(whole)}
    given = []
    for name in case["tools"]:
        tool = known.get(plain_name(name))
        offered = name if "__" in name or tool is None else tool["name"]
        given.append({**(tool or {"parameters": {"type": "object", "properties": {}}}), "name": offered})
    return given


_EVERYTHING = tuple(
    Thing((domain,), domain)
    for domain in ("light", "cover", "climate", "fan", "media_player", "vacuum", "todo", "calendar", "humidifier")
)


def _message(message: Mapping[str, Any], names: Mapping[str, str], version: Version) -> Mapping[str, Any]:
    """A message of a case in the names and envelopes of a version."""
    if message.get("tool_calls"):
        calls = [
            {
                **call,
                "function": {
                    **call["function"],
                    "name": names.get(plain_name(call["function"]["name"]), call["function"]["name"]),
                },
            }
            for call in message["tool_calls"]
        ]
        return {**message, "tool_calls": calls}
    if message["role"] == "tool":
        return {**message, "content": _enveloped(message["content"], version)}
    return message


def _enveloped(content: str, version: Version) -> str:
    result = json.loads(content)
    wrapped = isinstance(result, dict) and "data" in result and isinstance(result.get("error"), bool)
    if version == "2026.11" or not wrapped:
        return content
    return json.dumps(result["data"])


def ha_context(case: Case) -> dict[str, Any] | None:
    """What the prompt does not carry, where a case needs it."""
    needs = " ".join(case.get("needs", ()))
    context: dict[str, Any] = {}
    if "floor" in needs:
        aliases = case.get("floor_aliases", {})
        floors = dict.fromkeys(e["floor"] for e in case["home"] if e.get("floor"))
        context["floors"] = [{"name": floor, "aliases": aliases.get(floor, [])} for floor in floors]
        rooms = {e["area"]: e.get("floor") for e in case["home"] if e.get("area")}
        context["areas"] = [
            {"name": area, "aliases": case.get("area_aliases", {}).get(area, []), "floor": floor}
            for area, floor in rooms.items()
        ]
    if "member" in needs:
        by_id = {oracle().entity_id(e): e["name"] for e in case["home"]}
        context["entities"] = [
            {
                "name": e["name"],
                "domain": e["domain"],
                "area": e.get("area"),
                "members": [by_id.get(m, m) for m in (e.get("attributes") or {}).get("entity_id", ())],
            }
            for e in case["home"]
            if (e.get("attributes") or {}).get("entity_id")
        ]
    return context or None
