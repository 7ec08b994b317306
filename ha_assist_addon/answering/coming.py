"""The weather that comes, from a forecast of days or hours. Only what it holds is said, and days it lacks are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from ..home.entity import Entity
from ..language.replies import say
from ..language.times import SKIES, WEEKDAYS, said_time, say_timed
from ..recognition.recognise import Candidate
from ..wording.speak import amount, enumerate_names, number, state_text, weekday
from .weather import CONDITIONS

LIKELY = 50
"""Percent from which on a forecast says yes to rain."""
_WORTH_SAYING = 20
_HOURS = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 23)}
_NIGHT = (20, 6)
_WET = frozenset({"rain", "snow", "hail", "storm"})


class Entry(BaseModel):
    """One day or hour."""

    model_config = ConfigDict(frozen=True)

    datetime: AwareDatetime
    condition: str | None = None
    temperature: float | None = None
    templow: float | None = None
    precipitation: float | None = None
    precipitation_probability: float | None = None
    wind_speed: float | None = None


class ForecastResult(BaseModel):
    """What the tool tells."""

    model_config = ConfigDict(frozen=True)

    now: AwareDatetime
    type: str
    temperature_unit: str = "°"
    wind_speed_unit: str | None = None
    forecast: tuple[Entry, ...] = Field(max_length=200)


@dataclass(frozen=True, slots=True)
class _Day:
    """What is told of one day, or of a part of it."""

    day: date
    condition: str | None
    conditions: frozenset[str]
    low: float | None
    high: float | None
    chance: float | None
    wind: float | None


def answer_forecast(candidate: Candidate, told: ForecastResult) -> str:
    """The weather of the time that is asked for; where only whole days are known, that of the day."""
    language, about, when = candidate.language, str(candidate.slots["about"]), str(candidate.slots["when"])
    days = _days(told, when)
    if not days:
        return say_timed("forecast_ends", language)
    if about in SKIES and about != "wind":
        return _whether(about, days, told, when, language)
    if about in ("warm", "cold"):
        return _extreme(about, days, told, when, language)
    if about == "wind" and any(d.wind is not None for d in days):
        return _windy(days, told, when, language)
    return " ".join(_sentence(d, told, _called(d, days, told, when, language), language) for d in days)


def _days(told: ForecastResult, when: str) -> list[_Day]:
    today = told.now.date()
    wanted = _dates(when, today)
    if told.type == "hourly":
        start, end = _part(when, today)
        hours = [e for e in told.forecast if start <= e.datetime.replace(tzinfo=None) < end]
        return [_of(hours[0].datetime.date(), hours)] if hours else []
    by_day: dict[date, list[Entry]] = {}
    for entry in told.forecast:
        by_day.setdefault(entry.datetime.date(), []).append(entry)
    return [_of(day, by_day[day]) for day in wanted if day in by_day]


def _dates(when: str, today: date) -> list[date]:
    if when == "week":
        return [today + timedelta(days=n) for n in range(7)]
    if when == "weekend":
        saturday = today + timedelta(days=(5 - today.weekday()) % 7)
        return [today] if today.weekday() == 6 else [saturday, saturday + timedelta(days=1)]
    if when in WEEKDAYS:
        return [today + timedelta(days=(WEEKDAYS.index(when) - today.weekday()) % 7)]
    if when == "day_after_tomorrow":
        return [today + timedelta(days=2)]
    return [today + timedelta(days=1) if when.startswith("tomorrow") else today]


def _part(when: str, today: date) -> tuple[datetime, datetime]:
    """From when to when a part of a day lasts, by the clocks of the home."""
    which, _, part = when.partition("_")
    day = today + timedelta(days=1) if which == "tomorrow" else today
    first = datetime.combine(day, datetime.min.time())
    if part in _HOURS:
        start, end = _HOURS[part]
        return first + timedelta(hours=start), first + timedelta(hours=end)
    if which == "tonight" or part == "night":
        return first + timedelta(hours=_NIGHT[0]), first + timedelta(days=1, hours=_NIGHT[1])
    return first, first + timedelta(days=1)


def _of(day: date, entries: Sequence[Entry]) -> _Day:
    conditions = [e.condition for e in entries if e.condition]
    degrees = [e.temperature for e in entries if e.temperature is not None]
    lows = [e.templow for e in entries if e.templow is not None]
    chances = [e.precipitation_probability for e in entries if e.precipitation_probability is not None]
    winds = [e.wind_speed for e in entries if e.wind_speed is not None]
    return _Day(
        day,
        Counter(conditions).most_common(1)[0][0] if conditions else None,
        frozenset(conditions),
        min([*lows, *degrees], default=None),
        max(degrees, default=None),
        max(chances, default=None),
        max(winds, default=None),
    )


def _holds(about: str, day: _Day) -> bool:
    if about == "dry":
        return not (_holds("rain", day) or _holds("snow", day))
    if day.conditions & CONDITIONS[about]:
        return True
    return about == "rain" and (day.chance or 0) >= LIKELY and not day.conditions & CONDITIONS["snow"]


def _whether(about: str, days: Sequence[_Day], told: ForecastResult, when: str, language: str) -> str:
    holding = [d for d in days if _holds(about, d)]
    if len(days) == 1:
        said = _sentence(days[0], told, _called(days[0], days, told, when, language), language)
        return f"{say('yes' if holding else 'no', language)} {said}"
    if not holding:
        return say_timed("forecast_none", language, when=_when(when, language), until=weekday(days[-1].day, language))
    names = enumerate_names([_day_name(d.day, told, language) for d in holding], language)
    return say_timed("forecast_on", language, days=names)


def _extreme(about: str, days: Sequence[_Day], told: ForecastResult, when: str, language: str) -> str:
    values = [(v, d) for d in days if (v := d.high if about == "warm" else d.low) is not None]
    if not values:
        return say("no_forecast", language)
    value, day = max(values, key=lambda v: v[0]) if about == "warm" else min(values, key=lambda v: v[0])
    return say_timed(
        "forecast_highest" if about == "warm" else "forecast_lowest",
        language,
        when=_capital(_when(when, language)) if len(days) > 1 else _called(day, days, told, when, language),
        value=amount(value, told.temperature_unit, language),
        day=_day_name(day.day, told, language) if len(days) > 1 else None,
    )


def _windy(days: Sequence[_Day], told: ForecastResult, when: str, language: str) -> str:
    wind, day = max(((d.wind or 0.0, d) for d in days), key=lambda pair: pair[0])
    return say_timed(
        "forecast_wind",
        language,
        when=_called(day, days, told, when, language),
        value=amount(wind, told.wind_speed_unit, language),
    )


def _sentence(day: _Day, told: ForecastResult, when: str, language: str) -> str:
    weather = state_text(Entity((), "weather", state=day.condition), language) if day.condition else None
    low, high = day.low, day.high
    wet = bool(day.chance is not None and day.chance >= _WORTH_SAYING)
    return say_timed(
        "forecast_day",
        language,
        when=when,
        weather=weather,
        low=number(low, language) if low is not None and low != high else None,
        high=amount(high, told.temperature_unit, language) if high is not None else None,
        chance=amount(day.chance or 0, "%", language) if wet else None,
    )


def _called(day: _Day, days: Sequence[_Day], told: ForecastResult, when: str, language: str) -> str:
    """The time as a sentence begins with it: that which was asked for, unless only the whole day is known."""
    exact = told.type == "hourly" or "_" not in when or when == "day_after_tomorrow"
    if len(days) == 1 and exact and when not in ("week", "weekend") and (when != "tonight" or told.type == "hourly"):
        return _capital(_when(when, language))
    return _capital(_day_name(day.day, told, language))


def _day_name(day: date, told: ForecastResult, language: str) -> str:
    away = (day - told.now.date()).days
    if away in (0, 1):
        return _when("today" if away == 0 else "tomorrow", language)
    template = said_time("weekday", language)
    return template.format(day=weekday(day, language))


def _when(when: str, language: str) -> str:
    if when in WEEKDAYS:
        template = said_time("weekday", language)
        return template.format(day=weekday(date(2024, 1, 1) + timedelta(days=WEEKDAYS.index(when)), language))
    return said_time(when, language)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
