"""What became of a command for later, what is planned, and what was cancelled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import AwareDatetime, Field

from ..language.times import said_time, say_timed
from ..wording.speak import clock, enumerate_names, weekday
from .our_results import Told, read_told

_MOST = 10
_WHY = {"passed": "schedule_passed", "opens": "schedule_opens", "too_far": "schedule_too_far", "full": "schedule_full"}


class _Item(Told):
    what: str = Field(max_length=255)
    at: AwareDatetime


class _Listed(Told):
    now: AwareDatetime
    items: tuple[_Item, ...] | None = None
    cancelled: tuple[_Item, ...] | None = None


class _Scheduled(Told):
    scheduled: bool
    why: str = ""
    now: AwareDatetime | None = None
    what: str = ""
    at: AwareDatetime | None = None


def answer_scheduled(data: Any, language: str) -> str | None:
    """When it will be done, or why not; None where what was told cannot be read."""
    told = read_told(_Scheduled, data)
    if told is None:
        return None
    if not told.scheduled:
        return say_timed(_WHY.get(told.why, "schedule_not"), language)
    if told.at is None or told.now is None:
        return None
    moment = _moment(told.at, told.now, language)
    return say_timed("schedule_done", language, moment=moment[:1].upper() + moment[1:], what=told.what)


def answer_list(data: Any, language: str) -> str | None:
    """What is planned."""
    told = _listed(data)
    if told is None or told.items is None:
        return None
    if not told.items:
        return say_timed("scheduled_none", language)
    return say_timed("scheduled_items", language, count=len(told.items), items=_said(told.items, told.now, language))


def answer_cancelled(data: Any, language: str) -> str | None:
    """What was taken back."""
    told = _listed(data)
    if told is None or told.cancelled is None:
        return None
    if not told.cancelled:
        return say_timed("cancelled_none", language)
    return say_timed("cancelled", language, items=_said(told.cancelled, told.now, language))


def _listed(data: Any) -> _Listed | None:
    return read_told(_Listed, data)


def _said(items: Sequence[_Item], now: datetime, language: str) -> str:
    said = [say_timed("scheduled_item", language, moment=_moment(i.at, now, language), what=i.what) for i in items]
    return enumerate_names(said, language, _MOST)


def _moment(at: datetime, now: datetime, language: str) -> str:
    away = (at.date() - now.date()).days
    if away in (0, 1):
        day = said_time("today" if away == 0 else "tomorrow", language)
    else:
        day = said_time("weekday", language).format(day=weekday(at.date(), language))
    return say_timed("moment", language, day=day, time=clock(at.time(), language))
