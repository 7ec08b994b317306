"""Words for floors: the prompt names none, but Home Assistant resolves a floor's name exactly or refuses it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from ..language.data import look_up
from .mentions import Kind, Known, Mention

_SUFFIXING = frozenset(
    {"de", "de-CH", "et", "eu", "fi", "hu", "hy", "is", "ka", "ko", "ja", "th", "tr", "zh-CN", "zh-HK", "zh-TW"}
)
"""Languages that write more behind a floor word: by inflection, in compounds, or without spaces."""


def _said_and_named(words: Iterable[str | Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    for word in words:
        if isinstance(word, Mapping):
            yield from ((said.casefold(), named) for said, named in word.items())
        else:
            yield str(word).casefold(), str(word)


@lru_cache(maxsize=128)
def _floors(language: str) -> Mapping[str, str]:
    return dict(_said_and_named(look_up("floors", language) or ()))


@lru_cache(maxsize=128)
def _pattern(language: str) -> re.Pattern[str] | None:
    words = _floors(language)
    if not words:
        return None
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    end = "" if language in _SUFFIXING else r"(?!\w)"
    return re.compile(rf"(?<!\w)(?:{either}){end}", re.IGNORECASE)


def floor_words(language: str) -> tuple[str, ...]:
    """The floor names of a language, as people say them."""
    return tuple(_floors(language))


def floor_mentions(sentence: str, language: str) -> tuple[Mention, ...]:
    """Common floor words in a sentence; what it says is passed on, or the plain form of an inflected word."""
    pattern, names = _pattern(language), _floors(language)
    if pattern is None:
        return ()
    return tuple(
        Mention(said, m.start(), m.end(), Known(_spelt(said, names), Kind.FLOOR))
        for m in pattern.finditer(sentence)
        for said in (m.group(),)
    )


def _spelt(said: str, names: Mapping[str, str]) -> str:
    named = names.get(said.casefold(), said)
    return said if named.casefold() == said.casefold() else named
