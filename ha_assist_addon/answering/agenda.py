"""Lists, calendars and the clock: what their tools' results answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from ..language.agenda_words import say_date
from ..language.grammar import Grammar
from ..language.lexicon import lexicon
from ..language.replies import official, say
from ..language.times import WEEKDAYS
from ..language.words import fold_word, words_of
from ..recognition.recognise import Candidate
from ..wording.speak import SHORTEST_STEM, clock, enumerate_names, stem, weekday


@dataclass(frozen=True, slots=True)
class Told:
    """What a result says; not certain where the question wants more thought than a listing."""

    text: str
    certain: bool = True


_AHEAD: Mapping[str, int] = {"today": 0, "tomorrow": 1, "day_after_tomorrow": 2}
"""Days that are told from today."""
_NOT_OURS = Told("", certain=False)
"""Neither a list nor a calendar knows anything of it."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a calendar; without a time it lasts all day."""

    summary: str
    day: date
    at: time | None
    last_day: date

    @property
    def order(self) -> tuple[date, time, str]:
        """By time; what lasts all day comes first."""
        return self.day, self.at or time.min, self.summary


def answer_clock(candidate: Candidate, data: Any, grammar: Grammar) -> str | None:
    """Time, date or weekday from the result of GetDateTime."""
    clock = _read_clock(data)
    if clock is None:
        return None
    day, now = clock
    if (asked := candidate.slots.get("day")) is not None:
        that = day_of(str(asked), day)
        return say_date(that, weekday(that, candidate.language), candidate.language)
    if candidate.intent == "HaAssistWeekday":
        text = official(grammar.responses, "HassGetCurrentDate", "default", slots={"date": day, "time": now})
        name = weekday(day, candidate.language)
        if text and name.casefold() in text.casefold():
            return text
        return say("weekday", candidate.language, weekday=name, date=text)
    return official(grammar.responses, candidate.intent, candidate.response, slots={"time": now, "date": day})


def day_of(asked: str, today: date) -> date:
    """The day that a word means: the next one of a weekday, and today where it is that day."""
    ahead = _AHEAD.get(asked)
    return today + timedelta(days=(WEEKDAYS.index(asked) - today.weekday()) % 7 if ahead is None else ahead)


def _read_clock(data: Any) -> tuple[date, time] | None:
    clock = data.get("result", data) if isinstance(data, Mapping) else None
    if not isinstance(clock, Mapping):
        return None
    try:
        return date.fromisoformat(str(clock["date"])), time.fromisoformat(str(clock["time"]))
    except (KeyError, ValueError):
        return None


def answer_list(candidate: Candidate, name: str, data: Any) -> Told | None:
    """What stands on a list."""
    items = _items(data, "items")
    if items is None:
        return None
    language = candidate.language
    said = [str(i["summary"]) for i in items if i.get("summary")]
    text = (
        say("list_items", language, list=name, items=enumerate_names(said, language, 20), count=len(said))
        if said
        else say("list_empty", language, list=name)
    )
    match candidate.response:
        case "count":
            return Told(text)
        case "has":
            return _has(candidate, name, said, text)
        case "find":
            found = _about(said, str(candidate.slots.get("text", "")))
            if not found:
                return Told(text, certain=False)
            return Told(
                say("list_items", language, list=name, items=enumerate_names(found, language), count=len(found))
            )
        case _:
            return Told(text)


def _has(candidate: Candidate, name: str, items: Sequence[str], listing: str) -> Told:
    wanted = str(candidate.slots.get("text", ""))
    found = _meant(items, wanted, candidate.language) if _is_guess(candidate) else _about(items, wanted)
    if not found and _is_guess(candidate):
        return _NOT_OURS
    if found:
        return Told(say("yes_on_list", candidate.language, list=name, items=enumerate_names(found, candidate.language)))
    return Told(f"{say('no', candidate.language)} {listing}")


def answer_calendar(candidate: Candidate, results: Sequence[Any]) -> Told | None:
    """What the calendars hold: a listing, or the events that bear a word of the question."""
    events: list[Event] = []
    now: tuple[date, time] | None = None
    for data in results:
        clock = _read_clock(data)
        if clock is not None:
            now = clock
            continue
        found = _items(data, "events")
        if found is None:
            return None
        events += [e for item in found if (e := _event(item)) is not None]
    # One calendar under two names is read twice.
    events = sorted(dict.fromkeys(events), key=lambda e: e.order)
    span, language = str(candidate.slots.get("range", "week")), candidate.language
    if (ahead := _AHEAD.get(span, 0)) and now is None:
        return Told(_told(events, "week", language), certain=False)
    if ahead and now is not None:
        that = now[0] + timedelta(days=ahead)
        events = [e for e in events if e.day <= that <= e.last_day]
        span = span if span == "tomorrow" else f"day_{that.weekday()}"
    elif candidate.response == "next":
        events = _next(events, now)
    elif span.startswith("day_"):
        events = [e for e in events if e.day.weekday() == int(span[4:])]
    if _is_guess(candidate):
        meant = _meant([e.summary for e in events], str(candidate.slots.get("text", "")), language)
        events = [e for e in events if e.summary in meant]
        if not events:
            return _NOT_OURS
    if candidate.response == "reason":
        return Told(_told(events, span, language), certain=not events)
    if candidate.response == "find" and events:
        summaries = _about([e.summary for e in events], str(candidate.slots.get("text", "")))
        kept = [e for e in events if e.summary in summaries]
        if not kept:
            return Told(_told(events, span, language), certain=False)
        told = _told(kept, span, language)
        return Told(f"{len(kept)}. {told}" if candidate.slots.get("count") else told)
    return Told(_told(events, span, language))


def _next(events: Sequence[Event], now: tuple[date, time] | None) -> list[Event]:
    """The first event that has not begun, with those that begin with it; one that lasts all day is of its day."""
    if now is None:
        return list(events[:1])
    day, at = now
    ahead = [e for e in events if e.day > day or (e.day == day and (e.at is None or e.at >= at))]
    return [e for e in ahead if (e.day, e.at) == (ahead[0].day, ahead[0].at)]


def _told(events: Sequence[Event], span: str, language: str) -> str:
    when = span if span in ("today", "tomorrow") else "day" if span.startswith("day_") else "week"
    named = weekday(date(2024, 1, 1) + timedelta(days=int(span[4:])), language) if when == "day" else None
    if not events:
        return say("no_events", language, when=when, weekday=named)
    said = [
        say(
            "event",
            language,
            summary=e.summary,
            day=weekday(e.day, language) if when == "week" else None,
            time=clock(e.at, language) if e.at is not None else None,
        )
        for e in events
    ]
    return say(
        "events", language, when=when, weekday=named, events=enumerate_names(said, language, 10), count=len(said)
    )


def _items(data: Any, key: str) -> list[Mapping[str, Any]] | None:
    """The items of a result, whichever version of Home Assistant wrote it."""
    for name in (None, key, "result"):
        found = data if name is None else data.get(name) if isinstance(data, Mapping) else None
        if isinstance(found, list):
            return [item for item in found if isinstance(item, Mapping)]
    return None


def _event(item: Mapping[str, Any]) -> Event | None:
    start, end = str(item.get("start", "")), str(item.get("end", ""))
    try:
        begins = datetime.fromisoformat(start)
        ends = datetime.fromisoformat(end) if end else begins
    except ValueError:
        return None
    all_day = "T" not in start and " " not in start
    last = ends.date() - timedelta(days=1) if all_day and ends.date() > begins.date() else ends.date()
    return Event(str(item.get("summary") or ""), begins.date(), None if all_day else begins.time(), last)


def _about(texts: Iterable[str], wanted: str) -> list[str]:
    """Texts that share a word with what is asked for; words of the same stem are the same."""
    stems = [stem(w.text) for w in words_of(wanted) if len(w.text) >= 3]
    return [
        text
        for text in texts
        if stems and any(_same(wanted_stem, stem(w.text)) for w in words_of(text) for wanted_stem in stems)
    ]


def _is_guess(candidate: Candidate) -> bool:
    """Whether the sentence names no list and no calendar: only what it matches there makes it a question about them."""
    return bool(candidate.slots.get("guess"))


def _meant(texts: Iterable[str], wanted: str, language: str) -> list[str]:
    """Texts of which all words are asked for, or which hold all that is asked for."""
    asked = _content(wanted, language)
    kept = []
    for text in texts:
        own = _content(text, language)
        if asked and own and (_all_in(asked, own) or _all_in(own, asked)):
            kept.append(text)
    return kept


def _content(text: str, language: str) -> list[str]:
    """The stems of the words that say something."""
    known = lexicon(language)
    small = known.small if known is not None else frozenset()
    return [stem(w.text) for w in words_of(text) if fold_word(w.text) not in small]


def _all_in(stems: Sequence[str], others: Sequence[str]) -> bool:
    return all(any(_same(one, other) for other in others) for one in stems)


def _same(one: str, other: str) -> bool:
    return one == other or (
        min(len(one), len(other)) >= SHORTEST_STEM and (one.startswith(other) or other.startswith(one))
    )
