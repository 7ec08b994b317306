"""What became of a turn, as the person in the room would say it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, get_args

from .summary import FAILURES, Outcome, Route

TurnKind = Literal["done", "answered", "asked", "model", "unmet", "failed", "open", "physical"]
TURN_KINDS: tuple[TurnKind, ...] = get_args(TurnKind)
"""`done` acted and `answered` told, both without a model; `unmet` needed a model and got no answer from one;
`open` has not ended; `physical` was meant for a model by name and says nothing of HA-Assist."""
_ACTED: frozenset[Outcome] = frozenset({"called", "confirmed", "pending"})


class Step(Protocol):
    """What of a request decides."""

    @property
    def route(self) -> Route:
        """As of a summary."""
        ...

    @property
    def outcome(self) -> Outcome:
        """As of a summary."""
        ...

    @property
    def model_calls(self) -> int:
        """Generations."""
        ...


def turn_kind(steps: Sequence[Step]) -> TurnKind:
    """Of the requests of one turn, oldest first."""
    last = steps[-1]
    if all(step.route == "physical" for step in steps):
        return "physical"
    if last.outcome in FAILURES:
        return "failed"
    if last.outcome == "refused":
        return "unmet"
    if last.outcome == "asked":
        return "asked"
    if any(step.model_calls for step in steps):
        return "model"
    if last.outcome == "reading":
        return "open"
    return "done" if any(step.outcome in _ACTED for step in steps) else "answered"
