"""The words of questions about states: those of the lexicon that name and join, and the part `questions`.

It holds `asks` (what makes a sentence a question, by the keys of `Asks`), `qualities` (keys of quality.py),
`verbs` (qualities that ask by themselves where they stand first: "brennt das Licht"), `measures` (keys of measure.py)
and `words` (`or`, `anything`, `somebody`, `at_home`, and `small`, which change nothing).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache

from .lexicon import Lexicon, Meaning, Role, command_phrases, lexicon_file
from .lexicon_file import LexiconFile, Phrases
from .tokens import key_of


class Asks(StrEnum):
    """What a question wants to know."""

    IF = "if"
    """Whether something is so."""
    WHAT = "what"
    """A quantity, or what else the sentence names."""
    WHAT_IS = "what_is"
    """Which things, of whatever kind, are so: "what is open"."""
    STATE = "state"
    """How something is."""
    HOW_MANY = "how_many"
    WHICH = "which"
    ANY = "any"
    """Makes "is" a question about at least one."""
    PLAYING = "playing"
    """What a player plays."""
    ITEMS = "items"
    """What is on a list."""
    COUNT_ITEMS = "count_items"


OR = "or"
"""The value of the joint between two states."""

SOMEBODY, AT_HOME = "somebody", "home"
"""The values of words for whoever it is, and for where a person is when at home."""

_TABLES = (
    *("verbs", "bare", "states", "comparatives", "complaints", "quantities", "colours", "levels", "whites", "factors"),
    *("low_high", "units", "degrees", "ordinals", "lists", "questions"),
)
_LISTS = ("wishes", "delta", "absolute", "joints", "except_", "again", "mean", "half", "current")
"""What commands alone are made of: a question that holds such a word is not understood by composing."""


@lru_cache(maxsize=16)
def question_lexicon(language: str) -> Lexicon | None:
    """The words of questions in a language, or None where nobody wrote them down."""
    file = lexicon_file(language)
    if file is None or not file.questions:
        return None
    return Lexicon(language, without_commands(file), tuple(_meanings(file)))


def is_home(text: str, language: str) -> bool:
    """Whether a place that is told of a person is the home."""
    return key_of(text) in _words_for_home(language)


@lru_cache(maxsize=16)
def _words_for_home(language: str) -> frozenset[str]:
    file = lexicon_file(language)
    return (
        frozenset(map(key_of, file.questions.get("words", {}).get("at_home", ()))) if file is not None else frozenset()
    )


def without_commands(file: LexiconFile) -> LexiconFile:
    """The lexicon without what commands alone are made of."""
    without: dict[str, object] = {**{table: {} for table in _TABLES}, **dict.fromkeys(_LISTS, ())}
    return file.model_copy(update=without)


def lexicon_phrases(language: str) -> Iterator[str]:
    """Every phrase of a lexicon, of commands and of questions; none where we have none."""
    file = lexicon_file(language)
    if file is not None:
        yield from command_phrases(language, file)
        yield from (phrase for phrase, _ in _meanings(file))


def _meanings(file: LexiconFile) -> Iterator[tuple[str, Meaning]]:
    parts = file.questions
    yield from _table(parts.get("asks", {}), Role.ASKS)
    yield from _table(parts.get("qualities", {}), Role.QUALITY)
    for quality, phrases in parts.get("verbs", {}).items():
        yield from ((phrase, Meaning(Role.QUALITY, quality, (Asks.IF.value,))) for phrase in phrases)
    yield from _table(parts.get("measures", {}), Role.MEASURE)
    words = parts.get("words", {})
    yield from ((phrase, Meaning(Role.JOINT, OR)) for phrase in words.get("or", ()))
    yield from ((phrase, Meaning(Role.EVERYTHING, Asks.ANY.value)) for phrase in words.get("anything", ()))
    yield from ((phrase, Meaning(Role.EVERYTHING, SOMEBODY)) for phrase in words.get("somebody", ()))
    yield from ((phrase, Meaning(Role.QUALITY, AT_HOME)) for phrase in words.get("at_home", ()))
    yield from ((phrase, Meaning(Role.FILLER)) for phrase in words.get("small", ()))


def _table(table: Mapping[str, Phrases], role: Role) -> Iterator[tuple[str, Meaning]]:
    for value, phrases in table.items():
        yield from ((phrase, Meaning(role, value)) for phrase in phrases)
