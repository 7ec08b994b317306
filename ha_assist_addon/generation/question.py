"""A turn that goes to a language model."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..conversation import ChatRequest
from ..home.request_home import RequestHome
from ..turn.history import Turn
from ..turn.outcome import Reason


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which home, and which targets the sentence can mean; `house` is None where there is none.

    `reason` is why it was not answered with certainty, `common` are the folded words of the language's grammar, which
    tell no device from another.
    """

    request: ChatRequest
    turn: Turn
    language: str | None
    reason: Reason
    house: RequestHome | None = None
    candidates: tuple[str, ...] = ()
    common: Collection[str] = ()
    trusted: frozenset[str] = frozenset()
    """Contributed tools, by their offered names, that the person wants called without a question."""
