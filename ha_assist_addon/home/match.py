"""Which entities Home Assistant would act on, by its own target-matching rules (`helpers/intent.py`).

The prompt holds no device classes and, from most clients, no floors: a filter on what is not known keeps an entity,
so a `Targets` may be wider than the truth, never narrower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..conversation import JsonObject
from .catalogue import Home
from .entity import Entity, fold


class Miss(StrEnum):
    """Why nothing can be meant, in the order in which Home Assistant looks."""

    NAME = "name"
    AREA = "area"
    FLOOR = "floor"
    DOMAIN = "domain"
    NOTHING_THERE = "nothing_there"
    DUPLICATE = "duplicate"
    TOO_WIDE = "too_wide"


@dataclass(frozen=True, slots=True)
class Targets:
    """The entities that a call reaches, with those of which the prompt does not tell whether a filter takes them."""

    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class NoTargets:
    """The call reaches nothing; `candidates` are those that came nearest."""

    miss: Miss
    candidates: tuple[Entity, ...] = ()


def as_list(value: Any) -> tuple[str, ...]:
    """A filter as Home Assistant takes it: one value or a list."""
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    return (str(value),)


def find_targets(
    home: Home, arguments: JsonObject, *, domains: frozenset[str] | None = None, single: bool = False
) -> Targets | NoTargets:
    """Resolve `name`, `area`, `floor`, `domain` and `device_class`.

    `domains` are those that the tool itself is limited to; `single` is for tools that take one target only.
    """
    search = _Search(home, arguments.get("name"))
    search.by_name()
    search.of_domain(frozenset(as_list(arguments.get("domain"))) or domains or frozenset())
    search.of_class(frozenset(as_list(arguments.get("device_class"))))
    search.on_floor(arguments.get("floor"))
    search.in_area(arguments.get("area"))
    if search.miss is not None:
        return NoTargets(search.miss, search.candidates)
    if not search.found:
        return NoTargets(Miss.NOTHING_THERE)
    if len(search.found) > 1 and (search.name is not None or single):
        return search.tell_apart()
    return Targets(tuple(search.found))


class _Search:
    """Narrows the home's entities filter by filter; the first filter that leaves nothing is the miss."""

    def __init__(self, home: Home, name: object) -> None:
        self.home = home
        self.name = None if name is None else str(name)
        self.found: Sequence[Entity] = home.entities
        self.floors_guessed = False
        self.miss: Miss | None = None
        self.candidates: tuple[Entity, ...] = ()

    def _keep(self, kept: Sequence[Entity], miss: Miss, candidates: Sequence[Entity] = ()) -> None:
        if self.miss is None:
            if not kept:
                self.miss, self.candidates = miss, tuple(candidates)
            self.found = kept

    def by_name(self) -> None:
        if self.name is not None:
            self._keep(self.home.by_name.get(fold(self.name), ()), Miss.NAME)

    def of_domain(self, domains: frozenset[str]) -> None:
        if domains:
            bearers = self.found if self.name is not None else ()
            self._keep([e for e in self.found if e.domain in domains], Miss.DOMAIN, bearers)

    def of_class(self, classes: frozenset[str]) -> None:
        if classes:
            kept = [e for e in self.found if e.device_class is None or e.device_class in classes]
            self._keep(kept, Miss.NOTHING_THERE, self.found)

    def on_floor(self, floor: object) -> None:
        if floor is None:
            return
        known = self.home.floor_by_name.get(fold(str(floor)))
        names = {fold(n) for n in (known.names if known else (str(floor),))}
        placed = [(e, self.home.floor_of(e)) for e in self.found if e.area is not None]
        self.floors_guessed = not self.home.floors_known and any(on is None for _, on in placed)
        kept = [e for e, on in placed if (self.floors_guessed if on is None else fold(on) in names)]
        self._keep(kept, Miss.NOTHING_THERE, self.found)

    def in_area(self, area: object) -> None:
        if area is None:
            return
        bearers = self.found if self.name is not None else ()
        if fold(str(area)) not in self.home.area_by_name:
            self._keep((), Miss.AREA, bearers)
            return
        inside = {id(e) for e in self.home.in_area(str(area))}
        self._keep([e for e in self.found if id(e) in inside], Miss.NOTHING_THERE, bearers)

    def tell_apart(self) -> Targets | NoTargets:
        """Several bearers of one name: the satellite's area decides, or Home Assistant refuses the call."""
        here = self.home.satellite_area
        near = [e for e in self.found if here and e.area and fold(e.area) == fold(here)]
        if len(near) == 1:
            return Targets(tuple(near))
        if self.floors_guessed:
            return Targets(tuple(self.found))
        return NoTargets(Miss.DUPLICATE, tuple(self.found))
