"""A whole turn on one clock: the stages of each request, and between them what Home Assistant needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..diagnostics.summary import Detail, Summary

LAST_START = 99.4
"""Percent: a bar that begins at the very end could not be seen."""
SHORTEST_GAP_MS = 1.0

Look = Literal["work", "wait", "model", "outside"]


@dataclass(frozen=True, slots=True)
class Bar:
    """One stage; `left` and `width` are percent of the whole turn, and every bar is drawn at least two pixels wide."""

    name: str
    start_ms: float
    ms: float
    look: Look
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class Part:
    """A request with its stages, or without one the time that Home Assistant took before the next."""

    summary: Summary | None
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """All of it, and how long it took."""

    total_ms: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Raw:
    name: str
    start_ms: float
    ms: float
    look: Look


def axis_of(requests: Sequence[Detail]) -> Axis:
    """Of the requests of a turn, oldest first."""
    if not requests:
        return Axis(0.0, ())
    begin = requests[0].summary.time
    parts: list[tuple[Summary | None, list[_Raw]]] = []
    end = 0.0
    for detail in requests:
        start = max((detail.summary.time - begin).total_seconds() * 1000, end if parts else 0.0)
        if parts and start - end > SHORTEST_GAP_MS:
            parts.append((None, [_Raw("home_assistant", end, start - end, "outside")]))
        raws = _stages(detail, start)
        parts.append((detail.summary, raws))
        end = max([start + detail.summary.total_ms, *(raw.start_ms + raw.ms for raw in raws)])
    whole = end or 1.0
    return Axis(round(end, 3), tuple(Part(summary, tuple(_bar(raw, whole) for raw in raws)) for summary, raws in parts))


def _stages(detail: Detail, start: float) -> list[_Raw]:
    """In the order in which they began; a request whose stages are not kept is one bar."""
    ordered = sorted(detail.spans, key=lambda span: (span.start_ms, -span.ms))
    if not ordered:
        return [_Raw("request", start, detail.summary.total_ms, "work")]
    return [
        _Raw(
            span.name,
            start + span.start_ms,
            span.ms,
            "wait" if span.waiting else "model" if span.name == "generation" else "work",
        )
        for span in ordered
    ]


def _bar(raw: _Raw, whole: float) -> Bar:
    left = min(max(100 * raw.start_ms / whole, 0.0), LAST_START)
    width = min(max(100 * raw.ms / whole, 0.0), 100 - left)
    return Bar(raw.name, round(raw.start_ms, 3), raw.ms, raw.look, round(left, 3), round(width, 3))
