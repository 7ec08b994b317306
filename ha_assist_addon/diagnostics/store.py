"""The most recent traces, for the panel."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from .trace import Trace


class TraceStore:
    """A ring of finished traces in memory; the oldest falls out when it is full."""

    def __init__(self, limit: int = 500) -> None:
        self._records: deque[Mapping[str, Any]] = deque(maxlen=limit)

    def add(self, trace: Trace) -> None:
        """Keep a finished trace."""
        self._records.append(trace.record())

    def newest_first(self) -> Sequence[Mapping[str, Any]]:
        """All kept records, the newest first."""
        return tuple(reversed(self._records))
