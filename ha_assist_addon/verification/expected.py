"""What an entity should report after a call, and whether a live state is that."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ..home.entity import Entity
from ..home.intents import SWITCHES


class Verdict(StrEnum):
    """What a read tells of one target, the worst last."""

    REACHED = "reached"
    UNSEEN = "unseen"
    UNDER_WAY = "under_way"
    PENDING = "pending"
    JAMMED = "jammed"
    UNAVAILABLE = "unavailable"

    @property
    def severity(self) -> int:
        """How bad it is; up to that of `UNSEEN` nothing speaks against the action."""
        return list(Verdict).index(self)

    @property
    def open(self) -> bool:
        """Whether the target has not reached its state."""
        return self.severity > Verdict.UNSEEN.severity


@dataclass(frozen=True, slots=True)
class Want:
    """What a target should report.

    One of `states`, where there are any, and none of `unless`; `under_way` are states that lead there. `value` is a
    figure of the kind's attribute, off by `tolerance` at most.
    """

    kind: str
    states: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    under_way: frozenset[str] = frozenset()
    value: float | None = None
    tolerance: float = 0.0

    def __str__(self) -> str:
        if self.value is not None:
            return f"{self.value:g}"
        return " or ".join(sorted(self.states)) or f"not {' or '.join(sorted(self.unless))}"

    def judge(self, live: Entity) -> Verdict:
        """Whether a live state is what is wanted."""
        state = live.state or "unknown"
        if state in ("unavailable", "jammed"):
            return Verdict(state)
        if state in self.under_way:
            return Verdict.UNDER_WAY
        if state in self.unless or (self.states and state not in self.states):
            return Verdict.PENDING
        if self.value is None:
            return Verdict.PENDING if state == "unknown" else Verdict.REACHED
        figure = _FIGURES[self.kind](live.attributes)
        if figure is None:
            return Verdict.UNSEEN
        near = abs(figure - self.value) <= self.tolerance + 1e-6
        return Verdict.REACHED if near or (self.kind == "speed" and _is_step(figure, self.value)) else Verdict.PENDING


def _states(kind: str, *states: str, under_way: Sequence[str] = ()) -> Want:
    return Want(kind, states=frozenset(states), under_way=frozenset(under_way))


def _unless(kind: str, *states: str) -> Want:
    return Want(kind, unless=frozenset(states))


_ON, _OFF = _states("on_off", "on"), _states("on_off", "off")
_MOVED = (
    _states("open_closed", "open", under_way=["opening"]),
    _states("open_closed", "closed", under_way=["closing"]),
)
_SWITCHED: Mapping[str, tuple[Want, Want]] = {
    **dict.fromkeys(("light", "switch", "fan", "input_boolean", "humidifier", "siren", "remote"), (_ON, _OFF)),
    **dict.fromkeys(("climate", "water_heater"), (_unless("on_off", "off"), _OFF)),
    "media_player": (_unless("on_off", "off", "standby"), _states("on_off", "off", "standby")),
    **dict.fromkeys(("cover", "valve"), _MOVED),
    "lock": (
        _states("lock", "locked", under_way=["locking"]),
        _states("lock", "unlocked", "open", under_way=["unlocking", "opening"]),
    ),
}
"""What HassTurnOn and HassTurnOff make of a domain; those left out have no state that would show it."""

_FIXED: Mapping[str, Want] = {
    "HassMediaPause": _unless("playback", "playing", "buffering"),
    "HassMediaUnpause": _states("playback", "playing", "buffering", "on"),
    "HassMediaPlayerMute": Want("mute", value=1),
    "HassMediaPlayerUnmute": Want("mute", value=0),
}
_FIGURED: Mapping[str, tuple[str, Want]] = {
    "HassLightSet": ("brightness", Want("brightness", states=frozenset({"on"}), tolerance=3)),
    "HassSetPosition": ("position", Want("position", under_way=frozenset({"opening", "closing"}), tolerance=3)),
    "HassFanSetSpeed": ("percentage", Want("speed", states=frozenset({"on"}), tolerance=10)),
    "HassClimateSetTemperature": ("temperature", Want("temperature", tolerance=0.5)),
    "HassHumidifierSetpoint": ("humidity", Want("humidity", tolerance=3)),
    "HassSetVolume": ("volume_level", Want("volume", tolerance=3)),
}
"""Tools that set a figure: the argument that holds it."""


def wanted(tool: str, arguments: Mapping[str, Any], domain: str) -> Want | None:
    """What an entity of this domain should report after a call, or None where no state would show it."""
    if tool in SWITCHES:
        pair = _SWITCHED.get(domain)
        return pair[tool == "HassTurnOff"] if pair else None
    if tool not in _FIGURED:
        return _FIXED.get(tool)
    argument, want = _FIGURED[tool]
    figure = _number(arguments.get(argument))
    if want.states:
        # Colour alone switches a light on, and so does any speed a fan; 0 switches either off.
        if figure is None:
            return _ON
        if figure <= 0:
            return _OFF
    return None if figure is None else replace(want, value=figure)


def _brightness(attributes: Mapping[str, Any]) -> float | None:
    percent = _number(attributes.get("brightness_pct"))
    raw = _number(attributes.get("brightness"))
    return percent if percent is not None or raw is None else raw / 255 * 100


def _volume(attributes: Mapping[str, Any]) -> float | None:
    level = _number(attributes.get("volume_level"))
    return None if level is None else level * 100


def _attribute(name: str) -> Callable[[Mapping[str, Any]], float | None]:
    return lambda attributes: _number(attributes.get(name))


_FIGURES: Mapping[str, Callable[[Mapping[str, Any]], float | None]] = {
    "brightness": _brightness,
    "position": _attribute("current_position"),
    "speed": _attribute("percentage"),
    "temperature": _attribute("temperature"),
    "humidity": _attribute("humidity"),
    "volume": _volume,
    "mute": _attribute("is_volume_muted"),
}


FIGURE_ATTRIBUTES = (
    "brightness",
    "brightness_pct",
    "current_position",
    "percentage",
    "temperature",
    "humidity",
    "volume_level",
    "is_volume_muted",
)
"""All that is looked at beside the state."""
VERIFIED_DOMAINS = frozenset(_SWITCHED)


def _number(value: Any) -> float | None:
    text = str(value).strip().casefold()
    if text in ("true", "false"):
        return float(text == "true")
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _is_step(figure: float, asked: float) -> bool:
    """Whether a fan with a few speeds reports the speed that what was asked for falls into."""
    return any(abs(figure - math.ceil(asked * n / 100 - 1e-9) * 100 / n) <= 1 for n in range(2, 7))
