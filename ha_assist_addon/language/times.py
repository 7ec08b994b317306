"""The words of questions about what comes and what was: `language/<code>/times.yaml` beside the lexicon.

A language without the file is asked about neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from .data import look_up
from .lexicon import Lexicon, Meaning, Role, lexicon_file
from .lexicon_file import LexiconFile, Phrases
from .question_words import without_commands
from .replies import render
from .tokens import key_of


class PastAsks(StrEnum):
    """What a question about the past wants to know."""

    WHEN = "when"
    HOW_LONG = "how_long"
    HOW_OFTEN = "how_often"
    WAS = "was"
    """Whether something was so, or what a value was."""


FUTURE = "future"
"""The value of words that speak of what comes, without naming a time."""
SKIES = frozenset({"rain", "dry", "snow", "sun", "clouds", "fog", "wind", "storm", "hail", "clear"})
"""Conditions that can be asked for; answering/weather.py says what they are."""
WARMTH = frozenset({"temperature", "warm", "cold"})
WEATHER_KEYS = SKIES | WARMTH | {"weather"}
EXTREMES = frozenset({"max", "min", "mean"})
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PARTS = ("morning", "afternoon", "evening")
COMING = frozenset(
    {
        "today", "tonight", "tomorrow", "day_after_tomorrow", "weekend", "week", *WEEKDAYS,
        *(f"this_{part}" for part in _PARTS), *(f"tomorrow_{part}" for part in (*_PARTS, "night")),
    }
)  # fmt: skip
GONE = frozenset(
    {
        "today", "yesterday", "last_night", "last_hour", "last_24_hours", "week", *WEEKDAYS,
        *(f"this_{part}" for part in _PARTS), *(f"yesterday_{part}" for part in _PARTS),
    }
)  # fmt: skip


class ForecastWords(BaseModel):
    """What is asked of the weather that comes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    times: Mapping[str, Phrases]
    weather: Mapping[str, Phrases]
    future: Phrases
    small: Phrases


class PastWords(BaseModel):
    """What is asked of the past.

    `qualities` are those that only the past has ("opened", "rang"), `verbs` those that ask by themselves ("lief").
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    times: Mapping[str, Phrases]
    asks: Mapping[PastAsks, Phrases]
    qualities: Mapping[str, Phrases]
    verbs: Mapping[str, Phrases] = Field(default_factory=dict)
    extremes: Mapping[str, Phrases]
    small: Phrases


class ScheduleWords(BaseModel):
    """What tells when something is to be done, by keys that later.py explains, and what lists and cancels."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    phrases: Mapping[str, Phrases]
    not_behind: Phrases
    """Words behind which a time is none at which something is to be done: "until ten"."""
    list: Phrases
    cancel_last: Phrases
    cancel_all: Phrases


class TimesFile(BaseModel):
    """`times.yaml`; `said` are the times as they stand in an answer, `answers` the sentences, as Jinja2 templates."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    forecast: ForecastWords
    past: PastWords
    undo: Phrases
    """Whole sentences by which somebody takes back what was done."""
    schedule: ScheduleWords
    said: Mapping[str, str]
    answers: Mapping[str, str]


@lru_cache(maxsize=16)
def times_file(language: str) -> TimesFile | None:
    """The file of a language, or None where nobody wrote one."""
    loaded = look_up("times", language)
    return None if loaded is None else TimesFile.model_validate(loaded)


@lru_cache(maxsize=16)
def forecast_lexicon(language: str) -> Lexicon | None:
    """The words of questions about the weather that comes."""
    words = _words(language)
    if words is None:
        return None
    file, times = words
    return Lexicon(language, without_commands(file), tuple(_coming(times.forecast)))


@lru_cache(maxsize=16)
def past_lexicon(language: str) -> Lexicon | None:
    """The words of questions about the past."""
    words = _words(language)
    if words is None:
        return None
    file, times = words
    return Lexicon(language, without_commands(file), tuple(_gone(times.past, file)))


class Whole(StrEnum):
    """What a whole sentence asks one of our tools for."""

    UNDO = "undo"
    LIST = "list"
    CANCEL_LAST = "cancel_last"
    CANCEL_ALL = "cancel_all"


@lru_cache(maxsize=16)
def whole_sentences(language: str) -> Mapping[str, Whole]:
    """The keys of such sentences; none in a language that nobody wrote them in."""
    file = times_file(language)
    if file is None:
        return {}
    later = file.schedule
    listed = {
        Whole.UNDO: file.undo,
        Whole.LIST: later.list,
        Whole.CANCEL_LAST: later.cancel_last,
        Whole.CANCEL_ALL: later.cancel_all,
    }
    return {key_of(phrase): whole for whole, phrases in listed.items() for phrase in phrases}


@lru_cache(maxsize=16)
def courtesies(language: str) -> tuple[str, ...]:
    """What may stand before and behind them, the longest first."""
    file = lexicon_file(language)
    listed = (*file.courtesies, *file.wake_words) if file is not None else ()
    return tuple(sorted({key_of(phrase) for phrase in listed} - {""}, key=len, reverse=True))


def said_time(key: str, language: str) -> str:
    """A time as it stands in an answer."""
    return _answering(language).said[key]


def say_timed(key: str, language: str, **values: Any) -> str:
    """A sentence about a time."""
    return render(_answering(language).answers[key], **values)


def _answering(language: str) -> TimesFile:
    """The words of a language that was asked in; English where it has none."""
    file = times_file(language) or times_file("en")
    if file is None:
        raise FileNotFoundError("times.yaml")
    return file


def _words(language: str) -> tuple[LexiconFile, TimesFile] | None:
    file, times = lexicon_file(language), times_file(language)
    return None if file is None or times is None else (file, times)


def _coming(words: ForecastWords) -> Iterator[tuple[str, Meaning]]:
    yield from _table(words.times, Role.TIME)
    yield from _table(words.weather, Role.WEATHER)
    yield from ((phrase, Meaning(Role.ASKS, FUTURE)) for phrase in words.future)
    yield from ((phrase, Meaning(Role.FILLER)) for phrase in words.small)


def _gone(words: PastWords, file: LexiconFile) -> Iterator[tuple[str, Meaning]]:
    yield from _table(words.times, Role.TIME)
    yield from _table(words.asks, Role.ASKS)
    yield from _table(file.questions.get("qualities", {}), Role.QUALITY)
    yield from _table(words.qualities, Role.QUALITY)
    for quality, phrases in words.verbs.items():
        yield from ((phrase, Meaning(Role.QUALITY, quality, (PastAsks.WAS.value,))) for phrase in phrases)
    yield from _table(file.questions.get("measures", {}), Role.MEASURE)
    yield from _table(words.extremes, Role.LEVEL)
    yield from ((phrase, Meaning(Role.FILLER)) for phrase in words.small)


def _table(table: Mapping[Any, Iterable[str]], role: Role) -> Iterator[tuple[str, Meaning]]:
    for value, phrases in table.items():
        yield from ((phrase, Meaning(role, str(value))) for phrase in phrases)
