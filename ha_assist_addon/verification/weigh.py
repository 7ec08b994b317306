"""Weighs what is known of a target after an action: a change since then, a read, or nothing that proves it yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..home.entity import Entity
from .actions import Observation
from .evidence import Evidence
from .expected import Verdict, Want
from .states import StateEvents


class Source(StrEnum):
    """What told the state."""

    EVENT = "event"
    READ = "read"
    CONTEXT = "ha_context"


@dataclass(frozen=True, slots=True)
class Target:
    """An entity that a call was carried out on; `entity_id` where its events may be listened to."""

    key: str
    name: str
    call_id: str
    want: Want
    entity_id: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a read says of a target; `live` is None where it is not seen in it."""

    at: float
    verdict: Verdict
    live: Entity | None
    source: Source = Source.READ


@dataclass(frozen=True, slots=True)
class Weighed:
    """The verdict, None while nothing tells; `stale` where the state is as asked for but may be from before."""

    verdict: Verdict | None = None
    state: str | None = None
    source: Source | None = None
    stale: bool = False

    @property
    def open(self) -> bool:
        """Whether the target may still come to be as asked for."""
        return self.verdict is None or self.verdict.open


def weigh(evidence: Evidence, target: Target, readings: Sequence[Reading], now: float) -> Weighed:
    """What counts is a change since the action; a state alone counts where nothing makes it doubtful."""
    actions, events = evidence.actions, evidence.events
    action = actions.begin(target.key, target.call_id, target.want, now, again=True)
    changes = events.changes(target.entity_id) if events is not None else ()
    seen = [Observation(reading.at, reading.live) for reading in readings if reading.live is not None]
    actions.observe(target.key, changes, seen)
    for took in actions.drain_times(target.key):
        evidence.settle.reported(target.key, target.name, took.least, took.most)
    answered = actions.answered(target.key, action)
    last = readings[-1] if readings else None
    since = action.at if last is None else last.at
    if changes and changes[-1].at > since:
        # Newer than what was read. One that answers an earlier action leaves this one open.
        heard = _heard(target.want, changes[-1].after)
        if answered or heard.verdict is not Verdict.REACHED:
            return heard
        return Weighed() if last is None else replace(heard, verdict=Verdict.PENDING, stale=True)
    if last is None:
        live = events.current(target.entity_id) if events is not None else None
        if (
            live is not None
            and _reached(target.want, live)
            and actions.doubtful(target.key, action, live, waited=False)
        ):
            return Weighed(Verdict.PENDING, live.state, Source.EVENT, stale=True)
        return Weighed()
    state = last.live.state if last.live is not None else None
    if last.verdict is Verdict.UNSEEN:
        # Nothing will ever tell, so it makes nothing doubtful either.
        actions.settle(target.key, action)
    if last.verdict is not Verdict.REACHED or last.live is None:
        return Weighed(last.verdict, state, last.source)
    if not answered and actions.doubtful(target.key, action, last.live, waited=len(readings) > 1):
        return Weighed(Verdict.PENDING, state, last.source, stale=True)
    actions.settle(target.key, action)
    if events is not None and _still_to_come(events, target):
        events.doubt()
    return Weighed(Verdict.REACHED, state, last.source)


def awaits_event(evidence: Evidence, target: Target, weighed: Weighed) -> bool:
    """Whether a read would only repeat what events have told: its change is still to come, and would be told."""
    events = evidence.events
    if events is None or not events.follows(target.entity_id):
        return False
    return weighed.stale or _still_to_come(events, target)


def _heard(want: Want, live: Entity) -> Weighed:
    return Weighed(want.judge(live), live.state, Source.EVENT)


def _reached(want: Want, live: Entity) -> bool:
    return want.judge(live) is Verdict.REACHED


def _still_to_come(events: StateEvents, target: Target) -> bool:
    live = events.current(target.entity_id) if events.follows(target.entity_id) else None
    return live is not None and target.want.judge(live) in (Verdict.PENDING, Verdict.UNDER_WAY)
