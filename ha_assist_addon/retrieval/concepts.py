"""What a sentence is about, by the words that people use for it: light, warmth, music, a list ..."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from ..language.data import look_up, parse
from ..language.words import fold_word

_FALLBACK = "en"
_SYMBOLS = "%°"
_TOKEN = re.compile(rf"[{_SYMBOLS}]|\w+")


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept; the likeliest domains and tools come first; a `wide` one speaks of many things at once."""

    name: str
    domains: tuple[str, ...] = ()
    classes: frozenset[str] = frozenset()
    tools: tuple[str, ...] = ()
    wide: bool = False


def concepts_of(sentence: str, language: str | None) -> tuple[Concept, ...]:
    """The concepts that a sentence touches, in the order of the data; in a language without data by English words."""
    text = _spelt(sentence)
    return tuple(concept for concept, pattern in _patterns(language or _FALLBACK) if pattern.search(text))


def knows_concepts(language: str | None) -> bool:
    """Whether the words of a language tell what a sentence is about."""
    return look_up("concepts", language or _FALLBACK) is not None


def _spelt(text: str) -> str:
    return " ".join(fold_word(token) for token in _TOKEN.findall(text))


@cache
def _all() -> Mapping[str, Concept]:
    loaded: dict[str, dict[str, Any]] = parse(files(__package__).joinpath("concepts.yaml").read_text(encoding="utf-8"))
    return {
        name: Concept(
            name,
            tuple(said.get("domains", ())),
            frozenset(said.get("classes", ())),
            tuple(said.get("tools", ())),
            bool(said.get("wide")),
        )
        for name, said in loaded.items()
    }


@lru_cache(maxsize=16)
def _patterns(language: str) -> tuple[tuple[Concept, re.Pattern[str]], ...]:
    words = _words(language)
    return tuple((concept, _pattern(words[name])) for name, concept in _all().items() if words.get(name))


def _words(language: str) -> Mapping[str, list[str]]:
    words: dict[str, list[str]] = look_up("concepts", language) or look_up("concepts", _FALLBACK)
    return words


def _pattern(words: list[str]) -> re.Pattern[str]:
    """Whole words, unless a `*` leaves their beginning, their end or a letter between open."""
    either = "|".join(r"\w*".join(_spelt(part) for part in word.split("*")) for word in words)
    return re.compile(rf"(?:(?<=\s)|^)(?:{either})(?=\s|$)")
