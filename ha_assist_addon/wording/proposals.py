"""Questions that say exactly what a yes would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..home.entity import Entity
from ..home.toolbox import plain_name
from ..language.replies import say
from ..meaning.calls import Change
from ..meaning.plan import Planned
from .respond import labels
from .speak import enumerate_names

MOST_NAMED = 8
_KEYS: Mapping[tuple[str, str], str] = {
    ("HassTurnOn", "lock"): "confirm_lock",
    ("HassTurnOff", "lock"): "confirm_unlock",
    ("HassTurnOn", "cover"): "confirm_open",
    ("HassTurnOff", "cover"): "confirm_close",
    ("HassTurnOn", "valve"): "confirm_open",
    ("HassTurnOff", "valve"): "confirm_close",
    ("HassTurnOn", ""): "confirm_on",
    ("HassTurnOff", ""): "confirm_off",
    ("HassMediaPause", ""): "confirm_pause",
    ("HassVacuumStart", ""): "confirm_start",
    ("HassLawnMowerStartMowing", ""): "confirm_start",
}
_UNITS: Mapping[str, str] = {"temperature": "°", "color": ""}


def ask_for(planned: Sequence[Planned], changes: Sequence[Change], language: str | None) -> str:
    """One question for all calls, each with its targets and its value; it ends in a question mark."""
    groups: dict[tuple[str, str], list[Entity]] = {}
    for one in planned:
        for entity in one.targets:
            groups.setdefault(_key_of(one, entity), []).append(entity)
    parts = [_part(key, value, entities, language) for (key, value), entities in groups.items()]
    if changes:
        names = enumerate_names(labels([c.entity for c in changes], language), language, MOST_NAMED)
        parts.append(say("confirm_change", language, names=names))
    if not parts:
        tools = ", ".join(dict.fromkeys(plain_name(p.call.name) for p in planned))
        return say("confirm_tool", language, tool=tools)
    return " ".join(parts)


def _key_of(one: Planned, entity: Entity) -> tuple[str, str]:
    intent = plain_name(one.call.name)
    values = {k: v for k, v in one.parameters.items() if k not in ("item",)}
    if intent in ("HassTurnOn", "HassTurnOff") or not values:
        key = _KEYS.get((intent, entity.domain)) or _KEYS.get((intent, "")) or "confirm"
        return key, ""
    slot, value = next(iter(values.items()))
    unit = _UNITS.get(slot, "%" if isinstance(value, int) else "")
    return "confirm_set", f"{value:g}{unit}" if isinstance(value, int | float) else str(value)


def _part(key: str, value: str, entities: Sequence[Entity], language: str | None) -> str:
    names = enumerate_names(labels(entities, language), language, MOST_NAMED)
    return say(key, language, names=names, value=value)
