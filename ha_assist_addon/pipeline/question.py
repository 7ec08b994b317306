"""A turn that goes to a language model."""

from __future__ import annotations

from dataclasses import dataclass

from ..conversation import ChatRequest
from .context import House
from .history import Turn


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which home, and which targets the sentence can mean; `house` is None where there is none."""

    request: ChatRequest
    turn: Turn
    language: str | None
    house: House | None = None
    candidates: tuple[str, ...] = ()
