"""Questions that say exactly what a yes would do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from ..home.entity import Entity
from ..home.toolbox import plain_name
from ..language.replies import say
from ..meaning.acts import Act, Quantity
from ..meaning.calls import Change
from ..meaning.change import Steps
from ..meaning.command import Degree
from ..meaning.plan import TARGET_SLOTS, Planned
from .respond import labels
from .speak import amount, enumerate_names, number, state_text

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
    ("HassMediaUnpause", ""): "confirm_resume",
    ("HassMediaNext", ""): "confirm_next",
    ("HassMediaPrevious", ""): "confirm_previous",
    ("HassMediaPlayerMute", ""): "confirm_mute",
    ("HassMediaPlayerUnmute", ""): "confirm_unmute",
    ("HassVacuumStart", ""): "confirm_start",
    ("HassVacuumReturnToBase", ""): "confirm_dock",
    ("HassLawnMowerDock", ""): "confirm_dock",
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
_STATES: Mapping[str, tuple[str, str]] = {
    "lock": ("locked", "unlocked"),
    "cover": ("open", "closed"),
    "valve": ("open", "closed"),
}
"""The two states of what is switched over, where they are not on and off."""
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


def ask_for(
    proposed: Sequence[Proposal], changes: Sequence[Change], language: str | None, steps: Steps | None = None
) -> str:
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
    parts += _of_changes(changes, language, steps or Steps())
    return " ".join(parts)


def _of_changes(changes: Sequence[Change], language: str | None, steps: Steps) -> list[str]:
    """One question for what moves the same way; it says by how much, or to which end."""
    groups: dict[tuple[tuple[str, Any], ...], list[Entity]] = {}
    for change in changes:
        groups.setdefault(tuple(_told(change, language, steps).items()), []).append(change.entity)
    parts = []
    for told, entities in groups.items():
        names = enumerate_names(labels(entities, language), language, MOST_NAMED)
        key = "confirm_change" if "quantity" in dict(told) else "confirm_toggle"
        parts.append(say(key, language, names=names, many=len(entities) > 1, **dict(told)))
    return parts


def _told(change: Change, language: str | None, steps: Steps) -> Mapping[str, Any]:
    """What a question about a change tells of it."""
    quantity, value = change.effect.quantity, change.command.value
    if change.act is Act.TOGGLE or quantity is None:
        one, other = _STATES.get(change.entity.domain, ("on", "off"))
        return {
            key: state_text(replace(change.entity, state=s), language) for key, s in (("one", one), ("other", other))
        }
    up = change.act in (Act.UP, Act.OPEN)
    told: dict[str, Any] = {"quantity": str(quantity), "up": up}
    if value.degree is Degree.END:
        return told
    if value.factor is not None:
        share = 1 + value.factor if up and value.factor <= 1 else value.factor
        return {**told, "share": amount(round(share * 100), "%", language)}
    step = value.amount if value.amount is not None else steps.of(value.degree, quantity)
    return {**told, "by": amount(step, "°" if quantity is Quantity.TEMPERATURE else "%", language)}


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
