"""What is shown of a request: a row of the list, and everything; read from a trace's record in this one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from ..trace.trace import Exchange, Span

Route = Literal["direct", "model", "vision", "verify", "asked", "refused", "failed", "physical"]
ROUTES: tuple[Route, ...] = get_args(Route)

Outcome = Literal[
    "answered",
    "called",
    "reading",
    "confirmed",
    "pending",
    "unconfirmed",
    "asked",
    "refused",
    "not_done",
    "cut_off",
    "disconnected",
    "failed",
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""`called` handed an action to Home Assistant, `reading` a read; `not_done` is Home Assistant's own refusal."""
FAILURES: frozenset[Outcome] = frozenset({"failed", "not_done", "unconfirmed", "cut_off", "disconnected"})

_UNDECIDED = frozenset(
    {
        "ambiguous",
        "unknown_name",
        "unknown_area",
        "duplicate_name",
        "missing_target",
        "tool_not_offered",
        "slot_not_carried",
        "guarded",
        "not_recognised",
        "taught_model",
        "sentence_too_long",
        "image",
        "plain_chat",
        "structured_output",
        "no_model",
    }
)
"""Reasons that need a model; an answer without one then says what is missing."""
_NOT_LET_THROUGH = frozenset({"rejected", "unbacked_claim"})
"""Verdicts on what a model has answered; instead of it the person heard a sentence of ours."""
_VERIFIED: Mapping[str, Outcome] = {
    "confirmed": "confirmed",
    "pending": "pending",
    "unconfirmed": "unconfirmed",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """A row of the list; texts are None where they are not kept."""

    seq: int
    """Grows with each request, for paging; `id` is what links hold."""
    id: str
    time: datetime
    turn: int
    """The `seq` of the turn's first request: an action, its reads and the answer share it."""
    conversation: str | None
    sentence: str | None
    reply: str | None
    route: Route
    outcome: Outcome
    reason: str
    """The code of the rule that decided, else of the error."""
    error: str | None
    """The code of the error that the client got."""
    why: str | None
    target: str | None
    intent: str | None
    area: str | None
    language: str | None
    model: str | None
    """The language model that was asked."""
    total_ms: float
    model_calls: int

    @property
    def failed(self) -> bool:
        """Whether the person did not get what this request was for."""
        return self.outcome in FAILURES


@dataclass(frozen=True, slots=True)
class Detail:
    """Everything that is kept of a request."""

    summary: Summary
    requested_model: str
    metrics: Mapping[str, Any]
    """The `metrics` of the reply: `ha_route`, `ha_plan`, `ha_intent`, `ha_validation`, `ha_verify`, `ha_stages_ms` …"""
    spans: tuple[Span, ...] = ()
    calls: tuple[Mapping[str, Any], ...] = ()
    """The tool calls that the client got, each with `name` and `arguments`."""
    server_said: str = ""
    """What the model's server itself said of its error."""
    request: Mapping[str, Any] | None = None
    """The request as it came: where prompts are kept, and of the newest requests from memory."""
    exchange: Exchange | None = None
    """What the model was asked and answered, under the same condition."""
    names: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    """The names that its home was told to have, each with its kind and its aliases; None where they are not known."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The requests of one turn, oldest first."""

    requests: tuple[Summary, ...]

    @property
    def id(self) -> int:
        """The `turn` of its requests."""
        return self.requests[0].turn

    @property
    def first(self) -> Summary:
        """The request with the sentence."""
        return self.requests[0]

    @property
    def last(self) -> Summary:
        """The request that ended the turn, or the latest so far."""
        return self.requests[-1]

    @property
    def total_ms(self) -> float:
        """Our share of the turn; what Home Assistant needed in between is not in it."""
        return round(sum(r.total_ms for r in self.requests), 3)

    @property
    def model_calls(self) -> int:
        """Generations of the whole turn."""
        return sum(r.model_calls for r in self.requests)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Ids of the first requests of the next newer and the next older turn that a filter lets through."""

    newer: str | None = None
    older: str | None = None


@dataclass(frozen=True, slots=True)
class Facets:
    """The values that filters can choose among, each with its number of requests, the most frequent first."""

    routes: Mapping[str, int] = field(default_factory=dict)
    outcomes: Mapping[str, int] = field(default_factory=dict)
    intents: Mapping[str, int] = field(default_factory=dict)
    areas: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)


def summary_of(record: Mapping[str, Any], seq: int, turn: int) -> Summary:
    """Read a row from a record of `Trace.record`."""
    metrics: Mapping[str, Any] = record["metrics"]
    told, plan, intent = metrics["ha_route"], metrics.get("ha_plan", {}), metrics.get("ha_intent", {})
    return Summary(
        seq=seq,
        id=record["id"],
        time=datetime.fromisoformat(record["time"]).astimezone(UTC),
        turn=turn,
        conversation=_legible(record["conversation"]),
        sentence=_legible(record["sentence"]),
        reply=_legible(record["reply"]),
        route=_route(record, metrics),
        outcome=_outcome(record, metrics),
        reason=told["reason"] or "",
        error=record.get("error"),
        why=_legible(_why(record, told)),
        target=_legible(_target(plan, record.get("calls", ()))),
        intent=intent.get("exact"),
        area=_legible(_text(plan.get("area"))),
        language=told["language"],
        model=told["backend_model"],
        total_ms=record["total_ms"] or 0.0,
        model_calls=told["inference_calls"],
    )


def detail_of(
    record: Mapping[str, Any],
    summary: Summary,
    request: Mapping[str, Any] | None = None,
    exchange: Exchange | None = None,
) -> Detail:
    """Read everything from a record."""
    return Detail(
        summary=summary,
        requested_model=record["metrics"]["ha_route"]["requested_model"],
        metrics=record["metrics"],
        spans=tuple(record.get("spans", ())),
        calls=tuple(record.get("calls", ())),
        server_said=record.get("server_said") or "",
        request=request,
        exchange=exchange,
    )


def _why(record: Mapping[str, Any], told: Mapping[str, Any]) -> str | None:
    """Where nothing came of it, why not; what led there stays in the metrics."""
    if record.get("error") is not None and record["reply"]:
        return str(record["reply"])
    return told.get("why")


def _route(record: Mapping[str, Any], metrics: Mapping[str, Any]) -> Route:
    told = metrics["ha_route"]
    route, reason = told["route"], told["reason"]
    if record["outcome"] == "failed":
        return "failed"
    if route in {"physical", "vlm"}:
        return "physical" if route == "physical" else "vision"
    if metrics.get("ha_validation", {}).get("verdict") in _NOT_LET_THROUGH:
        return "refused"
    if route == "llm":
        return "model"
    if reason == "verify_state":
        return "verify"
    if _asked(record, reason):
        return "asked"
    return "refused" if reason in _UNDECIDED else "direct"


def _outcome(record: Mapping[str, Any], metrics: Mapping[str, Any]) -> Outcome:
    told = metrics["ha_route"]
    outcome, reason = record["outcome"], told["reason"]
    if outcome in {"failed", "disconnected", "cut_off"}:
        return outcome  # type: ignore[no-any-return]
    if outcome == "called":
        return "reading" if reason in {"verify_state", "read_state"} else "called"
    if reason == "tool_failed":
        return "not_done"
    if metrics.get("ha_validation", {}).get("verdict") in _NOT_LET_THROUGH:
        return "refused"
    if reason == "verify_state" and told["verification"] in _VERIFIED:
        return _VERIFIED[told["verification"]]
    if told["inference_calls"]:
        return "asked" if metrics.get("ha_validation", {}).get("verdict") == "asked" else "answered"
    if _asked(record, reason):
        return "asked"
    return "refused" if reason in _UNDECIDED else "answered"


def _asked(record: Mapping[str, Any], reason: str) -> bool:
    """A question of ours ends so that Home Assistant keeps listening; small talk may, without being one."""
    return record["outcome"] == "answered" and record["asks"] and reason != "small_talk"


def _target(plan: Mapping[str, Any], calls: Sequence[Mapping[str, Any]]) -> str | None:
    named = _text(plan.get("name"))
    if named is None and (targets := plan.get("targets")):
        named = ", ".join(str(t) for t in targets[:3]) + (f" +{len(targets) - 3}" if len(targets) > 3 else "")
    if named is None and calls:
        arguments = calls[0]["arguments"]
        named = _text(arguments.get("name") or arguments.get("area") or arguments.get("domain"))
    return named


def _legible(text: str | None) -> str | None:
    """Half a surrogate pair, which a model may write, fits neither a file nor a page."""
    return None if text is None else text.encode("utf-8", "replace").decode()


def _text(value: object) -> str | None:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or None
    return str(value) if value not in {None, ""} else None
