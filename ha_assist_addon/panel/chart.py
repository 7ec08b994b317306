"""Figures as percentages of a drawing; the template draws it, and writes every word beside it as text of the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..diagnostics.overview import Bucket, Latency, Overview
from ..diagnostics.turn_kind import TURN_KINDS, TurnKind


@dataclass(frozen=True, slots=True)
class Piece:
    """The turns of one kind within a column."""

    kind: TurnKind
    count: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Column:
    """One piece of time: its turns, stacked by what became of them."""

    x: float
    width: float
    start: datetime
    turns: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A line of a scale with its label: a count, or milliseconds."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Spread:
    """How the times of one kind of turn lie on the scale: nearly all, the middle half, and the typical one."""

    kind: TurnKind
    latency: Latency
    least: float
    p25: float
    p50: float
    p75: float
    p95: float


def columns(overview: Overview) -> tuple[list[Column], list[Mark]]:
    """How many turns there were, and the marks of the scale from its top to 0."""
    top = _nice(max((bucket.turns for bucket in overview.buckets), default=0))
    step = 100 / max(1, len(overview.buckets))
    drawn = [
        Column(
            x=round(place * step + step * 0.15, 3),
            width=round(step * 0.7, 3),
            start=bucket.start,
            turns=bucket.turns,
            pieces=tuple(_stacked(bucket, top)),
        )
        for place, bucket in enumerate(overview.buckets)
    ]
    return drawn, [Mark(round(100 - 100 * value / top, 3), value) for value in (top, top / 2, 0)]


def spreads(overview: Overview) -> tuple[list[Spread], list[Mark]]:
    """The times of each kind over decades of milliseconds: a model takes a thousand times as long as a rule."""
    latencies = overview.latencies
    low = math.floor(math.log10(max(min((one.least for one in latencies.values()), default=1.0), 0.1)))
    high = max(math.ceil(math.log10(max([one.p95 for one in latencies.values()] + [1.0]))), low + 1)

    def x(milliseconds: float) -> float:
        return round(100 * (math.log10(max(milliseconds, 10**low)) - low) / (high - low), 3)

    drawn = [
        Spread(kind, one, x(one.least), x(one.p25), x(one.p50), x(one.p75), x(one.p95))
        for kind, one in latencies.items()
    ]
    return drawn, [Mark(x(10**power), 10.0**power) for power in range(low, high + 1)]


def times(buckets: Sequence[Bucket], most: int = 6) -> list[datetime | None]:
    """For each piece of time what to write below it; too many would overlap."""
    every = max(1, math.ceil(len(buckets) / most))
    return [bucket.start if place % every == every // 2 else None for place, bucket in enumerate(buckets)]


def _stacked(bucket: Bucket, top: float) -> list[Piece]:
    pieces, base = [], 100.0
    for kind in TURN_KINDS:
        if count := bucket.kinds.get(kind, 0):
            height = 100 * count / top
            base -= height
            pieces.append(Piece(kind, count, round(max(base, 0.0), 3), round(height, 3)))
    return pieces


def _nice(value: float) -> float:
    """The next even round number, so that half of it is one too."""
    if value <= 2:
        return 2
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 6, 8, 10) if step * power >= value)
