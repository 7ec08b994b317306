"""Figures over time as the coordinates of a drawing; the template draws it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..diagnostics.overview import Bucket, Overview

WIDTH, HEIGHT = 720, 180
LEFT, BOTTOM, TOP = 44, 22, 8


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Column:
    """One piece of time: all requests, and those among them that failed."""

    x: float
    width: float
    y: float
    height: float
    failed_y: float
    failed_height: float
    start: datetime
    requests: int
    failed: int


@dataclass(frozen=True, slots=True)
class Line:
    """The typical time of one route; a gap where nothing happened ends a piece."""

    route: str
    pieces: tuple[str, ...]
    dots: tuple[tuple[float, float, float], ...]
    """x, y, and milliseconds."""


def columns(overview: Overview) -> tuple[list[Column], list[Tick]]:
    """How many requests there were, and the marks of the axis."""
    top = _nice(max((bucket.requests for bucket in overview.buckets), default=0))
    step = (WIDTH - LEFT) / max(1, len(overview.buckets))
    scale = (HEIGHT - TOP - BOTTOM) / top
    base = HEIGHT - BOTTOM
    drawn = [
        Column(
            x=round(LEFT + place * step + step * 0.15, 2),
            width=round(step * 0.7, 2),
            y=round(base - bucket.requests * scale, 2),
            height=round((bucket.requests - bucket.failed) * scale, 2),
            failed_y=round(base - bucket.failed * scale, 2),
            failed_height=round(bucket.failed * scale, 2),
            start=bucket.start,
            requests=bucket.requests,
            failed=bucket.failed,
        )
        for place, bucket in enumerate(overview.buckets)
    ]
    return drawn, [Tick(round(base - value * scale, 2), f"{value:g}") for value in (0, top / 2, top)]


def lines(overview: Overview) -> tuple[list[Line], list[Tick]]:
    """The median of each route, over decades of milliseconds: a model takes a thousand times as long as a rule."""
    values = [latency.p50 for bucket in overview.buckets for latency in bucket.routes.values()]
    low = math.floor(math.log10(max(min(values, default=1.0), 0.1)))
    high = max(math.ceil(math.log10(max([*values, 1.0]))), low + 1)
    scale = (HEIGHT - TOP - BOTTOM) / (high - low)
    step = (WIDTH - LEFT) / max(1, len(overview.buckets))

    def y(milliseconds: float) -> float:
        return round(HEIGHT - BOTTOM - (math.log10(max(milliseconds, 10**low)) - low) * scale, 2)

    drawn = []
    for route in overview.routes:
        dots = [
            (round(LEFT + (place + 0.5) * step, 2), y(bucket.routes[route].p50), bucket.routes[route].p50)
            if route in bucket.routes
            else None
            for place, bucket in enumerate(overview.buckets)
        ]
        drawn.append(Line(route, tuple(_pieces(dots)), tuple(dot for dot in dots if dot is not None)))
    return drawn, [Tick(y(10**power), _milliseconds(10.0**power)) for power in range(low, high + 1)]


def times(buckets: Sequence[Bucket], most: int = 6) -> list[datetime | None]:
    """For each piece of time what to write below it; too many would overlap."""
    every = max(1, math.ceil(len(buckets) / most))
    return [bucket.start if place % every == every // 2 else None for place, bucket in enumerate(buckets)]


def _pieces(dots: Sequence[tuple[float, float, float] | None]) -> list[str]:
    pieces: list[list[str]] = [[]]
    for dot in dots:
        if dot is None:
            pieces.append([])
        else:
            pieces[-1].append(f"{dot[0]},{dot[1]}")
    return [" ".join(piece) for piece in pieces if len(piece) > 1]


def _nice(value: float) -> float:
    """The next even round number, so that half of it is one too."""
    if value <= 2:
        return 2
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 6, 8, 10) if step * power >= value)


def _milliseconds(value: float) -> str:
    return f"{value / 1000:g} s" if value >= 1000 else f"{value:g} ms"
