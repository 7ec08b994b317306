"""The states that Home Assistant's events tell of: the latest of each entity and its last changes, in memory only."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ..home.entity import Entity
from .expected import FIGURE_ATTRIBUTES

MOST_ENTITIES = 5000
MOST_CHANGES = 6
"""Changes kept of an entity: an action needs those since it was sent."""
PROMPT_SECONDS = 0.25
"""An event that comes so soon after its change shows that the events are up to date again."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change:
    """One change; `at` is when Home Assistant made it, in seconds of this machine's clock."""

    at: float
    before: Entity
    after: Entity


@dataclass(slots=True)
class _Known:
    name: str | None = None
    live: Entity | None = None
    """None until the subscription that runs now has told it."""
    stamp: float = -math.inf
    """When Home Assistant last wrote it, by its own clock."""
    changes: tuple[Change, ...] = ()


class StateEvents:
    """Filled by the task that listens to Home Assistant, asked by requests; all on one event loop.

    `same_clock` where Home Assistant runs on this machine. Else the smallest delay that an event ever had tells how the
    clocks differ.
    """

    def __init__(self, *, same_clock: bool = True) -> None:
        self._entities: dict[str, _Known] = {}
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._connected = False
        self._behind = False
        self._first_offset = self._offset = 0.0 if same_clock else math.inf

    def __len__(self) -> int:
        return len(self._entities)

    @property
    def connected(self) -> bool:
        """Whether events come at this moment."""
        return self._connected

    def begin(self, entity_ids: Iterable[str]) -> None:
        """A subscription to these entities begins: what was known is only the past until it is told again."""
        kept = list(entity_ids)[:MOST_ENTITIES]
        self._entities = {
            entity_id: _Known(known.name, changes=known.changes)
            if (known := self._entities.get(entity_id))
            else _Known()
            for entity_id in kept
        }
        self._connected, self._behind, self._offset = True, False, self._first_offset

    def end(self) -> None:
        """The connection is lost."""
        self._connected = False

    def take(self, event: Mapping[str, Any]) -> None:
        """Take in one event of `subscribe_entities`: states that were added, changed or removed."""
        for entity_id, told in _items(event.get("a")):
            self._add(entity_id, told)
        for entity_id, told in _items(event.get("c")):
            self._change(entity_id, told)
        removed = event.get("r")
        for entity_id in removed if isinstance(removed, list) else ():
            if isinstance(entity_id, str) and (known := self._entities.get(entity_id)):
                known.live = None

    def name_of(self, entity_id: str | None) -> str | None:
        """The name that Home Assistant shows it under."""
        known = self._entities.get(entity_id or "")
        return known.name if known is not None else None

    def follows(self, entity_id: str | None) -> bool:
        """Whether a change of this entity would be told at once."""
        return self._connected and not self._behind and self.current(entity_id) is not None

    def current(self, entity_id: str | None) -> Entity | None:
        """The latest state that was told, unless the connection is lost."""
        known = self._entities.get(entity_id or "")
        return known.live if known is not None and self._connected else None

    def changes(self, entity_id: str | None) -> tuple[Change, ...]:
        """The last changes, the oldest first."""
        known = self._entities.get(entity_id or "")
        return known.changes if known is not None else ()

    def doubt(self) -> None:
        """A read showed what no event has told: they are behind, until one comes in time again."""
        self._behind = True

    async def until(self, entity_ids: Iterable[str], seconds: float, ready: Callable[[], T | None]) -> T | None:
        """What `ready` gives as soon as a change of one of these makes it give anything; None after the time."""
        changed = asyncio.Event()
        watched = tuple(entity_ids)
        for entity_id in watched:
            self._waiting.setdefault(entity_id, set()).add(changed)
        try:
            async with asyncio.timeout(seconds):
                while (found := ready()) is None:
                    changed.clear()
                    await changed.wait()
                return found
        except TimeoutError:
            return None
        finally:
            for entity_id in watched:
                waiting = self._waiting[entity_id]
                waiting.discard(changed)
                if not waiting:
                    del self._waiting[entity_id]

    def _add(self, entity_id: str, told: Mapping[str, Any]) -> None:
        known, state, stamp = self._entities.get(entity_id), told.get("s"), _stamp(told)
        # Not a change: after a restart of Home Assistant it only says again what was before.
        if known is not None and isinstance(state, str) and stamp is not None and stamp > known.stamp:
            known.live, known.stamp = _entity(entity_id, state, _figures(told.get("a"))), stamp
            known.name = _name(told.get("a")) or known.name

    def _change(self, entity_id: str, told: Mapping[str, Any]) -> None:
        known, more, less = self._entities.get(entity_id), _mapping(told.get("+")), _mapping(told.get("-"))
        if known is None or known.live is None:
            return
        stamp = _stamp(more)
        if stamp is None or stamp <= known.stamp:
            return
        now, before = time.time(), known.live
        changed_attributes, removed = _mapping(more.get("a")), less.get("a")
        gone = {*changed_attributes, *(removed if isinstance(removed, list) else ())}
        figures = {name: value for name, value in before.attributes.items() if name not in gone}
        figures |= _figures(changed_attributes)
        state = more.get("s", before.state)
        known.live, known.stamp = _entity(entity_id, str(state), figures), stamp
        known.name = _name(changed_attributes) or known.name
        self._offset = min(self._offset, now - stamp)
        at = stamp + self._offset
        if now - at < PROMPT_SECONDS:
            self._behind = False
        if state != before.state or figures != before.attributes:
            known.changes = (*known.changes, Change(at, before, known.live))[-MOST_CHANGES:]
            for changed in self._waiting.get(entity_id, ()):
                changed.set()


def _entity(entity_id: str, state: str, figures: Mapping[str, Any]) -> Entity:
    return Entity((), entity_id.partition(".")[0], state=state, attributes=figures)


def _figures(attributes: Any) -> dict[str, Any]:
    told = _mapping(attributes)
    return {name: value for name in FIGURE_ATTRIBUTES if isinstance(value := told.get(name), int | float)}


def _name(attributes: Any) -> str | None:
    name = _mapping(attributes).get("friendly_name")
    return name[:255] if isinstance(name, str) else None


def _stamp(told: Mapping[str, Any]) -> float | None:
    """`lu` stands there only where it is another time than `lc`."""
    stamp = told.get("lu", told.get("lc"))
    return float(stamp) if isinstance(stamp, int | float) and math.isfinite(stamp) else None


def _items(told: Any) -> Iterable[tuple[str, Mapping[str, Any]]]:
    return [(str(key), value) for key, value in _mapping(told).items() if isinstance(value, Mapping)]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
