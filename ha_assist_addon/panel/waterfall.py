"""The stages of a request as bars on its own clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..trace.trace import Span

LAST_START = 99.4
"""Percent: a bar that begins at the very end could not be seen."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One stage; `left` and `width` are percent of the whole, and every bar is drawn at least two pixels wide."""

    name: str
    start_ms: float
    ms: float
    waiting: bool
    left: float
    width: float


def waterfall(spans: Iterable[Span], total_ms: float) -> list[Bar]:
    """Bars in the order in which the stages began."""
    ordered = sorted(spans, key=lambda span: (span.start_ms, -span.ms))
    whole = max([total_ms, *(span.start_ms + span.ms for span in ordered)], default=0.0) or 1.0
    bars = []
    for span in ordered:
        left = min(max(100 * span.start_ms / whole, 0.0), LAST_START)
        width = min(max(100 * span.ms / whole, 0.0), 100 - left)
        bars.append(Bar(span.name, span.start_ms, span.ms, span.waiting, round(left, 3), round(width, 3)))
    return bars
