"""Stored sentences once more: what was not understood then and is now, and what other settings would change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING, cast

from ..diagnostics.bodies import as_chat
from ..diagnostics.query import Filter
from ..diagnostics.summary import Summary, Turn
from ..diagnostics.turn_kind import TurnKind, turn_kind
from ..errors import HaAssistError
from ..home.entity import fold
from .dry_run import DryRun, body_for, dry_run

if TYPE_CHECKING:
    from ..diagnostics.store import TraceStore
    from ..services import Services
    from ..settings.model import Settings
    from ..settings.store import SettingsStore

MOST_TURNS = 2000
MOST_REPLAYED = 30
SLOW_MS = 2000.0
"""From the sentence to the end of the turn, with the time of Home Assistant and of the device."""
MISSED: frozenset[TurnKind] = frozenset({"unmet", "asked", "failed"})
_UNDERSTOOD = frozenset({"called", "reading", "answered", "confirmed", "pending"})
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Miss:
    """A sentence that got no plain answer, with how often."""

    latest: Summary
    kind: TurnKind
    count: int


@dataclass(frozen=True, slots=True)
class Unreliable:
    """A device or area and how it fared."""

    target: str
    turns: int
    unconfirmed: int
    median_ms: float


@dataclass(frozen=True, slots=True)
class Week:
    """What deserves a look, the most frequent first."""

    misses: tuple[Miss, ...]
    unconfirmed: tuple[Unreliable, ...]
    slow: tuple[Unreliable, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A stored sentence then and now."""

    before: Summary
    after: Summary
    changed: bool

    @property
    def understood_now(self) -> bool:
        """Whether it needs neither a model nor a question any more."""
        return self.after.outcome in _UNDERSTOOD and not self.after.model_calls


async def week_of(traces: TraceStore, since: datetime) -> Week:
    """What the time since then holds."""
    turns = await turns_of(traces, Filter(since=since))
    misses: dict[str, list[Turn]] = {}
    acted: dict[str, list[Turn]] = {}
    for turn in turns:
        first, kind = turn.first, turn_kind(turn.requests)
        if kind in MISSED and first.sentence:
            misses.setdefault(fold(first.sentence), []).append(turn)
        target = next((one.target for one in turn.requests if one.target), None)
        if target and any(one.outcome == "called" for one in turn.requests) and len(turn.requests) > 1:
            acted.setdefault(target, []).append(turn)
    devices = [_fared(target, found) for target, found in acted.items()]
    return Week(
        misses=tuple(
            Miss(found[0].first, turn_kind(found[0].requests), len(found))
            for found in sorted(misses.values(), key=len, reverse=True)
        ),
        unconfirmed=tuple(sorted((d for d in devices if d.unconfirmed), key=lambda d: -d.unconfirmed)),
        slow=tuple(sorted((d for d in devices if d.median_ms >= SLOW_MS), key=lambda d: -d.median_ms)),
    )


async def replay(found: Iterable[Summary], services: Services) -> list[Replayed]:
    """Each sentence with today's version and settings, in its own home or in the latest; nothing is done or asked."""
    replayed = []
    for before in found:
        ran = await _run(before, services)
        if ran is not None:
            replayed.append(Replayed(before, ran.detail.summary, _differs(before, ran.detail.summary)))
        if len(replayed) == MOST_REPLAYED:
            break
    return replayed


async def preview(settings: Settings, services: Services, most: int = MOST_REPLAYED) -> list[Replayed]:
    """Of the latest stored sentences those that other settings would treat differently."""
    changed, seen = [], set[str]()
    other = replace(services, settings=cast("SettingsStore", _Fixed(settings)))
    for turn in await services.traces.turns(limit=_PAGE):
        first = turn.first
        if not first.sentence or fold(first.sentence) in seen:
            continue
        seen.add(fold(first.sentence))
        now, then = await _run(first, services), await _run(first, other)
        if now is not None and then is not None and _differs(now.detail.summary, then.detail.summary):
            changed.append(Replayed(now.detail.summary, then.detail.summary, True))
        if len(seen) == most:
            break
    return changed


@dataclass(frozen=True, slots=True)
class _Fixed:
    """Settings that nobody has saved."""

    current: Settings


async def _run(before: Summary, services: Services) -> DryRun | None:
    """None for what cannot be run again."""
    await asyncio.sleep(0)
    try:
        body, _ = await body_for(None, services, request_id=before.id, else_latest=True)
        return await dry_run(as_chat(body), services)
    except HaAssistError:
        return None


async def turns_of(traces: TraceStore, wanted: Filter) -> list[Turn]:
    """The newest turns of a filter, MOST_TURNS at most."""
    found: list[Turn] = []
    before: int | None = None
    while len(found) < MOST_TURNS:
        page: Sequence[Turn] = await traces.turns(wanted, before=before, limit=_PAGE)
        found += page
        if len(page) < _PAGE:
            break
        before = page[-1].id
    return found


def _fared(target: str, turns: Sequence[Turn]) -> Unreliable:
    return Unreliable(
        target=target,
        turns=len(turns),
        unconfirmed=sum(turn.last.outcome == "unconfirmed" for turn in turns),
        median_ms=round(median(_whole_ms(turn) for turn in turns), 1),
    )


def _whole_ms(turn: Turn) -> float:
    return (turn.last.time - turn.first.time).total_seconds() * 1000 + turn.last.total_ms


def _differs(before: Summary, after: Summary) -> bool:
    return (before.route, before.intent, before.target) != (after.route, after.intent, after.target)
