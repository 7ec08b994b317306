"""Closes a request's trace on every way out, once."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ..diagnostics.store import TraceStore
from ..errors import HaAssistError
from ..trace.trace import Trace

ANSWERED, CALLED, CUT_OFF, FAILED, DISCONNECTED = "answered", "called", "cut_off", "failed", "disconnected"


class Recording:
    """A trace on its way into the store; whoever leaves without having finished it went away or failed."""

    def __init__(self, trace: Trace, store: TraceStore) -> None:
        self.trace = trace
        self._store = store
        self._open = True

    def __enter__(self) -> Self:
        self._store.begin(self.trace)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, Exception):
            self.fail(error)
        else:
            self.finish(DISCONNECTED)

    def finish(self, outcome: str, reply: str = "") -> None:
        """Keep the trace as it is now."""
        if self._open:
            self._open = False
            self.trace.finish(outcome, reply)
            self._store.add(self.trace)

    def fail(self, error: Exception) -> None:
        """Keep the trace with what the client was told instead of an answer."""
        known = error if isinstance(error, HaAssistError) else HaAssistError()
        self.trace.error, self.trace.server_said = known.code, known.said
        self.trace.reason = self.trace.reason or known.code
        self.trace.why = self.trace.why or known.message
        self.finish(FAILED, known.message)
