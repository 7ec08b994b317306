"""What a value comes to that is changed by so much; nothing here needs Home Assistant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from .restoring import SHADES, Step

QUANTITIES: Mapping[str, str] = {
    "brightness": "light",
    "volume": "media_player",
    "temperature": "climate",
    "speed": "fan",
    "position": "cover",
    "humidity": "humidifier",
}
"""What can be changed by so much, and the domain of the things that have it."""
_MISSING = frozenset({"unavailable", "unknown"})
_FROM_OFF = frozenset({"brightness", "speed"})
"""Quantities that begin at nothing in what is off."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity as it is now."""

    entity_id: str
    name: str
    state: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """By how much: `by` in points of a hundred or in degrees, else `factor` times as much."""

    quantity: str
    by: float | None = None
    factor: float | None = None

    @property
    def up(self) -> bool:
        """Whether it becomes more."""
        return self.by > 0 if self.by is not None else (self.factor or 0) > 1


@dataclass(frozen=True, slots=True)
class Moved:
    """A value before and after, and the call that changes it."""

    thing: Thing
    was: float
    becomes: float
    step: Step


@dataclass(frozen=True, slots=True)
class Stays:
    """Why a value does not change."""

    thing: Thing
    why: str


def adjust(things: Sequence[Thing], change: Change) -> tuple[Moved | Stays, ...]:
    """What becomes of each; of several those that are on change, and all only where none is on."""
    on = [thing for thing in things if thing.state != "off" and thing.state not in _MISSING]
    return tuple(_adjusted(thing, change) for thing in on or things)


def _adjusted(thing: Thing, change: Change) -> Moved | Stays:
    if thing.state in _MISSING:
        return Stays(thing, "unavailable")
    if change.quantity == "position" and change.up and thing.attributes.get("device_class") not in SHADES:
        return Stays(thing, "opens")  # it may be a door or a gate
    was = _value(thing, change.quantity)
    if was is None and thing.state == "off" and change.quantity in _FROM_OFF:
        was = 0.0
    if was is None:
        return Stays(thing, "unknown")
    if was == 0 and thing.state == "off" and not change.up:
        return Stays(thing, "off")
    low, high = _limits(thing, change.quantity)
    wanted = was + change.by if change.by is not None else was * (change.factor or 0)
    becomes = round(min(high, max(low, wanted)), 1 if change.quantity == "temperature" else 0)
    if abs(becomes - was) < 0.05:
        return Stays(thing, "at_end")
    return Moved(thing, was, becomes, _step(change.quantity, becomes))


def _value(thing: Thing, quantity: str) -> float | None:
    """The value as a person counts it: in percent, or in degrees."""
    key = {
        "brightness": "brightness", "volume": "volume_level", "temperature": "temperature", "speed": "percentage",
        "position": "current_position", "humidity": "humidity",
    }[quantity]  # fmt: skip
    raw = thing.attributes.get(key)
    if not isinstance(raw, (int, float)) or isinstance(raw, bool):
        return None
    if quantity == "brightness":
        return float(round(raw * 100 / 255))
    return float(round(raw * 100)) if quantity == "volume" else float(raw)


def _limits(thing: Thing, quantity: str) -> tuple[float, float]:
    if quantity == "brightness":
        return 1.0, 100.0
    if quantity == "temperature":
        return _limit(thing, "min_temp", -inf), _limit(thing, "max_temp", inf)
    if quantity == "humidity":
        return _limit(thing, "min_humidity", 0.0), _limit(thing, "max_humidity", 100.0)
    return 0.0, 100.0


def _limit(thing: Thing, key: str, otherwise: float) -> float:
    value = thing.attributes.get(key)
    return float(value) if isinstance(value, (int, float)) else otherwise


def _step(quantity: str, value: float) -> Step:
    match quantity:
        case "brightness":
            return Step("light", "turn_on", {"brightness_pct": int(value)})
        case "volume":
            return Step("media_player", "volume_set", {"volume_level": value / 100})
        case "temperature":
            return Step("climate", "set_temperature", {"temperature": value})
        case "speed":
            return Step("fan", "set_percentage", {"percentage": int(value)})
        case "position":
            return Step("cover", "set_cover_position", {"position": int(value)})
        case _:
            return Step("humidifier", "set_humidity", {"humidity": int(value)})
