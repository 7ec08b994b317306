"""Short ids for devices and areas: a small model copies `e3` right where it would misspell a name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from ..home.catalogue import Home
from ..home.entity import Area, Entity, fold


@dataclass(frozen=True, slots=True)
class Handles:
    """What each id of a prompt stands for; `e1` is the first entity listed, `a1` the first area."""

    home: Home
    entities: Mapping[str, Entity]
    areas: Mapping[str, Area]

    @classmethod
    def of(cls, home: Home, entities: Sequence[Entity], areas: Sequence[Area]) -> Self:
        """Number the entities and areas in their order."""
        return cls(
            home,
            {f"e{number}": entity for number, entity in enumerate(entities, 1) if entity.name},
            {f"a{number}": area for number, area in enumerate(areas, 1)},
        )

    def of_domains(self, domains: frozenset[str] | None) -> Iterator[str]:
        """The ids of entities in these domains; None means all."""
        return (handle for handle, entity in self.entities.items() if domains is None or entity.domain in domains)

    def entity(self, text: str) -> Entity | None:
        """The listed entity of an id or of one of its names, where only one can be meant."""
        if (meant := self.entities.get(text.strip())) is not None:
            return meant
        named = [e for e in self.entities.values() if fold(text) in map(fold, e.names)]
        return named[0] if len(named) == 1 else None

    def area(self, text: str) -> Area | None:
        """The area of an id or of one of its names, any area of the home."""
        return self.areas.get(text.strip()) or self.home.area_by_name.get(fold(text))

    def is_ambiguous(self, entity: Entity) -> bool:
        """Whether another entity of the home bears the name too."""
        return len(self.home.by_name.get(fold(entity.name), ())) > 1
