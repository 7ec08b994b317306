"""The words, numbers and marks of a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .words import ELISION, fold_word

_TOKEN = re.compile(
    rf"(?<![\w.,])[-−]?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|{ELISION}|[^\W\d_]+(?:['’][^\W\d_]+)*['’]?|[%°&+,;.!?:]",
    re.UNICODE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a mark of a sentence, with its folded form and its place."""

    text: str
    folded: str
    start: int
    end: int

    @property
    def number(self) -> float | None:
        """The number that is written in digits."""
        digits = self.text.replace("−", "-").replace(",", ".")
        return float(digits) if digits.lstrip("-")[:1].isdecimal() else None

    @property
    def is_mark(self) -> bool:
        """Whether it only separates."""
        return self.folded in ",;.!?:"


def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of a sentence."""
    return tuple(Token(m.group(), fold_word(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(text))


def key_of(text: str) -> str:
    """A short answer as it is compared: folded words without marks."""
    return " ".join(t.folded for t in tokens_of(text) if not t.is_mark)
