"""Tells an answer that comes to no end: one that repeats itself, and one that goes on behind every limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_CALLS = 32
"""So many calls no sentence asks for."""
MOST_ROUNDS = 5
"""After so many tool rounds of one turn a model has to have its answer; Home Assistant gives up after ten."""
_CHARACTERS_PER_TOKEN = 12
_MOST_CHARACTERS = 60_000
"""Of an answer whose length nobody limits."""
_TIMES = 3
_SHORTEST = 120
"""Characters that a repetition has at least, whatever is repeated."""
_TAIL = 1500
_STEP = 60
"""After so many new characters it is looked at again."""


@dataclass(slots=True)
class EndlessWatch:
    """Follows an answer as it comes. Data of a given form may repeat itself: only its length counts."""

    most_tokens: int | None
    may_repeat: bool = False
    _length: int = 0
    _looked: int = 0
    _tail: str = ""

    def feed(self, text: str) -> bool:
        """Whether no end is in sight."""
        self._length += len(text)
        most = _MOST_CHARACTERS if self.most_tokens is None else self.most_tokens * _CHARACTERS_PER_TOKEN
        if self._length > most:
            return True
        self._tail = (self._tail + text)[-_TAIL:]
        if self.may_repeat or self._length - self._looked < _STEP:
            return False
        self._looked = self._length
        return repeats_itself(self._tail)


def repeats_itself(text: str) -> bool:
    """Whether a text ends in the same words, three times at least."""
    backwards = text[::-1]
    for length, border in enumerate(_borders(backwards), 1):
        period = length - border
        if border and length >= max(_TIMES * period, _SHORTEST):
            return True
    return False


def _borders(text: str) -> Sequence[int]:
    """For each beginning of a text, how much of it stands at its own end too."""
    found = [0] * len(text)
    border = 0
    for at in range(1, len(text)):
        while border and text[at] != text[border]:
            border = found[border - 1]
        border += text[at] == text[border]
        found[at] = border
    return found
