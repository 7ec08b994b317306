"""Requests that are being answered at this moment, so that a slow one can be seen before it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from ..trace.trace import Trace

SHOWN_AFTER_SECONDS = 0.3
"""A request that ends sooner is never shown as running: its row would only flash."""


@dataclass(frozen=True, slots=True)
class Running:
    """A request that has not ended; the sentence is None where texts are not kept."""

    id: str
    sentence: str | None
    started_at: datetime
    model: str | None
    """The language model that is being asked."""


class RunningRequests:
    """Knows every request from its beginning to its end; `changed` is called whenever what is shown changes."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._traces: dict[str, Trace] = {}
        self._shown: set[str] = set()

    def begin(self, trace: Trace) -> None:
        """A request has arrived."""
        self._traces[trace.id] = trace
        with suppress(RuntimeError):  # without an event loop nobody watches
            asyncio.get_running_loop().call_later(SHOWN_AFTER_SECONDS, self._show, trace.id)

    def end(self, request_id: str) -> None:
        """It is over, however it went."""
        self._traces.pop(request_id, None)
        if request_id in self._shown:
            self._shown.discard(request_id)
            self._changed()

    def now(self, *, texts: bool) -> tuple[Running, ...]:
        """Those that have been running for a moment, the newest first."""
        shown = [trace for identity, trace in self._traces.items() if identity in self._shown]
        return tuple(
            Running(t.id, t.sentence if texts else None, t.started_at, t.backend_model) for t in reversed(shown)
        )

    def _show(self, request_id: str) -> None:
        if request_id in self._traces:
            self._shown.add(request_id)
            self._changed()
