"""How long entities took to report after an action: from it comes the first wait for a slow one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

MOST_ENTITIES = 500
MOST_TIMES = 8
SILENT_TRIES = 3
"""After so many actions in a row without a report the panel names the device."""
LONGEST_SECONDS = 600.0
_MARGIN = 0.03
"""Seconds on top of what was measured: the report and the read have their ways to go."""


@dataclass(frozen=True, slots=True)
class Settling:
    """What is known of an entity; each time is between two figures, which are the same where an event told it."""

    entity: str
    name: str
    times: tuple[tuple[float, float], ...] = ()
    """In seconds, the newest last."""
    silent: int = 0
    """How many of the last actions it has not reported, in a row."""

    @property
    def seconds(self) -> float | None:
        """When it can be expected to have reported: as late as it ever was of late, as near as that is known."""
        if not self.times:
            return None
        least = max(low for low, _ in self.times)
        most = min((high for low, high in self.times if high >= least), default=least)
        if most - least <= max(0.05, most / 10):
            return most
        return (least + most) / 2

    @property
    def is_silent(self) -> bool:
        """Whether it has not reported for some tries now."""
        return self.silent >= SILENT_TRIES


class SettleTimes:
    """By entity, bounded; `keep` gets each that has changed."""

    def __init__(self) -> None:
        self.keep: Callable[[Settling], None] = lambda _: None
        self._known: OrderedDict[str, Settling] = OrderedDict()

    def load(self, known: Iterable[Settling]) -> None:
        """Take over what was kept; what was learned since the start is newer."""
        kept = {one.entity: one for one in known if one.entity not in self._known}
        self._known = OrderedDict(list({**kept, **self._known}.items())[-MOST_ENTITIES:])

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()

    def all(self) -> tuple[Settling, ...]:
        """The silent ones first, then the slowest."""
        return tuple(sorted(self._known.values(), key=lambda s: (-s.silent, -(s.seconds or 0.0), s.name)))

    def reported(self, entity: str, name: str, least: float, most: float) -> None:
        """It reported so many seconds after an action."""
        if not 0 <= least <= most <= LONGEST_SECONDS:
            return
        known = self._of(entity, name)
        times = (*known.times, (round(least, 3), round(most, 3)))[-MOST_TIMES:]
        self._set(replace(known, times=times, silent=0))

    def confirmed(self, entity: str) -> None:
        """It was found as asked for, whenever that came to be."""
        known = self._known.get(entity)
        if known is not None and known.silent:
            self._set(replace(known, silent=0))

    def missed(self, entity: str, name: str) -> None:
        """It has not reported an action in the time that there was."""
        known = self._of(entity, name)
        self._set(replace(known, silent=known.silent + 1))

    def first_wait(self, entities: Iterable[str]) -> float | None:
        """Seconds after an action at which the slowest of these can be expected to have reported; None if unknown."""
        known = (self._known.get(entity) for entity in entities)
        times = [one.seconds + _MARGIN for one in known if one is not None and one.seconds is not None]
        return max(times, default=None)

    def _of(self, entity: str, name: str) -> Settling:
        known = self._known.get(entity) or Settling(entity, name)
        return replace(known, name=name)

    def _set(self, settling: Settling) -> None:
        self._known[settling.entity] = settling
        self._known.move_to_end(settling.entity)
        while len(self._known) > MOST_ENTITIES:
            self._known.popitem(last=False)
        self.keep(settling)
