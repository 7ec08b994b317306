"""How the last time went, in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

Measured = tuple[float, str, float, int, str, int, int, int]
"""Of a request: seconds since the epoch, route, milliseconds, failed, fault, to HA-Assist, model calls, turn."""
MOST_BUCKETS = 400


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of one route's requests; the percentiles are of the whole requests, with their model's time."""

    count: int
    p50: float
    p95: float
    worst: float


@dataclass(frozen=True, slots=True)
class Bucket:
    """A piece of the time range."""

    start: datetime
    requests: int = 0
    failed: int = 0
    routes: Mapping[str, Latency] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Overview:
    """All figures from `since` until `until`."""

    since: datetime
    until: datetime
    requests: int = 0
    without_model: int = 0
    """Requests to HA-Assist that were answered without a model; those to physical models count in neither."""
    assisted: int = 0
    """Requests to HA-Assist."""
    turns: int = 0
    failed: int = 0
    routes: Mapping[str, Latency] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    """By code, the most frequent first."""
    buckets: tuple[Bucket, ...] = ()
    """Equal pieces of the range without gaps, oldest first: an hour each up to two days, a day each beyond."""

    @property
    def share_without_model(self) -> float | None:
        """From 0 to 1; None where nobody asked HA-Assist."""
        return self.without_model / self.assisted if self.assisted else None


def overview_of(found: Iterable[Measured], since: datetime, until: datetime) -> Overview:
    """Count what the store found."""
    step = timedelta(hours=1) if until - since <= timedelta(days=2) else timedelta(days=1)
    pieces = max(1, min(MOST_BUCKETS, round((until - since) / step)))
    whole, buckets = _Tally(), [_Tally() for _ in range(pieces)]
    for one in found:
        index = int((one[0] - since.timestamp()) / step.total_seconds())
        whole.add(one)
        buckets[min(max(index, 0), pieces - 1)].add(one)
    return Overview(
        since=since,
        until=until,
        requests=whole.requests,
        without_model=whole.without_model,
        assisted=whole.assisted,
        turns=len(whole.turns),
        failed=whole.failed,
        routes=whole.routes(),
        errors=dict(whole.errors.most_common()),
        buckets=tuple(
            Bucket(since + i * step, tally.requests, tally.failed, tally.routes()) for i, tally in enumerate(buckets)
        ),
    )


class _Tally:
    def __init__(self) -> None:
        self.requests = self.failed = self.assisted = self.without_model = 0
        self.turns: set[int] = set()
        self.errors: Counter[str] = Counter()
        self._times: dict[str, list[float]] = {}

    def add(self, one: Measured) -> None:
        _, route, total_ms, failed, fault, assisted, model_calls, turn = one
        self.requests += 1
        self.turns.add(turn)
        self._times.setdefault(route, []).append(total_ms)
        if failed:
            self.failed += 1
            self.errors[fault] += 1
        if assisted:
            self.assisted += 1
            self.without_model += not model_calls and not failed

    def routes(self) -> dict[str, Latency]:
        return {route: _latency(sorted(times)) for route, times in sorted(self._times.items())}


def _latency(times: list[float]) -> Latency:
    def at(share: float) -> float:
        return round(times[min(len(times) - 1, int(share * len(times)))], 3)

    return Latency(len(times), at(0.5), at(0.95), round(times[-1], 3))
