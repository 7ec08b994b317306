"""Which entities Home Assistant would act on, by its own target-matching rules (`helpers/intent.py`).

The prompt holds no device classes and, from most clients, no floors: a filter on what is not known keeps an entity, so a
`Targets` may be wider than the truth, never narrower.
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
    """The entities that a call reaches; `exact` when no filter had to be guessed."""

    entities: tuple[Entity, ...]
    exact: bool = True


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


def find_targets(home: Home, arguments: JsonObject, *, domains: frozenset[str] | None = None, single: bool = False) -> Targets | NoTargets:
    """Resolve `name`, `area`, `floor`, `domain` and `device_class`.

    `domains` are those that the tool itself is limited to; `single` is for tools that take one target only.
    """
    name, area, floor = arguments.get("name"), arguments.get("area"), arguments.get("floor")
    wanted = frozenset(as_list(arguments.get("domain"))) or domains or frozenset()
    classes = frozenset(as_list(arguments.get("device_class")))
    exact = True
    found: Sequence[Entity] = home.entities
    if name is not None:
        found = home.by_name.get(fold(str(name)), ())
        if not found:
            return NoTargets(Miss.NAME)
    if wanted:
        kept = tuple(e for e in found if e.domain in wanted)
        if not kept:
            return NoTargets(Miss.DOMAIN, tuple(found) if name is not None else ())
        found = kept
    if classes:
        exact = exact and all(e.device_class is not None for e in found)
        kept = tuple(e for e in found if e.device_class is None or e.device_class in classes)
        if not kept:
            return NoTargets(Miss.NOTHING_THERE, tuple(found))
        found = kept
    if floor is not None:
        known = home.floor_by_name.get(fold(str(floor)))
        floors = {fold(a.name): a.floor for a in home.areas}
        exact = exact and known is not None and all(floors.get(fold(e.area or "")) is not None for e in found)
        kept = tuple(e for e in found if e.area is not None and _may_be_on(floors.get(fold(e.area)), known.names if known else (str(floor),)))
        if not kept:
            return NoTargets(Miss.NOTHING_THERE, tuple(found))
        found = kept
    if area is not None:
        if fold(str(area)) not in home.area_by_name:
            return NoTargets(Miss.AREA, tuple(found) if name is not None else ())
        inside = {id(e) for e in home.in_area(str(area))}
        kept = tuple(e for e in found if id(e) in inside)
        if not kept:
            return NoTargets(Miss.NOTHING_THERE, tuple(found) if name is not None else ())
        found = kept
    if not found:
        return NoTargets(Miss.NOTHING_THERE)
    if (name is not None or single) and len(found) > 1:
        near = tuple(e for e in found if home.satellite_area and e.area and fold(e.area) == fold(home.satellite_area))
        if len(near) == 1:
            return Targets(near, exact)
        if floor is not None and not exact:
            return Targets(tuple(found), exact)
        return NoTargets(Miss.DUPLICATE, tuple(found))
    return Targets(tuple(found), exact)


def _may_be_on(floor: str | None, names: Sequence[str]) -> bool:
    return floor is None or fold(floor) in {fold(n) for n in names}
