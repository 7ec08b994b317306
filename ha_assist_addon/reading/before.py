"""What the turn before was about: the conversation itself is the only memory, so it is understood again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..conversation import Role as Speaker
from ..home.catalogue import Home
from ..home.entity import Entity
from ..meaning.from_calls import commands_of
from ..turn.history import Turn
from .interpretation import Interpretation

MOST_WORDS = 12
"""A longer sentence neither answers "which one?" nor leans on the one before."""
_DEEPEST = 4
"""So many turns are looked back."""

Understand = Callable[[Turn], Interpretation]


@dataclass(frozen=True, slots=True)
class Before:
    """The turn before: its sentence, what that meant, and the question of ours that ended it."""

    sentence: str
    meaning: Interpretation
    turn: Turn
    question: str | None = None

    @property
    def targets(self) -> tuple[Entity, ...]:
        """What it acted on."""
        planned = tuple({id(e): e for p in self.meaning.planned for e in p.targets}.values())
        return planned or tuple(c.entity for c in self.meaning.changes)


def read_before(turn: Turn, home: Home, understand: Understand, depth: int = 0) -> Before | None:
    """Understand the sentence before this one again; None where there is none that meant something."""
    if depth >= _DEEPEST or not turn.earlier_sentences:
        return None
    messages = turn.before
    at = max(i for i, m in enumerate(messages) if m.role is Speaker.USER and m.text.strip())
    earlier = replace(turn, sentence=turn.earlier_sentences[-1], rounds=(), before=messages[:at])
    meaning = understand(earlier)
    if not meaning.commands and meaning.certain:
        meaning = replace(meaning, commands=commands_of(meaning.planned, home))
    last = messages[-1]
    asked = last.role is Speaker.ASSISTANT and not last.tool_calls and last.text.rstrip().endswith("?")
    return Before(earlier.sentence, meaning, earlier, last.text.strip() if asked else None)
