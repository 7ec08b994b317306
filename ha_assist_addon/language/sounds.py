"""How a word is spoken, roughly, so that words that are only written differently are found to be alike."""

from __future__ import annotations

import re
from functools import lru_cache

from .data import look_up


@lru_cache(maxsize=64)
def _rules(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(written), spoken) for written, spoken in (look_up("sounds", language) or {}).items())


@lru_cache(maxsize=32768)
def sound_of(word: str, language: str) -> str | None:
    """What a folded word sounds like, or None where we have no rules for the language."""
    rules = _rules(language)
    if not rules:
        return None
    for written, spoken in rules:
        word = written.sub(spoken, word)
    return word
