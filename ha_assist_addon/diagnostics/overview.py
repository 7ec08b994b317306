"""How the last time went, in figures: counted in turns, because a turn is what a person has said and got."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from .summary import Outcome, Route
from .turn_kind import TURN_KINDS, TurnKind, turn_kind

MOST_BUCKETS = 400


class Measured(NamedTuple):
    """What the overview needs of a request."""

    turn: int
    time: float
    """Seconds since the epoch."""
    route: Route
    outcome: Outcome
    model_calls: int
    total_ms: float
    fault: str | None
    """The code of what went wrong, None where nothing did."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds that turns of one kind took, without what Home Assistant needed in between."""

    count: int
    least: float
    p25: float
    p50: float
    p75: float
    p95: float
    worst: float


@dataclass(frozen=True, slots=True)
class Bucket:
    """A piece of the time range, with its turns by kind."""

    start: datetime
    kinds: Mapping[TurnKind, int] = field(default_factory=dict)

    @property
    def turns(self) -> int:
        """All of them."""
        return sum(self.kinds.values())


@dataclass(frozen=True, slots=True)
class Overview:
    """All figures from `since` until `until`."""

    since: datetime
    until: datetime
    requests: int = 0
    kinds: Mapping[TurnKind, int] = field(default_factory=dict)
    """Turns by kind, those to a model by its name left out."""
    physical: int = 0
    """Turns that named a model themselves."""
    latencies: Mapping[TurnKind, Latency] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    """Requests by code, the most frequent first."""
    buckets: tuple[Bucket, ...] = ()
    """Equal pieces of the range without gaps, oldest first: an hour each up to two days, a day each beyond."""

    @property
    def turns(self) -> int:
        """Those to HA-Assist."""
        return sum(self.kinds.values())

    @property
    def share_without_model(self) -> float | None:
        """From 0 to 1: turns that were done or answered without a model; None where nobody asked HA-Assist."""
        settled = self.kinds.get("done", 0) + self.kinds.get("answered", 0)
        return settled / self.turns if self.turns else None


def overview_of(found: Iterable[Measured], since: datetime, until: datetime) -> Overview:
    """Count what the store found."""
    step = timedelta(hours=1) if until - since <= timedelta(days=2) else timedelta(days=1)
    pieces = max(1, min(MOST_BUCKETS, round((until - since) / step)))
    turns: dict[int, list[Measured]] = {}
    errors: Counter[str] = Counter()
    requests = 0
    for one in found:
        requests += 1
        turns.setdefault(one.turn, []).append(one)
        if one.fault is not None:
            errors[one.fault] += 1
    buckets: list[Counter[TurnKind]] = [Counter() for _ in range(pieces)]
    times: dict[TurnKind, list[float]] = {}
    physical = 0
    for steps in turns.values():
        kind = turn_kind(steps)
        if kind == "physical":
            physical += 1
            continue
        place = int((steps[0].time - since.timestamp()) / step.total_seconds())
        buckets[min(max(place, 0), pieces - 1)][kind] += 1
        times.setdefault(kind, []).append(sum(one.total_ms for one in steps))
    return Overview(
        since=since,
        until=until,
        requests=requests,
        kinds={kind: len(times[kind]) for kind in TURN_KINDS if kind in times},
        physical=physical,
        latencies={kind: _latency(sorted(times[kind])) for kind in TURN_KINDS if kind in times},
        errors=dict(errors.most_common()),
        buckets=tuple(Bucket(since + i * step, dict(kinds)) for i, kinds in enumerate(buckets)),
    )


def _latency(times: Sequence[float]) -> Latency:
    def at(share: float) -> float:
        return round(times[min(len(times) - 1, int(share * len(times)))], 3)

    return Latency(len(times), round(times[0], 3), at(0.25), at(0.5), at(0.75), at(0.95), round(times[-1], 3))
