"""Which entities a reference means: every word of it has to fit each of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.home_words import HomeWords
from ..language.words import split_words
from .command import Item, Reference, Scope
from .kinds import KINDS, cover_class, is_named_as, is_of

OF_EVERY_ROOM = frozenset({"light", "switch", "cover"})
"""Domains of which every room has its own: one in another room is not meant by its kind alone."""
SWITCHED_BY_ALL = frozenset(
    {"light", "switch", "fan", "media_player", "input_boolean", "humidifier", "climate", "siren"}
)
"""What "everything" is that is switched: no cover, no lock, no robot."""

_OF_EVERYTHING = (SWITCHED_BY_ALL, frozenset({"cover"}), frozenset({"lock"}))
_ROBOTS = frozenset({"vacuum", "lawn_mower"})


@dataclass(frozen=True, slots=True)
class Found:
    """The entities that are meant.

    `area` and `floor` are what the call can name in their stead, where the reference takes in all of a domain there;
    `whole_home` says that it does so everywhere.
    """

    entities: tuple[Entity, ...]
    area: str | None = None
    floor: str | None = None
    whole_home: bool = False
    by_name: bool = False
    floor_unsure: bool = False
    """Whether nobody told which of these are on the floor: only Home Assistant can choose them."""


@dataclass(frozen=True, slots=True)
class Several:
    """More than one entity is meant, and the words do not say which."""

    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """Nothing in the home fits all words; `text` are those that say what was looked for."""

    text: str
    near: tuple[Entity, ...] = ()


Resolved = Found | Several | Missing


@dataclass(frozen=True, slots=True)
class Resolver:
    """Resolves references in one home."""

    home: Home
    words: HomeWords
    language: str

    def resolve(self, reference: Reference, domains: Collection[str], *, all_everywhere: bool = False) -> Resolved:
        """The entities of these domains that are meant; with `all_everywhere`, "all" is the whole home."""
        found = self._without_exceptions(reference, domains, all_everywhere=all_everywhere)
        if not reference.exceptions or not isinstance(found, Found):
            return found
        excepted: set[int] = set()
        for exception in reference.exceptions:
            left_out = self._matching(exception, of_everything(domains) if reference.everything else domains)
            if not left_out:
                return Missing(_text(exception))
            excepted |= left_out
        numbers = self._numbers(found.entities)
        if not excepted & numbers:
            if reference.scope is Scope.OPEN and not any(i.kind in ("area", "floor") for i in reference.items):
                return self.resolve(replace(reference, scope=Scope.HOME), domains)  # what is left out is elsewhere
            return Missing(_text(reference.exceptions[0]))
        kept = tuple(self.home.entities[n] for n in sorted(numbers - excepted))
        return Found(kept) if kept else Missing(_text(reference))

    def _without_exceptions(self, reference: Reference, domains: Collection[str], *, all_everywhere: bool) -> Resolved:
        wanted = of_everything(domains) if reference.everything else frozenset(domains)
        matching = self._matching(reference, wanted)
        if matching and not reference.everything:
            telling = self._most_telling(reference, matching)
            matching = matching if reference.both and len(telling) == 1 and len(matching) == 2 else telling
        if not matching:
            return Missing(_text(reference), self._near(reference))
        floor = next((i for i in reference.items if i.kind == "floor"), None)
        if floor is not None and any(not self._is_on(n, floor) for n in matching):
            return Found(self._entities(matching), floor=floor.text, floor_unsure=True)
        placed = any(i.kind in ("area", "floor", "name", "word") for i in reference.items)
        if not placed:
            return self._in_scope(reference, matching, all_everywhere=all_everywhere)
        return self._decide(reference, matching)

    def _matching(self, reference: Reference, domains: Collection[str]) -> set[int]:
        """The entities that every item of a reference can speak of."""
        entities, items = self.home.entities, sorted(reference.items, key=lambda item: len(item.bearers))
        spoken_of = frozenset[int].intersection(*(item.bearers for item in items)) if items else range(len(entities))
        return {n for n in spoken_of if entities[n].domain in domains}

    def _most_telling(self, reference: Reference, matching: set[int]) -> set[int]:
        """Those whose whole name is said, else those that are what the noun says, else all."""
        said = frozenset(w for item in reference.items for w in item.words)
        names = {n: self.words.says_name(n, said) for n in matching}
        most = max(names.values())
        nouns = [i for i in reference.items if i.noun is not None]
        written = any(i.kind == "name" and i.exact for i in reference.items)
        if most and (written or not reference.plural or not nouns):
            only_places = all(i.kind in ("area", "floor") for i in reference.items)
            best = {n for n in matching if names[n] == most}
            if not only_places and (most > 1 or len(best) == 1 or not nouns):
                return best
        for noun in nouns:
            matching = self._of_noun(noun, matching)
        for item in reference.items:
            if item.area is not None:
                inside = {n for n in matching if self.home.entities[n].area in item.area.names}
                matching = inside or matching
        return matching

    def _of_noun(self, noun: Item, matching: set[int]) -> set[int]:
        kind = str(noun.noun)
        of = {n for n in matching if is_of(self.home.entities[n], kind, self.language)}
        if kind in KINDS and KINDS[kind].by_name:
            called = {n for n in matching if self._is_called(n, noun)}
            if not called and KINDS[kind].domains == {"media_player"}:
                called = {n for n in matching if is_named_as(self.home.entities[n], kind, self.language)}
            if called:
                return called
        return of or {n for n in matching if not self._closes_off(n)}

    def _is_on(self, number: int, floor: Item) -> bool:
        """Whether an entity is known to be on a floor, or its name says so."""
        known = self.home.floor_of(self.home.entities[number])
        return known is not None or number in self.words.naming((floor.text, " ".join(floor.words)))

    def _closes_off(self, number: int) -> bool:
        """Whether it is a garage door or a gate, which no other noun means."""
        entity = self.home.entities[number]
        return entity.domain == "cover" and cover_class(entity, self.language) in ("garage", "gate")

    def _is_called(self, number: int, noun: Item) -> bool:
        return any(number in self.words.with_word(word) for word in noun.words)

    def _in_scope(self, reference: Reference, matching: set[int], *, all_everywhere: bool) -> Resolved:
        if not reference.items and len({self.home.entities[n].domain for n in matching} & _ROBOTS) > 1:
            return Several(self._entities(matching))
        here = self.home.satellite_area
        near = {n for n in matching if here is not None and _same(self.home.entities[n].area, here)}
        if reference.scope is Scope.HOME or (all_everywhere and reference.all and reference.scope is Scope.OPEN):
            return Found(self._entities(matching), whole_home=True)
        if near:
            named = self._called_exactly(reference, matching, near)
            return self._decide(reference, named or near, here=None if named else here)
        if reference.scope is Scope.HERE:
            return Missing(_text(reference))
        if len(matching) == 1 and not (self._is_of_every_room(matching) and here):
            return Found(self._entities(matching), by_name=True)
        if len(matching) == 1 and (self._is_special(matching) or self._is_whole_name(reference, matching)):
            return Found(self._entities(matching), by_name=True)
        if reference.both and len(matching) == 2 and not self._is_of_every_room(matching):
            return Found(self._entities(matching))
        return Several(self._entities(matching))

    def _is_of_every_room(self, matching: set[int]) -> bool:
        return bool({self.home.entities[n].domain for n in matching} & OF_EVERY_ROOM)

    def _is_special(self, matching: set[int]) -> bool:
        """Whether the only one is of a kind that a home has in one place: its garage door, its gate."""
        only = self.home.entities[next(iter(matching))]
        return only.domain == "cover" and not is_of(only, "shading", self.language)

    def _called_exactly(self, reference: Reference, matching: set[int], near: set[int]) -> set[int]:
        """What bears the noun as its name elsewhere, where nothing in this room is called so at all."""
        nouns = [i for i in reference.items if i.noun is not None]
        if len(nouns) != 1 or any(self._is_called(n, nouns[0]) for n in near):
            return set()
        key = " ".join(nouns[0].words)
        return {n for n in matching if any(" ".join(split_words(a)) == key for a in self.home.entities[n].names)}

    def _is_whole_name(self, reference: Reference, matching: set[int]) -> bool:
        """Whether all words of the only one's name are said."""
        only = next(iter(matching))
        said = frozenset(w for item in reference.items for w in item.words)
        return self.words.says_name(only, said) > 0 and not reference.plural

    def _decide(self, reference: Reference, matching: set[int], here: str | None = None) -> Resolved:
        entities = self._entities(matching)
        if reference.both and len(entities) != 2:
            return Several(entities)
        if len(entities) == 1 and not self._by_place(reference, here):
            return Found(entities, by_name=True)
        if len(entities) > 1 and self._one_name(entities) and not reference.plural:
            near = [e for e in entities if _same(e.area, self.home.satellite_area)]
            return Found((near[0],), by_name=True) if len(near) == 1 else Several(entities)
        if len(entities) > 1 and not self._is_group(reference, entities):
            return Several(entities)
        area, floor = here, None
        for item in reference.items:
            if item.area is not None:
                area = item.text if item.exact else item.area.name
            elif item.kind == "floor":
                floor = item.text
        return Found(entities, area, floor)

    @staticmethod
    def _by_place(reference: Reference, here: str | None) -> bool:
        """Whether the words tell a kind of thing and a place, and no name."""
        kinds = {i.kind for i in reference.items}
        placed = here is not None or "area" in kinds or "floor" in kinds
        return placed and not kinds & {"name", "word"} and any(i.noun is not None for i in reference.items)

    def _is_group(self, reference: Reference, entities: Sequence[Entity]) -> bool:
        """Whether the words mean all of them: several are spoken of, or the light or the music of a room."""
        if reference.plural:
            return True
        named = any(i.kind in ("name", "word") for i in reference.items)
        nouns = {i.noun for i in reference.items if i.noun is not None}
        if named:
            return False
        return (all(e.domain == "light" for e in entities) and nouns <= {"light"}) or (
            all(e.domain == "media_player" for e in entities) and nouns <= {"media", "music", "title"}
        )

    @staticmethod
    def _one_name(entities: Sequence[Entity]) -> bool:
        return len({fold(e.name) for e in entities}) == 1

    def _entities(self, numbers: set[int]) -> tuple[Entity, ...]:
        return tuple(self.home.entities[n] for n in sorted(numbers))

    def _numbers(self, entities: Sequence[Entity]) -> set[int]:
        wanted = set(map(id, entities))
        return {n for n, e in enumerate(self.home.entities) if id(e) in wanted}

    def _near(self, reference: Reference) -> tuple[Entity, ...]:
        """What fits the place and one other word."""
        found = [i.bearers for i in reference.items if i.kind != "area"]
        return self._entities(set(frozenset.intersection(*found)))[:3] if found else ()


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and fold(one) == fold(other)


def _text(reference: Reference) -> str:
    return " ".join(dict.fromkeys(item.text for item in reference.items))


def of_everything(domains: Collection[str]) -> frozenset[str]:
    """The domains of what "everything" is, among those that can be meant: what is switched, else covers or locks."""
    return next((of for kind in _OF_EVERYTHING if (of := kind & frozenset(domains))), frozenset())
