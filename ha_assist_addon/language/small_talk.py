"""Thanks, greetings and goodbyes: sentences that ask for nothing, and what is said back to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from .data import look_up, read_text
from .tokens import key_of

_LONGEST = 10
"""Words; a longer sentence says more than that."""


def talk_back(sentence: str, language: str) -> str | None:
    """What is said back to a sentence that is nothing but small talk; what it ends with counts."""
    words = tuple(key_of(sentence).split())
    phrases, answers = _phrases(language)
    kind = ""
    if len(words) > _LONGEST:
        return None
    while words:
        length = next((n for n in range(len(words), 0, -1) if words[:n] in phrases), 0)
        if not length:
            return None
        kind = phrases[words[:length]] or kind
        words = words[length:]
    return answers.get(kind)


def said_in(language: str) -> Iterator[str]:
    """The phrases of small talk in exactly this language."""
    if read_text("small_talk", language) is not None:
        for phrases in look_up("small_talk", language)["said"].values():
            yield from map(str, phrases)


@lru_cache(maxsize=16)
def _phrases(language: str) -> tuple[Mapping[tuple[str, ...], str], Mapping[str, str]]:
    """What each phrase is, by its words; nothing for one that only leads to another."""
    loaded = look_up("small_talk", language)
    if loaded is None:
        return {}, {}
    found = {tuple(key_of(str(p)).split()): "" for p in loaded["leads"]}
    found.update({tuple(key_of(str(p)).split()): kind for kind, listed in loaded["said"].items() for p in listed})
    return found, loaded["answers"]
