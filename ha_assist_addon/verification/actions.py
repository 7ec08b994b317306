"""The actions of the last minutes, and which of them a change has answered: a state from before proves nothing."""

from __future__ import annotations

import time
from bisect import insort
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..home.entity import Entity
from .expected import Verdict, Want
from .states import Change

MOST_CALLS = 1000
MOST_ENTITIES = 1000
MOST_OPEN = 8
OPEN_SECONDS = 30.0
"""How long an action that nothing has answered makes the states of its target doubtful."""
_JUST = 1e-3
_UNTOLD = frozenset({None, "unknown", "unavailable"})
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True, order=True)
class Action:
    """What was asked of an entity, and when it was sent; `anonymous` where that is only guessed."""

    at: float
    call_id: str
    want: Want = field(compare=False)
    anonymous: bool = field(default=False, compare=False)
    guessed: bool = field(default=False, compare=False)
    """Only the conversation tells of it: it may be long over."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The change that answered an action came between `least` and `most` seconds after it was sent."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Observation:
    """A state, and when it was there; `before` where it is a change."""

    at: float
    live: Entity
    before: Entity | None = None


@dataclass(slots=True)
class _Target:
    open: list[Action] = field(default_factory=list)
    answered: OrderedDict[tuple[str, float], None] = field(default_factory=OrderedDict)
    took: list[Answered] = field(default_factory=list)
    """Of answered actions, until somebody asks."""
    last: Observation | None = None


@dataclass(slots=True)
class Waited:
    """The waits that a turn has had, and how many seconds they were."""

    count: int = 0
    seconds: float = 0.0


class RecentActions:
    """Told of each call that goes out and of each state that is seen; bounded, and in memory only."""

    def __init__(self, open_seconds: float = OPEN_SECONDS) -> None:
        self._open_seconds = open_seconds
        self._sent: OrderedDict[str, float] = OrderedDict()
        self._waited: OrderedDict[str, Waited] = OrderedDict()
        self._targets: OrderedDict[str, _Target] = OrderedDict()

    def sent(self, call_id: str) -> None:
        """A call goes out now."""
        _put(self._sent, call_id, time.time(), MOST_CALLS)
        self._waited.pop(call_id, None)

    def sent_at(self, call_id: str) -> float | None:
        """When it went out; None where nobody remembers."""
        return self._sent.get(call_id)

    def waited(self, call_id: str) -> Waited | None:
        """The waits since a call of ours; None where nobody remembers it."""
        if call_id not in self._sent:
            return None
        return self._waited.get(call_id) or _put(self._waited, call_id, Waited(), MOST_CALLS)

    def knows(self, target: str) -> bool:
        """Whether anything was done with it since the start."""
        return target in self._targets

    def guess(self, target: str, call_id: str, want: Want, now: float) -> None:
        """An action before `now` that was not ours: until a wait is over it makes a state doubtful."""
        action = Action(now - _JUST, call_id, want, anonymous=True, guessed=True)
        _put(self._targets, target, _Target([action]), MOST_ENTITIES)

    def begin(self, target: str, call_id: str, want: Want, now: float, *, again: bool = False) -> Action:
        """An action that Home Assistant has carried out; `again` in a later request of the same turn."""
        known = self._targets.get(target)
        if known is None:
            known = _put(self._targets, target, _Target(), MOST_ENTITIES)
        self._targets.move_to_end(target)
        at = self._sent.get(call_id)
        action = Action(now if at is None else at, call_id, want, anonymous=at is None)
        if action.anonymous:
            # The id may be anybody's, and used in every turn: it means the latest.
            earlier = [*(one.at for one in known.open if one.call_id == call_id), *_times(known.answered, call_id)]
            if again and earlier:
                action = replace(action, at=max(earlier))
            else:
                known.open = [one for one in known.open if one.call_id != call_id]
        known.open = [one for one in known.open if one == action or now - one.at < self._open_seconds]
        if action not in known.open and (call_id, action.at) not in known.answered:
            insort(known.open, action)
            del known.open[:-MOST_OPEN]
        return action

    def observe(self, target: str, changes: Iterable[Change], reads: Iterable[Observation]) -> None:
        """Take in what was seen of a target, in the order of time; what is older than the last is left out."""
        known = self._targets.get(target)
        if known is None:
            return
        seen = [*(Observation(c.at, c.after, c.before) for c in changes), *reads]
        for one in sorted(seen, key=lambda o: o.at):
            if known.last is None or one.at > known.last.at:
                self._take(known, one)

    def answered(self, target: str, action: Action) -> bool:
        """Whether a change since it was sent has answered it."""
        known = self._targets.get(target)
        return known is not None and (action.call_id, action.at) in known.answered

    def doubtful(self, target: str, action: Action, live: Entity, *, waited: bool) -> bool:
        """Whether this state may be from before: an earlier action that is still open should have ended it.

        One that is only guessed makes it doubtful until it was `waited` for once.
        """
        known = self._targets.get(target)
        return known is not None and any(
            one < action and one.want.judge(live) is not Verdict.REACHED and not (one.guessed and waited)
            for one in known.open
        )

    def settle(self, target: str, action: Action) -> None:
        """A state that nothing makes doubtful is as asked for: it and what came before it are done."""
        if (known := self._targets.get(target)) is not None and action in known.open:
            self._close(known, action)

    def drain_times(self, target: str) -> Sequence[Answered]:
        """How long the changes took that have answered an action since this was last asked."""
        known = self._targets.get(target)
        if known is None:
            return ()
        took, known.took = known.took, []
        return took

    def _take(self, known: _Target, seen: Observation) -> None:
        """A change to what the first open action wants answers it, and with it all before it."""
        last, known.last = known.last, seen
        befores = [] if seen.before is None else [seen.before]
        # The read that saw it first and the event that tells it later are one change.
        if last is not None and last.before is None and seen.at - last.at < self._open_seconds:
            befores.append(last.live)
        if not befores or any(one.state in _UNTOLD for one in befores):
            return
        if seen.before is None and last is not None and known.open and last.at < known.open[0].at:
            # Of two reads the change came somewhere between, perhaps before any action that is still open.
            return
        for action in known.open:
            if (
                action.at <= seen.at
                and action.want.judge(seen.live) is Verdict.REACHED
                and all(action.want.judge(one) is not Verdict.REACHED for one in befores)
            ):
                least = seen.at if seen.before is not None or last is None else last.at
                if not action.anonymous:
                    known.took = [*known.took, Answered(max(0.0, least - action.at), seen.at - action.at)][-MOST_OPEN:]
                self._close(known, action)
                return

    @staticmethod
    def _close(known: _Target, action: Action) -> None:
        for one in [one for one in known.open if one <= action]:
            _put(known.answered, (one.call_id, one.at), None, MOST_OPEN)
        known.open = [one for one in known.open if one > action]


def _times(answered: Iterable[tuple[str, float]], call_id: str) -> Iterable[float]:
    return (at for known_id, at in answered if known_id == call_id)


def _put(into: OrderedDict[K, V], key: K, value: V, most: int) -> V:
    into[key] = value
    into.move_to_end(key)
    while len(into) > most:
        into.popitem(last=False)
    return value
