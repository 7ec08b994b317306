"""Keeps what repeats from filling the log: the same message is written once a minute, with how often it came."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from typing_extensions import override

SECONDS = 60.0
BURST = 5
"""How many of a kind are written before the others wait: a few that come together may differ in what they tell."""
_MOST_KINDS = 500


@dataclass(slots=True)
class _Kind:
    since: float
    written: int = 0
    left_out: int = 0


class OncePerMinute(logging.Filter):
    """Lets BURST warnings or errors of one place in the code through each minute; the next one tells of the others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: dict[object, _Kind] = {}
        self._lock = threading.Lock()

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        error = record.exc_info[0] if record.exc_info else None
        # Not the message: addresses and ports in it differ from one stranger to the next.
        key = (record.name, record.levelno, record.pathname, record.lineno, error)
        with self._lock:
            now = self._clock()
            if len(self._kinds) > _MOST_KINDS:
                self._kinds.clear()
            kind = self._kinds.setdefault(key, _Kind(now))
            left_out = 0
            if now - kind.since >= SECONDS:
                left_out, self._kinds[key] = kind.left_out, (kind := _Kind(now))
            if kind.written >= BURST:
                kind.left_out += 1
                return False
            kind.written += 1
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more of this kind were not written)"
            record.args = ()
        return True


def limit_log() -> None:
    """From now on, for all that is logged."""
    for handler in logging.getLogger().handlers:
        if not any(isinstance(each, OncePerMinute) for each in handler.filters):
            handler.addFilter(OncePerMinute())
