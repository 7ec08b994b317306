"""Where a sentence can be taken apart: conjunctions, exceptions, and the articles before a target."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from .data import look_up
from .words import words_of


@dataclass(frozen=True, slots=True)
class Joints:
    """The joining words of one language, as patterns."""

    joint: re.Pattern[str]
    exception: re.Pattern[str] | None
    both: re.Pattern[str] | None
    here: re.Pattern[str] | None
    everywhere: re.Pattern[str] | None
    articles: re.Pattern[str]


@lru_cache(maxsize=64)
def joints(language: str) -> Joints | None:
    """The joining words of a language, or None where we have none: such a language gets no compound commands."""
    data = look_up("conjunctions", language)
    if data is None:
        return None
    return Joints(
        joint=re.compile(rf"\s*(?:{_either(data['joints'])})\s+", re.IGNORECASE),
        exception=_words(data["except"]),
        both=_words(data["both"]),
        here=_words(data["here"]),
        everywhere=_words(data["everywhere"]),
        articles=re.compile(rf"(?:(?:{_either(data['articles'])})\s*)*", re.IGNORECASE),
    )


@lru_cache(maxsize=64)
def joint_words(language: str) -> frozenset[str]:
    """Every single word that joins, announces or excepts in a language."""
    data = look_up("conjunctions", language) or {}
    return frozenset(word.text for phrases in data.values() for phrase in phrases for word in words_of(phrase))


def _either(words: Iterable[str]) -> str:
    return "|".join(map(_whole, sorted(words, key=len, reverse=True)))


def _whole(word: str) -> str:
    """A word or phrase that ends where a word ends, and begins where one begins unless it begins with a mark."""
    before = r"(?<!\w)" if word[0].isalpha() else ""
    after = r"(?!\w)" if word[-1].isalpha() else ""
    return f"{before}{re.escape(word)}{after}"


def _words(words: Iterable[str]) -> re.Pattern[str] | None:
    listed = list(words)
    return re.compile(rf"\s*(?:{_either(listed)})\s*", re.IGNORECASE) if listed else None
