"""Beginnings of words that turn their meaning around: `auf` and `ab`, `un` and nothing."""

from __future__ import annotations

from functools import lru_cache

from .data import look_up
from .words import fold_word


@lru_cache(maxsize=64)
def _prefixes(language: str) -> tuple[str, ...]:
    """The prefixes of a language, folded, the longest first."""
    return tuple(sorted(map(fold_word, look_up("prefixes", language) or ()), key=len, reverse=True))


def turns_around(word: str, other: str, language: str) -> bool:
    """Whether two folded words begin with different prefixes, so that one may mean the opposite of the other."""
    prefixes = _prefixes(language)
    one = next((p for p in prefixes if word.startswith(p)), None)
    two = next((p for p in prefixes if other.startswith(p)), None)
    return one is not None and two is not None and one != two
