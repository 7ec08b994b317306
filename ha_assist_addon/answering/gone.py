"""What was, from the history of one entity: when it was last so, how long, how often, and what a sensor measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from ..home.entity import Entity
from ..language.replies import say
from ..language.times import WEEKDAYS, PastAsks, said_time, say_timed
from ..recognition.recognise import Candidate
from ..wording.speak import amount, clock, state_text, weekday
from .quality import holds

_DAYS_BY_NAME = 6
"""So many days ago a weekday's name is clear."""


class Span(BaseModel):
    """What is told of one state."""

    model_config = ConfigDict(frozen=True)

    times: int = 0
    seconds: float = 0.0
    began: AwareDatetime | None = None
    ended: AwareDatetime | None = None


class Changed(BaseModel):
    """A state and when it began."""

    model_config = ConfigDict(frozen=True)

    state: str
    at: AwareDatetime


class Extreme(BaseModel):
    """A value and when it was."""

    model_config = ConfigDict(frozen=True)

    value: float
    at: AwareDatetime


class HistoryResult(BaseModel):
    """What the tool tells."""

    model_config = ConfigDict(frozen=True)

    name: str
    domain: str
    device_class: str | None = None
    now: AwareDatetime
    start: AwareDatetime = Field(alias="from")
    recorded: bool = True
    state: str | None = None
    first: str | None = None
    known_from: AwareDatetime | None = None
    states: Mapping[str, Span] | None = None
    changes: tuple[Changed, ...] = ()
    changes_in_all: int = 0
    times: int | None = None
    last: AwareDatetime | float | None = None
    unit: str | None = None
    min: Extreme | None = None
    max: Extreme | None = None
    mean: float | None = None


@dataclass(frozen=True, slots=True)
class _Run:
    """A time through which the entity was so; without an end it still is."""

    began: datetime | None
    ended: datetime | None


def answer_history(candidate: Candidate, told: HistoryResult) -> str | None:
    """The answer to a question about the past, or None where what is told does not hold it."""
    if "measure" in candidate.slots:
        return _measured(candidate, told)
    if not told.recorded:
        return say_timed("no_history", candidate.language, name=told.name)
    if told.times is not None:
        return _happened(candidate, told)
    if told.states is None:
        return None
    return _was(candidate, told, told.states)


def _was(candidate: Candidate, told: HistoryResult, states: Mapping[str, Span]) -> str | None:
    language, asks = candidate.language, candidate.slots["asks"]
    quality = str(candidate.slots["quality"])
    current = told.state or ""
    fitting = {s for s in states if holds(_entity(told, s), quality)}
    word = _word(told, quality, fitting, language)
    if word is None:
        return None
    runs = _runs(told, fitting)
    seconds = sum(states[s].seconds for s in fitting)
    if candidate.slots.get("since") or (asks is PastAsks.HOW_LONG and "when" not in candidate.slots):
        if current in fitting:
            return _since(told, fitting, word, language)
        return say_timed("past_not_now", language, name=told.name, state=word, now=_state(told, current, language))
    when = _when(candidate, language)
    match asks:
        case PastAsks.WHEN:
            return _last(told, runs, word, language, when)
        case PastAsks.HOW_OFTEN:
            return _count(told, len([r for r in runs if r.began is not None]), word, when, runs, language)
        case PastAsks.HOW_LONG:
            if not seconds:
                return say_timed("past_was_not", language, name=told.name, state=word, when=when)
            return say_timed(
                "past_held", language, name=told.name, state=word, when=when, duration=duration(seconds, language)
            )
        case _:
            if not seconds and not runs:
                return say_timed("past_was_not", language, name=told.name, state=word, when=when)
            return say_timed(
                "past_was", language, name=told.name, state=word, when=when, duration=duration(seconds, language)
            )


def _word(told: HistoryResult, quality: str, fitting: set[str], language: str) -> str | None:
    """The state in words; None where the entity cannot be so, as far as is known."""
    possible = [
        *fitting,
        "on",
        "off",
        "open",
        "closed",
        "locked",
        "unlocked",
        "playing",
        "home",
        "not_home",
        "cleaning",
    ]
    state = next((s for s in possible if holds(_entity(told, s), quality)), None)
    return None if state is None else _state(told, state, language)


def _runs(told: HistoryResult, fitting: set[str]) -> list[_Run]:
    """The times through which it was so, as far back as the changes are listed."""
    runs: list[_Run] = []
    before = told.first if len(told.changes) == told.changes_in_all else None
    if before in fitting:
        runs.append(_Run(None, None))
    for change in told.changes:
        inside = change.state in fitting
        if inside and before not in fitting:
            runs.append(_Run(change.at, None))
        elif not inside and before in fitting and runs:
            runs[-1] = _Run(runs[-1].began, change.at)
        before = change.state
    return runs


def _last(told: HistoryResult, runs: Sequence[_Run], word: str, language: str, when: str | None) -> str:
    run = next((run for run in reversed(runs) if run.began is not None), None)
    if run is None or run.began is None:
        if runs:
            return say_timed(
                "past_always", language, name=told.name, state=word, start=_moment(_from(told), told, language)
            )
        if when is not None:
            return say_timed("past_was_not", language, name=told.name, state=word, when=when)
        return say_timed("past_never", language, name=told.name, state=word, start=_moment(_from(told), told, language))
    if run.ended is None:
        return say_timed("past_since", language, name=told.name, state=word, moment=_moment(run.began, told, language))
    held = (run.ended - run.began).total_seconds()
    return say_timed(
        "past_last",
        language,
        name=told.name,
        state=word,
        moment=_moment(run.began, told, language),
        duration=duration(held, language),
    )


def _since(told: HistoryResult, fitting: set[str], word: str, language: str) -> str:
    runs = _runs(told, fitting)
    began = runs[-1].began if runs else None
    if began is None:
        return say_timed(
            "past_always", language, name=told.name, state=word, start=_moment(_from(told), told, language)
        )
    return say_timed(
        "past_for",
        language,
        name=told.name,
        state=word,
        moment=_moment(began, told, language),
        duration=duration((told.now - began).total_seconds(), language),
    )


def _count(told: HistoryResult, count: int, word: str, when: str | None, runs: Sequence[_Run], language: str) -> str:
    begun = [run.began for run in runs if run.began is not None]
    more = told.changes_in_all > len(told.changes)
    return say_timed(
        "past_times",
        language,
        name=told.name,
        state=word,
        count=count,
        more=more,
        when=when,
        moment=_moment(begun[-1], told, language) if begun else None,
    )


def _happened(candidate: Candidate, told: HistoryResult) -> str | None:
    """What a doorbell or a button did."""
    language, asks = candidate.language, candidate.slots["asks"]
    last = told.last if isinstance(told.last, datetime) else None
    moment = None if last is None else _moment(last, told, language)
    if asks is PastAsks.HOW_LONG:
        return None
    if asks is PastAsks.WHEN:
        key = "happened_last" if moment else "happened_never"
        return say_timed(key, language, name=told.name, moment=moment, start=_moment(_from(told), told, language))
    return say_timed(
        "happened", language, name=told.name, count=told.times, when=_when(candidate, language), moment=moment
    )


def _measured(candidate: Candidate, told: HistoryResult) -> str | None:
    language, extreme = candidate.language, candidate.slots.get("extreme")
    if not told.recorded or told.min is None or told.max is None or told.mean is None:
        return say_timed("no_history", language, name=told.name)
    when = _when(candidate, language)
    if extreme in ("min", "max"):
        value = told.min if extreme == "min" else told.max
        return say_timed(
            f"past_{extreme}",
            language,
            name=told.name,
            when=when,
            value=amount(value.value, told.unit, language),
            moment=_moment(value.at, told, language),
        )
    mean = amount(round(told.mean, 1), told.unit, language)
    if extreme == "mean" or told.min.value == told.max.value:
        return say_timed("past_mean", language, name=told.name, when=when, value=mean)
    return say_timed(
        "past_values",
        language,
        name=told.name,
        when=when,
        min=amount(told.min.value, told.unit, language),
        max=amount(told.max.value, told.unit, language),
        mean=mean,
    )


def duration(seconds: float, language: str) -> str:
    """A span of time in its two largest units."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return say_timed("span_under_a_minute", language)
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [("days", days), ("hours", hours), ("minutes", 0 if days else minutes)]
    said = [say_timed(f"span_{unit}", language, count=count) for unit, count in parts if count]
    return f" {say('and', language)} ".join(said)


def _entity(told: HistoryResult, state: str) -> Entity:
    return Entity((told.name,), told.domain, state=state, device_class=told.device_class)


def _state(told: HistoryResult, state: str, language: str) -> str:
    return state_text(_entity(told, state), language)


def _from(told: HistoryResult) -> datetime:
    return told.start if told.known_from is None else max(told.start, told.known_from)


def _moment(at: datetime, told: HistoryResult, language: str) -> str:
    """A time of the past as one says it now."""
    at = at.astimezone(told.now.tzinfo) if at.utcoffset() is None else at
    away = (told.now.date() - at.date()).days
    time = clock(at.time(), language)
    if away <= 1:
        day = said_time("today" if away <= 0 else "yesterday", language)
    elif away <= _DAYS_BY_NAME:
        day = said_time("weekday", language).format(day=weekday(at.date(), language))
    else:
        return say_timed("moment_days_ago", language, days=away, time=time)
    return say_timed("moment", language, day=day, time=time)


def _when(candidate: Candidate, language: str) -> str | None:
    when = candidate.slots.get("when")
    if when is None:
        return None
    if when in WEEKDAYS:
        day = weekday(date(2024, 1, 1) + timedelta(days=WEEKDAYS.index(when)), language)
        return said_time("weekday", language).format(day=day)
    return said_time("last_week" if when == "week" else str(when), language)
