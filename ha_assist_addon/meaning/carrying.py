"""Which acts carry an intent: one of them has to be said before the intent may change a thing."""

from __future__ import annotations

from collections.abc import Mapping

from .acts import Act, Quantity
from .effects import ROWS

_UP_ACTS = frozenset({Act.ON, Act.START, Act.UP, Act.RESUME, Act.PLAY, Act.SET, Act.TOGGLE})
_DOWN_ACTS = frozenset({Act.OFF, Act.STOP, Act.DOWN, Act.PAUSE, Act.TOGGLE, Act.MUTE})
SWITCHING: Mapping[tuple[str, str], frozenset[Act]] = {
    ("HassTurnOn", "lock"): frozenset({Act.LOCK, Act.CLOSE}),
    ("HassTurnOff", "lock"): frozenset({Act.UNLOCK, Act.OPEN}),
    ("HassTurnOn", "cover"): frozenset({Act.OPEN, Act.UP, Act.TOGGLE}),
    ("HassTurnOff", "cover"): frozenset({Act.CLOSE, Act.DOWN, Act.LOCK, Act.TOGGLE}),
    ("HassTurnOn", "valve"): frozenset({Act.OPEN, Act.ON, Act.START, Act.UP, Act.TOGGLE, Act.WATER}),
    ("HassTurnOff", "valve"): frozenset({Act.CLOSE, Act.OFF, Act.STOP, Act.TOGGLE}),
    ("HassTurnOn", "light"): _UP_ACTS | {Act.OPEN},
    ("HassTurnOff", "light"): _DOWN_ACTS | {Act.CLOSE},
    ("HassTurnOn", ""): _UP_ACTS,
    ("HassTurnOff", ""): _DOWN_ACTS,
}
"""The acts of which one has to be said for an intent on a domain; "" is every other domain."""

SETTERS: Mapping[str, Quantity] = {
    "HassLightSet": Quantity.BRIGHTNESS,
    "HassSetVolume": Quantity.VOLUME,
    "HassSetVolumeRelative": Quantity.VOLUME,
    "HassClimateSetTemperature": Quantity.TEMPERATURE,
    "HassFanSetSpeed": Quantity.SPEED,
    "HassSetPosition": Quantity.POSITION,
    "HassHumidifierSetpoint": Quantity.HUMIDITY,
}
"""Intents that set a value, and what it is a value of; without one they do nothing."""

_SETTING = frozenset({Act.SET, Act.UP, Act.DOWN, Act.ON, Act.START, Act.OPEN, Act.CLOSE})
_OTHERS: Mapping[str, frozenset[Act]] = {"HassMediaSearchAndPlay": frozenset({Act.PLAY, Act.START, Act.ON})}


def carrying(intent: str, domain: str) -> frozenset[Act] | None:
    """The acts of which one has to be said, or None where the intent is about none of ours (a list, a mode)."""
    found = SWITCHING.get((intent, domain)) or SWITCHING.get((intent, "")) or _OTHERS.get(intent)
    if found is not None:
        return found
    if intent in SETTERS:
        return _SETTING
    return frozenset(act for (act, of), effect in ROWS.items() if of == domain and effect.intent == intent) or None
