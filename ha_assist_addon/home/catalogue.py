"""The home that a system prompt describes: entities, areas, and where the satellite stands."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from .entity import Area, Entity, fold
from .entity_list import LARGEST_LIST, list_block, read_entities, too_large
from .mentions import NameIndex, index_names, known_names

_HEADING = re.compile(r"^Static Context:[^\n]*\n", re.MULTILINE)
_SATELLITE = re.compile(r"^You are in area (?P<place>[^\n]+?) and all generic commands like", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Home:
    """Everything a request tells of the home; immutable, shared between requests with the same prompt.

    `floors_known` says that `floors` is complete, which the prompt alone never is.
    """

    entities: tuple[Entity, ...] = ()
    areas: tuple[Area, ...] = ()
    floors: tuple[Area, ...] = ()
    satellite_area: str | None = None
    satellite_floor: str | None = None
    floors_known: bool = False

    @cached_property
    def indexes(self) -> dict[object, Any]:
        """What readers have made of this home, by what it is: kept as long as the home itself."""
        return {}

    @cached_property
    def by_name(self) -> dict[str, tuple[Entity, ...]]:
        """Entities by each of their names, folded as Home Assistant compares them."""
        return _group((key, entity) for entity in self.entities for key in dict.fromkeys(map(fold, entity.names)))

    @cached_property
    def names(self) -> NameIndex:
        """All names of the home, for finding them in sentences."""
        return index_names(tuple(known_names(self.entities, self.areas, self.floors)))

    @cached_property
    def sample(self) -> str:
        """Names of areas and some entities as one text, to tell which language the home is named in."""
        return " ".join([a.name for a in self.areas] + [e.name for e in self.entities[:60]])

    @cached_property
    def by_domain(self) -> dict[str, tuple[Entity, ...]]:
        """Entities by domain."""
        return _group((entity.domain, entity) for entity in self.entities)

    @cached_property
    def area_by_name(self) -> dict[str, Area]:
        """Areas by name and alias, folded."""
        return {fold(name): area for area in reversed(self.areas) for name in area.names}

    @cached_property
    def floor_by_name(self) -> dict[str, Area]:
        """Floors by name and alias, folded."""
        return {fold(name): floor for floor in reversed(self.floors) for name in floor.names}

    @cached_property
    def domains(self) -> frozenset[str]:
        """The domains that the home has."""
        return frozenset(self.by_domain)

    def floor_of(self, entity: Entity) -> str | None:
        """The floor that an entity is on, as far as anybody told."""
        area = self.area_by_name.get(fold(entity.area)) if entity.area else None
        return entity.floor or (area.floor if area else None)

    def in_area(self, name: str) -> tuple[Entity, ...]:
        """Entities of an area, by any of its names."""
        area = self.area_by_name.get(fold(name))
        return self.by_area.get(fold(area.name), ()) if area is not None else ()

    @cached_property
    def by_area(self) -> dict[str, tuple[Entity, ...]]:
        """Entities by the own name of their area, folded."""
        return _group((fold(entity.area), entity) for entity in self.entities if entity.area is not None)


def _group(pairs: Iterable[tuple[str, Entity]]) -> dict[str, tuple[Entity, ...]]:
    groups: dict[str, list[Entity]] = {}
    for key, entity in pairs:
        groups.setdefault(key, []).append(entity)
    return {key: tuple(entities) for key, entities in groups.items()}


def read_home(system_text: str) -> Home:
    """Read the prompt of Home Assistant 2025.4 and later; a prompt without a list gives an empty home.

    Raises `InvalidRequest` for a prompt that would take many seconds.
    """
    if len(system_text) > LARGEST_LIST:
        raise too_large()
    entities: list[Entity] = []
    position = 0
    while heading := _HEADING.search(system_text, position):
        block, position = list_block(system_text, heading.end())
        entities.extend(read_entities(block))
    satellite = _SATELLITE.search(system_text)
    area, floor = _place(satellite["place"]) if satellite else (None, None)
    return Home(
        entities=tuple(dict.fromkeys(entities))
        if position and system_text.count("Static Context:") > 1
        else tuple(entities),
        areas=_areas(entities, area, floor),
        floors=(Area((floor.strip(),)),) if floor else (),
        satellite_area=area,
        satellite_floor=floor.strip() if floor else None,
    )


def _place(text: str) -> tuple[str, str | None]:
    """`Kitchen (floor Ground floor)` as the area and its floor."""
    area, _, floor = text.partition(" (floor ")
    return (area.strip(), floor.removesuffix(")")) if floor.endswith(")") else (text.strip(), None)


def _areas(entities: Iterable[Entity], satellite: str | None, floor: str | None) -> tuple[Area, ...]:
    names: dict[str, dict[str, None]] = {}
    for entity in entities:
        if entity.areas:
            names.setdefault(entity.areas[0], {}).update(dict.fromkeys(entity.areas))
    if satellite:
        names.setdefault(satellite, {satellite: None})
    return tuple(Area(tuple(aliases), floor if name == satellite else None) for name, aliases in names.items())


class HomeCache:
    """Homes by the text of their prompt; the least recently used falls out.

    `limit` bounds their number, `most_characters` the length of all prompts: an entity takes some 65 of them, and
    1.6 kB of memory.
    """

    def __init__(self, limit: int = 16, most_characters: int = 1_500_000) -> None:
        self._homes: OrderedDict[str, Home] = OrderedDict()
        self._prepared: WeakKeyDictionary[Home, object] = WeakKeyDictionary()
        self._limit = limit
        self._most_characters = most_characters
        self._lock = Lock()
        self.hits = 0
        self.misses = 0

    def get(self, system_text: str) -> Home:
        """The home of this prompt, read once."""
        with self._lock:
            home = self._homes.get(system_text)
            if home is not None:
                self._homes.move_to_end(system_text)
                self.hits += 1
                return home
        home = read_home(system_text)
        with self._lock:
            self.misses += 1
            self._homes[system_text] = home
            while len(self._homes) > 1 and self._is_full():
                self._homes.popitem(last=False)
        return home

    def _is_full(self) -> bool:
        return len(self._homes) > self._limit or sum(map(len, self._homes)) > self._most_characters

    def is_prepared(self, system_text: str, context: object) -> bool:
        """Whether the home of this prompt, with this context, was marked as ready to use at once."""
        with self._lock:
            home = self._homes.get(system_text)
            return home is not None and self._prepared.get(home, self) is context

    def mark_prepared(self, system_text: str, context: object) -> None:
        """Remember that all that is made of this home, with this context, has been made."""
        with self._lock:
            if (home := self._homes.get(system_text)) is not None:
                self._prepared[home] = context
