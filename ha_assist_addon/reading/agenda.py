"""Questions about dates, and about what stands in the calendars: every word is explained, or an event is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..answering.query import further_reads, plan_query
from ..home.mentions import Kind
from ..language.agenda_words import KIND, AgendaAsks, AgendaWords, agenda_lexicon, agenda_words
from ..language.lexicon import Lexicon, Role
from ..language.times import WEEKDAYS
from ..language.tokens import Token, key_of, tokens_of
from ..meaning.plan import NotPlanned
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, Reason
from .composition.question import PASSING
from .composition.spans import Span, speller_of
from .interpret import Interpreter
from .interpretation import Interpretation

_DATES = frozenset({AgendaAsks.DATE, AgendaAsks.WEEKDAY})
_CALENDAR = "HaAssistCalendar"


@dataclass(slots=True)
class _Parts:
    """What the phrases of a sentence say."""

    asks: list[AgendaAsks] = field(default_factory=list)
    days: list[str] = field(default_factory=list)
    events: set[str] = field(default_factory=set)


def interpret_agenda(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as a question about a date or the calendars, or None where it is none."""
    language = interpreter.grammar.language
    words, file = agenda_lexicon(language), agenda_words(language)
    if words is None or file is None:
        return None
    candidate = next(_whole(text, words, interpreter), None) or _named(text, words, file, interpreter)
    if candidate is None:
        return None
    planned = plan_query(candidate, interpreter.house.home, interpreter.house.toolbox)
    if isinstance(planned, NotPlanned):
        return None
    reads = further_reads(planned, interpreter.house.toolbox)
    act = Act((planned.call,), Reason.READ_STATE, "The question is about a date or a calendar, which is read first.")
    return Interpretation(act, "asked_agenda", language, reads, (candidate,))


def _whole(text: str, words: Lexicon, interpreter: Interpreter) -> Iterator[Candidate]:
    """What the sentence asks, where a phrase explains each of its words."""
    for way in speller_of(interpreter.house.home, words).parse(text).ways:
        parts = _sort(way)
        if parts is not None and (found := _asked(parts, text, words.language)) is not None:
            yield found


def _sort(way: Sequence[Span]) -> _Parts | None:
    parts = _Parts()
    for span in way:
        if span.meaning is None or span.items:
            return None
        if span.role is Role.ASKS:
            parts.asks.append(AgendaAsks(str(span.meaning.value)))
        elif span.role is Role.TIME:
            parts.days.append(str(span.meaning.value))
        elif span.role is Role.QUALITY:
            parts.events.add(str(span.meaning.value))
        elif span.role not in PASSING:
            return None
    return parts


def _asked(parts: _Parts, text: str, language: str) -> Candidate | None:
    asks, days = set(parts.asks), set(parts.days)
    if len(asks) != 1 or len(days) > 1:
        return None
    day = next(iter(days), None)
    if asks <= _DATES and day is not None and not parts.events:
        return _candidate("HassGetCurrentDate", text, language, {"day": day})
    if not parts.events:
        return None
    if asks == {AgendaAsks.NEXT} and day is None:
        return _candidate(_CALENDAR, text, language, {"range": "week"}, "reason" if KIND in parts.events else "next")
    if asks == {AgendaAsks.HAS} and day is not None:
        return _candidate(_CALENDAR, text, language, {"range": _range(day)}, "items")
    return None


def _range(day: str) -> str:
    return f"day_{WEEKDAYS.index(day)}" if day in WEEKDAYS else day


def _named(text: str, words: Lexicon, file: AgendaWords, interpreter: Interpreter) -> Candidate | None:
    """A question for the time of an event; whether there is one of these words, the calendars know."""
    if any(m.known.kind is Kind.NAME for m in interpreter.mentions(text)):
        return None
    tokens = [t for t in tokens_of(text) if not t.is_mark]
    ends = [end for end, meanings in words.starting(tokens, 0) if any(_asks_when(m.value) for m in meanings)]
    rest = tokens[max(ends, default=len(tokens)) :]
    trailing = {key_of(phrase) for phrase in file.trailing}
    while rest and rest[-1].folded in trailing:
        rest = rest[:-1]
    if not rest or not any(_says(token, words) for token in rest):
        return None
    said = text[rest[0].start : rest[-1].end]
    slots = {"range": "week", "text": said, "guess": True}
    return replace(_candidate(_CALENDAR, text, words.language, slots, "find"), free_texts=(said,))


def _asks_when(value: object) -> bool:
    return value == AgendaAsks.WHEN


def _says(token: Token, words: Lexicon) -> bool:
    """Whether a word may name something: neither a small word nor a number."""
    return token.number is None and token.folded not in words.small


def _candidate(intent: str, text: str, language: str, slots: dict[str, Any], response: str = "default") -> Candidate:
    return Candidate(intent, language, slots, {}, None, response, "", (0,), text, own=True)
