"""Which entities and places a sentence names, wholly or nearly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..home.catalogue import Home
from ..home.entity import Area, fold
from ..home.floors import floor_mentions
from ..home.mentions import Kind, Mention
from ..language.lexicon import lexicon
from ..language.words import folded_words, words_of
from .lexical import alike, compared_words, same_stem

_MOST_NAMED = 40
"""Bearers of names that are held to be meant; more of them tell nothing."""

_INFLECTED, _PIECE, _WITHIN = 40.0, 20.0, 12.0
"""Points for a name in another number, for a telling piece of one, and for a name inside a longer name or word."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Entities by their position in the home; `places` is None where no area and no known floor is named.

    `almost` holds the points of what is named less clearly; `place_guessed` says that an area's name was only similar,
    `floor` that a floor is named at all.
    """

    named: frozenset[int] = frozenset()
    almost: Mapping[int, float] = field(default_factory=dict)
    areas: tuple[Area, ...] = ()
    places: frozenset[int] | None = None
    place_guessed: bool = False
    floor: bool = False


def mentioned(home: Home, sentence: str, language: str | None) -> Mentioned:
    """Find the names of a home in a sentence."""
    words = words_of(sentence)
    starts, ends = {w.start for w in words}, {w.end for w in words}
    exact = home.names.mentions(sentence)
    whole = [m for m in exact if m.start in starts and m.end in ends]
    inflected = home.names.inflected(sentence, language) if language else ()
    begun = [m for m in exact if m.start in starts and m.end not in ends]
    meant = [m for m in whole if not _covered(m, whole)]
    positions = _Positions(home)

    told_floors = floor_mentions(sentence, language) if language else ()
    places = [m for m in (*meant, *inflected, *begun) if m.known.kind is not Kind.NAME]
    areas = said = _areas(home, places)
    if not said:
        areas = _areas_nearly(home, sentence)
    floors = [m.known.value for m in (*places, *told_floors) if m.known.kind is Kind.FLOOR]
    on_floors = positions.on_floors(floors)
    inside = positions.in_areas(areas) | on_floors
    scope = inside if areas or inside else None

    named = positions.named(meant)
    sure = _tell_apart(named, scope, positions.in_areas(satellite_areas(home)))
    almost: dict[int, float] = {}
    pieces = [m for m in home.names.partial(sentence) if not small_words(language).issuperset(folded_words(m.text))]
    for points, found in (
        (_WITHIN, positions.named(exact)),
        (_PIECE, positions.named(pieces)),
        (_INFLECTED, positions.named(inflected)),
    ):
        almost.update(dict.fromkeys(found - sure, points))
    listed = _areas(home, [m for m in whole if m.known.kind is Kind.AREA])
    guessed = not said and not on_floors
    return Mentioned(sure, almost, tuple(dict.fromkeys((*areas, *listed))), scope, guessed, bool(floors))


def small_words(language: str | None) -> frozenset[str]:
    """Articles and prepositions: that a name has one of them too ties no sentence to it."""
    known = lexicon(language) if language else None
    return known.small if known is not None else frozenset()


def satellite_areas(home: Home) -> tuple[Area, ...]:
    """The area in which the person speaks, as a list of one or none."""
    area = home.area_by_name.get(fold(home.satellite_area)) if home.satellite_area else None
    return (area,) if area is not None else ()


class _Positions:
    """Where in the home entities stand."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._of = {id(entity): number for number, entity in enumerate(home.entities)}

    def named(self, mentions: Iterable[Mention]) -> frozenset[int]:
        """Bearers of the names that were mentioned."""
        return frozenset(
            self._of[id(entity)]
            for mention in mentions
            if mention.known.kind is Kind.NAME
            for entity in self._home.by_name.get(fold(mention.known.value), ())
            if entity.domain == mention.known.domain
        )

    def in_areas(self, areas: Iterable[Area]) -> frozenset[int]:
        """Entities of areas."""
        return frozenset(self._of[id(e)] for area in areas for e in self._home.by_area.get(fold(area.name), ()))

    def on_floors(self, floors: Iterable[str]) -> frozenset[int]:
        """Entities of floors, as far as anybody told which floor they are on."""
        names: set[str] = set()
        for floor in floors:
            known = self._home.floor_by_name.get(fold(floor))
            names.update(fold(name) for name in (known.names if known else (floor,)))
        if not names:
            return frozenset()
        placed = ((number, self._home.floor_of(entity)) for number, entity in enumerate(self._home.entities))
        return frozenset(number for number, floor in placed if floor is not None and fold(floor) in names)


def _covered(mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a longer mention holds this one: `Kitchen` in `Kitchen Light`."""
    length = mention.end - mention.start
    return any(o.start <= mention.start and mention.end <= o.end and o.end - o.start > length for o in others)


def _tell_apart(named: frozenset[int], scope: frozenset[int] | None, here: frozenset[int]) -> frozenset[int]:
    """Of many bearers those in the places of the sentence, else all; too many of them say nothing."""
    inside = named & scope if scope is not None else frozenset()
    meant = inside or named
    if len(meant) > _MOST_NAMED:
        meant = meant & here or meant
    return frozenset(sorted(meant)[:_MOST_NAMED])


def _areas(home: Home, mentions: Iterable[Mention]) -> tuple[Area, ...]:
    found = (home.area_by_name.get(fold(m.known.value)) for m in mentions if m.known.kind is Kind.AREA)
    return tuple(dict.fromkeys(area for area in found if area is not None))


def _areas_nearly(home: Home, sentence: str) -> tuple[Area, ...]:
    """Areas whose every word stands in the sentence in another form, or misspelt."""
    said = compared_words(sentence)
    for same in (same_stem, alike):
        found = tuple(
            area
            for area in home.areas
            if any(
                (parts := compared_words(name)) and all(any(same(part, word) for word in said) for part in parts)
                for name in area.names
            )
        )
        if found:
            return found
    return ()
