"""When something that is said for later is due; nothing here needs Home Assistant."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAYS = ("today", "tomorrow", "day_after_tomorrow", *WEEKDAYS)
LONGEST = 7 * 24 * 3600
"""Seconds; nothing is planned further ahead."""


def after(now: datetime, seconds: float) -> datetime:
    """So much real time from now on, also across a change of the clock."""
    return datetime.fromtimestamp(now.timestamp() + seconds, now.tzinfo)


def at_clock(now: datetime, clock: time, day: str | None = None, *, either_half: bool = False) -> datetime | None:
    """When a clock shows a time next, or on a day; None where that has passed.

    With `either_half` seven may be in the morning or in the evening: the one that comes first. A time that a change of
    the clock leaves out is due when the clock has been put on; one that comes twice is due the first time that is left.
    """
    hours = [clock.hour % 12, clock.hour % 12 + 12] if either_half else [clock.hour]
    for on in _days(now.date(), day):
        moments = [at for hour in hours for at in _moments(on, clock.replace(hour=hour), now)]
        found = [at for at in moments if at.timestamp() > now.timestamp()]
        if found:
            return min(found, key=lambda at: at.timestamp())
    return None


def _days(today: date, day: str | None) -> list[date]:
    if day is None:
        return [today, today + timedelta(days=1)]
    if day in WEEKDAYS:
        first = today + timedelta(days=(WEEKDAYS.index(day) - today.weekday()) % 7)
        # Said on a Tuesday, Tuesday is today as long as the time is still to come.
        return [first, first + timedelta(days=7)] if first == today else [first]
    return [today + timedelta(days=DAYS.index(day))]


def _moments(on: date, clock: time, now: datetime) -> list[datetime]:
    """When the clock really shows a time: twice in autumn, and in spring later by what is left out."""
    shown = datetime.combine(on, clock)
    found = [datetime.fromtimestamp(shown.replace(tzinfo=now.tzinfo, fold=f).timestamp(), now.tzinfo) for f in (0, 1)]
    return [at for at in found if at.replace(tzinfo=None, fold=0) >= shown]
