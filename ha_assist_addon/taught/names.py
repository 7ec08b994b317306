"""Taught names in a home: read like Home Assistant's own aliases, and never sent to it, as it does not know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from ..home.catalogue import Home
from ..home.entity import Area, Entity, fold
from ..home.request_home import RequestHome
from .lessons import Lessons
from .model import AliasOf, TaughtAlias

_WITH_NAMES: WeakKeyDictionary[Home, dict[Lessons, Home]] = WeakKeyDictionary()
"""What was made of a home that is kept, for as long as it is kept."""
_MOST_KEPT = 2
"""What is in force, and what somebody is about to teach."""


def with_taught_names(house: RequestHome, lessons: Lessons) -> RequestHome:
    """The house with the taught names of its devices and areas; a name that somebody else bears is left out."""
    if not lessons.aliases or not house.home.entities:
        return house
    made = _WITH_NAMES.setdefault(house.home, {})
    if lessons not in made:
        while len(made) >= _MOST_KEPT:
            del made[next(iter(made))]
        made[lessons] = _named(house.home, lessons.aliases)
    return replace(house, home=made[lessons])


def in_known_names(arguments: Mapping[str, Any], home: Home) -> dict[str, Any]:
    """A call's arguments as Home Assistant knows them: the device's and the area's own names for taught ones."""
    known = dict(arguments)
    area = home.area_by_name.get(fold(known["area"])) if isinstance(known.get("area"), str) else None
    if area is not None and fold(known["area"]) in area.taught:
        known["area"] = area.name
    name = known.get("name")
    bearers = home.by_name.get(fold(name), ()) if isinstance(name, str) else ()
    bearer = next((one for one in bearers if fold(str(name)) in one.taught), None)
    if bearer is not None:
        known["name"] = bearer.name
        same = [one for one in home.by_name.get(fold(bearer.name), ()) if one.domain == bearer.domain]
        if len(same) > 1 and bearer.area is not None:
            known["area"] = bearer.area
    return known


def as_taught(live: Sequence[Entity], home: Home) -> list[Entity]:
    """What Home Assistant told of the states, with the taught names that it does not know."""
    named = {(fold(e.name), e.domain, fold(e.area or "")): e for e in home.entities if e.taught}
    areas = {fold(a.name): a for a in home.areas if a.taught}
    if not named and not areas:
        return list(live)
    found = []
    for one in live:
        bearer, area = named.get((fold(one.name), one.domain, fold(one.area or ""))), areas.get(fold(one.area or ""))
        found.append(
            replace(
                one,
                names=tuple(dict.fromkeys((*one.names, *(bearer.names if bearer else ())))),
                areas=tuple(dict.fromkeys((*one.areas, *(area.names if area else ())))),
            )
        )
    return found


def entities_named(of: AliasOf, home: Home) -> list[Entity]:
    """The devices that an alias is for: one, unless the home has two that nothing tells apart."""
    return [
        one
        for one in home.by_name.get(fold(of.name), ())
        if one.domain == of.domain and fold(one.name) == fold(of.name) and fold(one.area or "") == fold(of.area or "")
    ]


def bearer_of(name: str, home: Home) -> str | None:
    """What the home calls by this name already: its own name."""
    for mention in home.names.mentions(name):
        if (mention.start, mention.end) == (0, len(name)):
            return mention.known.value
    return None


def _named(home: Home, aliases: Sequence[TaughtAlias]) -> Home:
    entities, areas = list(home.entities), list(home.areas)
    places = {id(entity): place for place, entity in enumerate(home.entities)}
    for one in aliases:
        if bearer_of(one.alias, home) is not None:
            continue
        if one.of.domain is None:
            _name_area(areas, one)
            continue
        found = entities_named(one.of, home)
        if len(found) != 1:
            continue
        at = places[id(found[0])]
        entities[at] = replace(
            entities[at],
            names=(*entities[at].names, one.alias),
            taught=entities[at].taught | {fold(one.alias)},
        )
    return replace(home, entities=tuple(entities), areas=tuple(areas))


def _name_area(areas: list[Area], one: TaughtAlias) -> None:
    for at, area in enumerate(areas):
        if fold(area.name) == fold(one.of.name):
            areas[at] = replace(area, names=(*area.names, one.alias), taught=area.taught | {fold(one.alias)})
