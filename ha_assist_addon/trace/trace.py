"""One trace a request: the only source of `metrics` and of what the panel shows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Unpack, overload
from uuid import uuid4

from .sections import HistoryNote, IntentNote, PlanNote, PromptNote, ValidationNote, VerifyNote

Route = Literal["direct", "llm", "vlm", "physical"]
LONGEST_KEPT = 2000
"""Characters of a text that a record keeps: hundreds of records stay in memory, and a request may hold megabytes."""


@dataclass(frozen=True, slots=True)
class Span:
    """One stage on the request's own clock, in milliseconds since it began; `waiting` where nothing was worked on."""

    name: str
    start_ms: float
    ms: float
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a model was asked and what it answered, word for word: kept only where the settings say so."""

    prompt: Sequence[Mapping[str, Any]]
    answer: str = ""


@dataclass(slots=True)
class Trace:
    """Collects what each step decided; `metrics` is what a client gets, `record` what the store keeps."""

    requested_model: str
    conversation: str | None = None
    id: str = field(default_factory=lambda: uuid4().hex)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    route: Route = "direct"
    reason: str = ""
    why: str = ""
    backend_model: str | None = None
    language: str | None = None
    sentence: str | None = None
    tools_offered: int = 0
    tools_after: int = 0
    inference_calls: int = 0
    prepare_ms: float | None = None
    verification: str | None = None
    outcome: str = ""
    error: str | None = None
    """The code of the error that the client got instead of an answer."""
    server_said: str = ""
    """What the language model's server itself said of that error; never part of `metrics`."""
    reply: str = ""
    sections: dict[str, dict[str, Any]] = field(default_factory=dict)
    stages_ms: dict[str, float] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    calls: Sequence[Mapping[str, Any]] = ()
    """The tool calls that the client got, each with `name` and `arguments`."""
    request: bytes | None = None
    """The body as it came, for replaying it; never part of `metrics` or of the record."""
    exchange: Exchange | None = None
    verify_settle_ms: float | None = None
    total_ms: float | None = None
    _clock: float = field(default_factory=time.perf_counter)

    @overload
    def note(self, section: Literal["ha_history"], **values: Unpack[HistoryNote]) -> None: ...
    @overload
    def note(self, section: Literal["ha_plan"], **values: Unpack[PlanNote]) -> None: ...
    @overload
    def note(self, section: Literal["ha_intent"], **values: Unpack[IntentNote]) -> None: ...
    @overload
    def note(self, section: Literal["ha_prompt"], **values: Unpack[PromptNote]) -> None: ...
    @overload
    def note(self, section: Literal["ha_validation"], **values: Unpack[ValidationNote]) -> None: ...
    @overload
    def note(self, section: Literal["ha_verify"], **values: Unpack[VerifyNote]) -> None: ...
    def note(self, section: str, **values: Any) -> None:
        """Add values to one section of the metrics."""
        self.sections.setdefault(section, {}).update(values)

    @contextmanager
    def stage(self, name: str, *, waiting: bool = False) -> Iterator[None]:
        """Time one stage in milliseconds; a stage that runs twice adds up."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.stages_ms[name] = round(self.stages_ms.get(name, 0.0) + spent, 3)
            self.spans.append(Span(name, round((start - self._clock) * 1000, 3), round(spent, 3), waiting))

    def prepared(self) -> None:
        """Mark the end of our own work: from here on a model generates."""
        if self.prepare_ms is None:
            self.prepare_ms = round((time.perf_counter() - self._clock) * 1000, 3)

    def finish(self, outcome: str, reply: str = "") -> None:
        """Close the trace with what the client got."""
        self.prepared()
        self.outcome = outcome
        self.reply = reply
        self.total_ms = round((time.perf_counter() - self._clock) * 1000, 3)

    def metrics(self) -> dict[str, Any]:
        """The `metrics` object of a reply."""
        self.prepared()
        metrics: dict[str, Any] = {
            "ha_route": {
                "requested_model": self.requested_model,
                "backend_model": self.backend_model,
                "route": self.route,
                "reason": self.reason,
                "why": self.why,
                "inference_calls": self.inference_calls,
                "prepare_ms": self.prepare_ms,
                "language": self.language,
                "tools_offered": self.tools_offered,
                "tools_after": self.tools_after,
                "verification": self.verification,
            },
            **{name: dict(values) for name, values in self.sections.items()},
            "ha_stages_ms": dict(self.stages_ms),
        }
        if self.verify_settle_ms is not None:
            metrics["ha_verify_settle_ms"] = self.verify_settle_ms
        return metrics

    def record(self) -> Mapping[str, Any]:
        """Everything the panel shows of this request, as it is at this moment."""
        return {
            "id": self.id,
            "time": self.started_at.isoformat(),
            "conversation": _keep(self.conversation),
            "sentence": _keep(self.sentence),
            "outcome": self.outcome,
            "error": self.error,
            "server_said": self.server_said,
            "reply": _keep(self.reply),
            "asks": self.reply.rstrip().endswith("?"),
            "total_ms": self.total_ms,
            "calls": tuple(self.calls),
            "spans": tuple(self.spans),
            "metrics": self.metrics(),
        }


def _keep(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST_KEPT else f"{text[:LONGEST_KEPT]}…"
