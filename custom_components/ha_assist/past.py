"""What the states of an entity come to over a span of time; nothing here needs Home Assistant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

MISSING = frozenset({"unavailable", "unknown", "none", ""})
MOST_CHANGES = 20
"""The latest ones are listed; all are counted."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state, and from when on it held."""

    state: str
    at: datetime


def summarise_states(moments: Sequence[Moment], start: datetime, end: datetime) -> dict[str, Any]:
    """When each state last began and ended, how often it began and how long it held.

    A state that held at the start did not begin in the span. While nothing is known, nothing is counted, and a state
    that is the same after such a gap did not begin again.
    """
    states: dict[str, dict[str, Any]] = {}
    changes: list[dict[str, str]] = []
    before: str | None = None
    known = _cut(moments, start)
    for number, moment in enumerate(known):
        if moment.state in MISSING:
            continue
        told = states.setdefault(moment.state, {"times": 0, "seconds": 0.0, "began": None, "ended": None})
        until = known[number + 1].at if number + 1 < len(known) else end
        told["seconds"] += max(0.0, _instant(until) - _instant(moment.at))
        if moment.state == before:
            continue
        if before is not None:
            states[before]["ended"] = moment.at.isoformat()
        if _instant(moment.at) > _instant(start) and before is not None:
            told["times"] += 1
            told["began"] = moment.at.isoformat()
            changes.append({"state": moment.state, "at": moment.at.isoformat()})
        before = moment.state
    for told in states.values():
        told["seconds"] = round(told["seconds"])
    first = next((m for m in known if m.state not in MISSING), None)
    return {
        "known_from": None if first is None else first.at.isoformat(),
        "first": None if first is None else first.state,
        "states": states,
        "changes": changes[-MOST_CHANGES:],
        "changes_in_all": len(changes),
    }


def summarise_events(moments: Sequence[Moment], start: datetime) -> dict[str, Any]:
    """How often something happened, where each state is the time of an event."""
    happened: list[datetime] = []
    before: str | None = None
    for moment in moments:
        if moment.state in MISSING or moment.state == before:
            continue
        before = moment.state
        if _instant(moment.at) > _instant(start):
            happened.append(moment.at)
    return {
        "times": len(happened),
        "last": happened[-1].isoformat() if happened else None,
        "events": [at.isoformat() for at in happened[-MOST_CHANGES:]],
    }


def summarise_numbers(moments: Sequence[Moment], start: datetime, end: datetime) -> dict[str, Any]:
    """Lowest, highest and mean value; each value counts in the mean for as long as it held."""
    known = _cut(moments, start)
    lowest: tuple[float, datetime] | None = None
    highest: tuple[float, datetime] | None = None
    total = weight = 0.0
    last: float | None = None
    for number, moment in enumerate(known):
        value = number_of(moment.state)
        if value is None:
            continue
        last = value
        lowest = (value, moment.at) if lowest is None or value < lowest[0] else lowest
        highest = (value, moment.at) if highest is None or value > highest[0] else highest
        until = known[number + 1].at if number + 1 < len(known) else end
        seconds = max(0.0, _instant(until) - _instant(moment.at))
        total, weight = total + value * seconds, weight + seconds
    if lowest is None or highest is None:
        return {"min": None, "max": None, "mean": None, "last": None}
    mean = total / weight if weight else (lowest[0] + highest[0]) / 2
    return {"min": _told(lowest), "max": _told(highest), "mean": round(mean, 2), "last": last}


def is_measurement(moments: Sequence[Moment]) -> bool:
    """Whether all states that are known are numbers."""
    known = [m for m in moments if m.state not in MISSING]
    return bool(known) and all(number_of(m.state) is not None for m in known)


def number_of(state: str) -> float | None:
    """The finite number that a state is, or None."""
    try:
        value = float(state)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _cut(moments: Sequence[Moment], start: datetime) -> list[Moment]:
    """The states in order; what began before the start counts from the start on."""
    ordered = sorted(moments, key=lambda m: _instant(m.at))
    return [m if _instant(m.at) >= _instant(start) else Moment(m.state, start) for m in ordered]


def _told(extreme: tuple[float, datetime]) -> dict[str, Any]:
    return {"value": extreme[0], "at": extreme[1].isoformat()}


def _instant(at: datetime) -> float:
    return at.timestamp()
