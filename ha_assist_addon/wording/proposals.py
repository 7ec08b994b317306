"""Questions that say exactly what a yes would do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..home.entity import Entity
from ..home.toolbox import plain_name
from ..language.replies import say
from ..meaning.calls import Change
from ..meaning.plan import TARGET_SLOTS, Planned
from .respond import labels
from .speak import enumerate_names, number

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
_SETTERS = frozenset(
    {
        "HassLightSet",
        "HassSetVolume",
        "HassClimateSetTemperature",
        "HassFanSetSpeed",
        "HassSetPosition",
        "HassHumidifierSetpoint",
        "HassHumidifierMode",
    }
)
_WORDS = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One call as a question tells it: the tool's plain name, its arguments, and what it reaches."""

    tool: str
    arguments: Mapping[str, Any]
    targets: Sequence[Entity] = ()

    @classmethod
    def of(cls, planned: Planned) -> Self:
        """What a planned call does."""
        return cls(plain_name(planned.call.name), planned.call.arguments, planned.targets)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What is done to the targets: the arguments that do not choose them."""
        return {key: value for key, value in self.arguments.items() if key not in TARGET_SLOTS}


def ask_for(proposed: Sequence[Proposal], changes: Sequence[Change], language: str | None) -> str:
    """One question for all calls, each with its targets and its values; it ends in a question mark."""
    groups: dict[tuple[str, str], list[Entity]] = {}
    others: list[str] = []
    for one in proposed:
        keys = [_key_of(one, entity, language) for entity in one.targets]
        if not keys or None in keys:
            others.append(_tool(one, language))
            continue
        for key, entity in zip(keys, one.targets, strict=True):
            if key is not None:
                groups.setdefault(key, []).append(entity)
    parts = [_part(key, value, entities, language) for (key, value), entities in groups.items()]
    parts += [say("confirm_tool", language, tool=text) for text in dict.fromkeys(others)]
    if changes:
        names = enumerate_names(labels([c.entity for c in changes], language), language, MOST_NAMED)
        parts.append(say("confirm_change", language, names=names))
    return " ".join(parts)


def _key_of(one: Proposal, entity: Entity, language: str | None) -> tuple[str, str] | None:
    """The sentence for a call on one entity, and the values in it; None where no sentence says it."""
    values = one.parameters
    if one.tool in _SETTERS and values:
        return "confirm_set", enumerate_names([_value(k, v, language) for k, v in values.items()], language, MOST_NAMED)
    key = None if values else _KEYS.get((one.tool, entity.domain)) or _KEYS.get((one.tool, ""))
    return None if key is None else (key, "")


def _value(slot: str, value: Any, language: str | None) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    unit = "%" if slot != "temperature" else "K" if value > 1000 else "°"
    return f"{number(value, language)}{' ' if unit == 'K' else ''}{unit}"


def _part(key: str, value: str, entities: Sequence[Entity], language: str | None) -> str:
    names = enumerate_names(labels(entities, language), language, MOST_NAMED)
    return say(key, language, names=names, value=value)


def _tool(one: Proposal, language: str | None) -> str:
    """A tool that no sentence is for: its name in words, and all that it is told."""
    words = " ".join(w.lower() for w in _WORDS.split(one.tool.removeprefix("Hass")) if w)
    named = (
        labels(one.targets, language)
        if one.targets
        else [str(one.arguments["name"])]
        if "name" in one.arguments
        else []
    )
    told = [*named, *(f"{_words(k)} {_listed(v)}" for k, v in one.parameters.items())]
    if not one.targets:
        told += [f"{_words(k)} {_listed(v)}" for k, v in one.arguments.items() if k in TARGET_SLOTS - {"name"}]
    return f"“{words}” ({', '.join(told)})" if told else f"“{words}”"


def _words(key: str) -> str:
    return key.replace("_", " ")


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
