"""The words of a home's names: which entities and areas a word of a sentence can speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..language.words import split_words
from .catalogue import Home
from .entity import Area, fold

_OPENING = 3
"""Letters that words have in common before their endings may differ."""
_SHORTEST_REST = 3
"""What is left of a word is one itself: "play" is no part of "player"."""
_SHORTEST_PART = 4


@dataclass(frozen=True, slots=True)
class NamedWords:
    """The folded words of one name, and the entities or the area that bear it."""

    words: tuple[str, ...]
    bearers: frozenset[int] = frozenset()
    area: Area | None = None
    floor: str | None = None


class HomeWords:
    """The names of a home by their words, for one language's endings; a number is a place in `home.entities`."""

    def __init__(self, home: Home, endings: frozenset[str]) -> None:
        self.home = home
        self.endings = endings
        self._names: dict[str, dict[str, list[NamedWords]]] = {}
        self._by_word: dict[str, set[int]] = {}
        self._areas_by_word: dict[str, list[set[int]]] = {}
        bearers: dict[tuple[str, ...], set[int]] = {}
        self._words_of: list[list[tuple[str, ...]]] = []
        self._in_area: dict[tuple[str, ...], frozenset[int]] = {}
        for number, entity in enumerate(home.entities):
            self._words_of.append(named := [split_words(name) for name in entity.names])
            for words in named:
                bearers.setdefault(words, set()).add(number)
                for word in words:
                    self._by_word.setdefault(word, set()).add(number)
        for words, numbers in bearers.items():
            self._add(NamedWords(words, frozenset(numbers)))
        for area in home.areas:
            for name in area.names:
                self._add(NamedWords(split_words(name), area=area))
        for floor in home.floors:
            for name in floor.names:
                self._add(NamedWords(split_words(name), floor=floor.name))
        for area in home.areas:
            here = {number for number, e in enumerate(home.entities) if e.area in area.names}
            for word in {w for name in area.names for w in split_words(name)}:
                self._areas_by_word.setdefault(word, []).append(here)
        self._opened: dict[str, list[str]] = {}
        for word in self._by_word:
            self._opened.setdefault(word[:_OPENING], []).append(word)

    def _add(self, named: NamedWords) -> None:
        if named.words:
            first = named.words[0]
            self._names.setdefault(first[:_OPENING], {}).setdefault(first, []).append(named)

    def called(self, name: str) -> frozenset[int]:
        """The entities of which this is a whole name, however it is written."""
        return self._called.get(fold(name), frozenset())

    @cached_property
    def _called(self) -> dict[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for number, entity in enumerate(self.home.entities):
            for name in entity.names:
                found.setdefault(fold(name), set()).add(number)
        return {name: frozenset(numbers) for name, numbers in found.items()}

    def names_at(self, words: Sequence[str], at: int) -> Iterator[tuple[int, NamedWords, bool]]:
        """The names that stand at a word: the word behind, the name, and whether it is spelt as at home."""
        for first, names in self._names.get(words[at][:_OPENING], {}).items():
            if not self.same(words[at], first):
                continue
            for named in names:
                end = at + len(named.words)
                if end > len(words):
                    continue
                said = tuple(words[at:end])
                if said == named.words:
                    yield end, named, True
                elif all(self.same(a, b) for a, b in zip(said[1:], named.words[1:], strict=True)):
                    yield end, named, False

    def with_word(self, word: str) -> frozenset[int]:
        """The entities with a word in a name or in that of their area, as it is said; else in another form."""
        areas = self._areas_by_word.get(word, ())
        placed = areas[0] if len(areas) == 1 else set()
        if (exact := self._by_word.get(word)) is not None or placed:
            return frozenset((exact or set()) | placed)
        found = (self._by_word[w] for w in self._opened.get(word[:_OPENING], ()) if self.same(word, w))
        return frozenset().union(*found)

    def with_part(self, part: str) -> frozenset[int]:
        """The entities with a word in a name that begins or ends with this one: `Strahler` of `Gartenstrahler`."""
        if len(part) < _SHORTEST_PART:
            return frozenset()
        found = (
            ns
            for w, ns in self._by_word.items()
            if len(w) >= len(part) + _SHORTEST_REST and (w.endswith(part) or w.startswith(part))
        )
        return frozenset().union(*found)

    @cached_property
    def areas(self) -> tuple[tuple[str, Area], ...]:
        """Areas by the joined words of their names."""
        return tuple(("".join(split_words(n)), area) for area in self.home.areas for n in area.names)

    def in_area(self, area: Area) -> frozenset[int]:
        """The entities of an area, and those whose name says it."""
        if area.names not in self._in_area:
            here = {number for number, e in enumerate(self.home.entities) if e.area in area.names}
            self._in_area[area.names] = frozenset(here | self.naming(area.names))
        return self._in_area[area.names]

    def naming(self, texts: Iterable[str]) -> set[int]:
        """The entities of which a name holds all words of one of these texts."""
        found: set[int] = set()
        for text in texts:
            words = split_words(text)
            if words:
                found |= set.intersection(*(set(self._bearing(w)) for w in words))
        return found

    def _bearing(self, word: str) -> Iterable[int]:
        """The entities with a word in a name, in any form where it is long enough to tell."""
        if word in self._by_word or len(word) <= _SHORTEST_PART:
            return self._by_word.get(word, ())
        return frozenset().union(
            *(self._by_word[w] for w in self._opened.get(word[:_OPENING], ()) if self.same(word, w))
        )

    def same(self, one: str, other: str) -> bool:
        """Whether two folded words differ in their endings only."""
        if one == other:
            return True
        common = 0
        for a, b in zip(one, other, strict=False):
            if a != b:
                break
            common += 1
        for length in range(common, max(common - 3, _OPENING - 1), -1):
            if one[length:] in self.endings and other[length:] in self.endings:
                return True
        return False

    def says_name(self, number: int, said: frozenset[str]) -> int:
        """How many words the longest name of an entity has of which all are said; 0 where none is."""
        best = 0
        for words in self._words_of[number]:
            telling = [w for w in words if len(w) > 2 or w.isdigit()] or words
            if len(words) > best and all(w in said or any(self.same(w, s) for s in said) for w in telling):
                best = len(words)
        return best


def home_words(home: Home, endings: frozenset[str]) -> HomeWords:
    """The index of a home for one language, made once."""
    known: HomeWords | None = home.indexes.get(endings)
    if known is None:
        known = home.indexes[endings] = HomeWords(home, endings)
    return known
