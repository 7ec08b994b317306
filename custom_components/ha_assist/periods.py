"""The times that a question about the past can name, as spans of time; nothing here needs Home Assistant."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 23)}
"""From which hour to which."""
NIGHT = (22, 7)
"""From one day into the next."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PERIODS = (
    "today",
    "yesterday",
    "last_night",
    *(f"this_{part}" for part in PARTS),
    *(f"yesterday_{part}" for part in PARTS),
    *WEEKDAYS,
    "last_hour",
    "last_24_hours",
    "last_7_days",
    "last_10_days",
)
_ROLLING = {"last_hour": 1, "last_24_hours": 24, "last_7_days": 168, "last_10_days": 240}


def span_of(period: str, now: datetime) -> tuple[datetime, datetime]:
    """The span of a period as seen from `now`, a time in the home's zone; it ends now at the latest.

    The start lies in the future where the period has not begun.
    """
    today = now.date()
    if (hours := _ROLLING.get(period)) is not None:
        return _earlier(now, timedelta(hours=hours)), now
    if period == "last_night":
        evening = today - timedelta(days=1)
        return _cut(_at(evening, NIGHT[0], now), _at(evening + timedelta(days=1), NIGHT[1], now), now)
    if period in WEEKDAYS:
        # The day itself is today's name's last week: of today one says "today".
        back = (today.weekday() - WEEKDAYS.index(period)) % 7 or 7
        day = today - timedelta(days=back)
        return _cut(_at(day, 0, now), _at(day + timedelta(days=1), 0, now), now)
    which, _, part = period.partition("_")
    day = today - timedelta(days=1) if which == "yesterday" else today
    if not part:
        return _cut(_at(day, 0, now), _at(day + timedelta(days=1), 0, now), now)
    first, last = PARTS[part]
    return _cut(_at(day, first, now), _at(day, last, now), now)


def _at(day: date, hour: int, now: datetime) -> datetime:
    return datetime.combine(day, time(hour), now.tzinfo)


def _earlier(now: datetime, by: timedelta) -> datetime:
    """So much real time ago, also across a change of the clock."""
    return datetime.fromtimestamp(now.timestamp() - by.total_seconds(), now.tzinfo)


def _cut(start: datetime, end: datetime, now: datetime) -> tuple[datetime, datetime]:
    # Times are compared as instants: within one zone Python would compare what the clocks show.
    return start, now if end.timestamp() > now.timestamp() else end
