"""The words of questions about dates and calendars: `language/<code>/agenda.yaml` beside the lexicon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from .data import look_up
from .lexicon import Lexicon, Meaning, Role, lexicon_file
from .lexicon_file import Phrases
from .question_words import without_commands
from .replies import render

EVENT, KIND = "event", "kind"
"""The values of words for whatever stands in a calendar, and for some of it: which that is, no calendar tells."""


class AgendaAsks(StrEnum):
    """What a question about dates or calendars wants to know."""

    DATE = "date"
    WEEKDAY = "weekday"
    HAS = "has"
    """What there is, or whether there is anything."""
    NEXT = "next"
    WHEN = "when"
    """When an event is that the person names in words of the calendar."""


class AgendaWords(BaseModel):
    """The file. `trailing` may end a question behind the name of an event; `said` is the answer to a date."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    date: Phrases
    weekday: Phrases
    days: Mapping[str, Phrases]
    has: Phrases
    next: Phrases
    when: Phrases
    events: Phrases
    kinds: Phrases
    small: Phrases
    trailing: Phrases
    said: str
    months: Phrases

    def asks(self) -> Iterator[tuple[str, Meaning]]:
        """The phrases that make a question, by what it wants to know."""
        listed = {
            AgendaAsks.DATE: self.date,
            AgendaAsks.WEEKDAY: self.weekday,
            AgendaAsks.HAS: self.has,
            AgendaAsks.NEXT: self.next,
            AgendaAsks.WHEN: self.when,
        }
        for kind, phrases in listed.items():
            yield from ((phrase, Meaning(Role.ASKS, kind.value)) for phrase in phrases)


@lru_cache(maxsize=16)
def agenda_words(language: str) -> AgendaWords | None:
    """The file of a language, or None where nobody wrote one."""
    loaded = look_up("agenda", language)
    return None if loaded is None else AgendaWords.model_validate(loaded)


@lru_cache(maxsize=16)
def agenda_lexicon(language: str) -> Lexicon | None:
    """The words of questions about dates and calendars, or None where nobody wrote them down."""
    file, words = lexicon_file(language), agenda_words(language)
    if file is None or words is None:
        return None
    return Lexicon(language, without_commands(file), tuple(_meanings(words)))


def say_date(day: date, weekday: str, language: str) -> str | None:
    """The answer to what date a day is."""
    words = agenda_words(language)
    if words is None:
        return None
    return render(words.said, weekday=weekday, day=day.day, month=words.months[day.month - 1], year=day.year)


def _meanings(words: AgendaWords) -> Iterator[tuple[str, Meaning]]:
    yield from words.asks()
    for day, phrases in words.days.items():
        yield from ((phrase, Meaning(Role.TIME, day)) for phrase in phrases)
    yield from ((phrase, Meaning(Role.QUALITY, EVENT)) for phrase in words.events)
    yield from ((phrase, Meaning(Role.QUALITY, KIND)) for phrase in words.kinds)
    yield from ((phrase, Meaning(Role.FILLER)) for phrase in (*words.small, *words.trailing))
