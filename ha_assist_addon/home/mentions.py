"""The names, areas and floors of the home that a sentence mentions, as it writes them.

Only what the sentence mentions is handed to the grammar, so the cost of a sentence does not grow with the home.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ..language.words import Word, fold_word, join_key, keys_of, transliterate, word_texts, words_of
from .entity import Area, Entity

MAX_WORDS = 12
"""The longest name, in words, that is looked for word by word."""


INFLECTED = 97.0
"""The score of a name that differs from the catalogue in its number only."""

PARTIAL = 90.0
"""The score of a piece of a name that stands for the whole."""

MOST_BEARERS = 5
"""A piece that more names hold says too little."""

_PLURAL_ENDINGS = {
    "de": ("n", "en", "e", "er", "s"),
    "en": ("s", "es"),
    "es": ("s", "es"),
    "fr": ("s", "x"),
    "nl": ("en", "s", "n"),
    "pt": ("s", "es"),
}
"""How languages form the plural by an ending alone; where they do it otherwise, names have one number here."""


_OPENING = 3
"""Letters by which names are looked up at each place of a sentence."""


_MOST_KEPT = 16
_LONGEST_KEPT = 512
"""How many sentences, and how long ones, are remembered: each step of a request asks for the same one."""


class Kind(StrEnum):
    """Which slot list a mention belongs to."""

    NAME = "name"
    AREA = "area"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Known:
    """A name that the home has: its catalogue spelling, and the domain of the entity that bears it."""

    value: str
    kind: Kind
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A known name and the words of the sentence that mean it; `score` is 100 unless it was repaired."""

    text: str
    start: int
    end: int
    known: Known
    score: float = 100.0

    @property
    def exact(self) -> bool:
        """Whether nothing had to be repaired."""
        return self.score >= 100.0


def longest(mentions: Sequence[Mention]) -> list[Mention]:
    """Those that no other one outdoes in length."""
    most = max((m.end - m.start for m in mentions), default=0)
    return [m for m in mentions if m.end - m.start == most]


class NameIndex:
    """Names of a home, each given once, by the keys under which they can be written."""

    def __init__(self, known: Iterable[Known]) -> None:
        self.known: tuple[Known, ...] = tuple(known)
        self.words: dict[str, str] = {}
        self._by_key: dict[str, list[Known]] = {}
        self._by_word: dict[str, set[int]] = {}  # places in `known`: sets of numbers are quickly made
        self._longest = 1
        self._lately: dict[str, tuple[Mention, ...]] = {}
        by_text: dict[str, list[Known]] = {}
        for number, item in enumerate(self.known):
            words = word_texts(item.value)
            folded = [fold_word(word) for word in words]
            self.words.update(zip(folded, words, strict=True))
            if item.kind is Kind.NAME:
                for word in folded:
                    self._by_word.setdefault(word, set()).add(number)
            self._longest = max(self._longest, min(MAX_WORDS, len(words) + 1))
            for key in keys_of(folded, words):
                self._by_key.setdefault(key, []).append(item)
            by_text.setdefault(" ".join(item.value.lower().split()), []).append(item)
        self._by_opening: dict[str, list[tuple[str, list[Known]]]] = {}
        for text, items in by_text.items():
            self._by_opening.setdefault(text[:_OPENING], []).append((text, items))

    def mentions(self, sentence: str) -> tuple[Mention, ...]:
        """Every known name in a sentence: written alike, or differing in case, diacritics, hyphens and spaces."""
        if (known := self._lately.get(sentence)) is not None:
            return known
        found = dict.fromkeys(self._literal(sentence))
        found.update(dict.fromkeys(self._by_words(sentence, words_of(sentence))))
        if len(sentence) <= _LONGEST_KEPT:
            if len(self._lately) >= _MOST_KEPT:
                self._lately.clear()
            self._lately[sentence] = tuple(found)
        return tuple(found)

    def inflected(self, sentence: str, language: str) -> tuple[Mention, ...]:
        """Known names in another number, `garden lights` for `Garden Light`, with a score below the name's own."""
        words = words_of(sentence)
        folded = [fold_word(w.text) for w in words]
        found: dict[Mention, None] = {}
        endings = _PLURAL_ENDINGS.get(language.split("-", maxsplit=1)[0], ())
        for first in range(len(words)):
            for last in range(first + 1, min(len(words), first + self._longest) + 1):
                for key in _other_number(join_key(folded[first:last]), endings):
                    for item in self._by_key.get(key, ()):
                        start, end = words[first].start, words[last - 1].end
                        found[Mention(sentence[start:end], start, end, item, INFLECTED)] = None
        return tuple(found)

    def partial(self, sentence: str) -> tuple[Mention, ...]:
        """Pieces of names that few entities share: `Roborock` for `Roborock Downstairs`, `TV` for `Living Room TV`."""
        words = words_of(sentence)
        folded = [fold_word(w.text) for w in words]
        found: dict[Mention, None] = {}
        first = 0
        while first < len(words):
            last = first
            bearers: set[int] = set()
            while last < len(words) and (more := self._bearers(folded[first : last + 1])):
                bearers, last = more, last + 1
            if 0 < len(bearers) <= MOST_BEARERS:
                start, end = words[first].start, words[last - 1].end
                for number in sorted(bearers):
                    found[Mention(sentence[start:end], start, end, self.known[number], PARTIAL)] = None
            first = max(last, first + 1)
        return tuple(found)

    def _bearers(self, words: Sequence[str]) -> set[int]:
        """Entity names that hold all these words, as numbers in `known`."""
        return set.intersection(*(self._by_word.get(word, set()) for word in words)) if words else set()

    def _literal(self, sentence: str) -> Iterator[Mention]:
        """Names that stand letter by letter in the sentence, in longer words too: many languages inflect."""
        lowered = sentence.lower()
        same_length = len(lowered) == len(sentence)
        for start in range(len(lowered)):
            for width in range(1, _OPENING + 1):
                for name, items in self._by_opening.get(lowered[start : start + width], ()):
                    if (width == _OPENING or len(name) == width) and lowered.startswith(name, start):
                        end = start + len(name)
                        text = sentence[start:end] if same_length else name
                        yield from (Mention(text, start, end, item) for item in items)

    def _by_words(self, sentence: str, words: Sequence[Word]) -> Iterator[Mention]:
        folded = [fold_word(w.text) for w in words]
        written_out = [transliterate(w.text) for w in words]
        for first in range(len(words)):
            for last in range(first + 1, min(len(words), first + self._longest) + 1):
                keys = {join_key(folded[first:last]), join_key(written_out[first:last])}
                for key in keys:
                    for item in self._by_key.get(key, ()):
                        start, end = words[first].start, words[last - 1].end
                        yield Mention(sentence[start:end], start, end, item)


@lru_cache(maxsize=4)
def index_names(known: tuple[Known, ...]) -> NameIndex:
    """The index of these names; a home of which only states or areas' floors changed keeps its index."""
    return NameIndex(known)


def known_names(entities: Iterable[Entity], areas: Iterable[Area], floors: Iterable[Area]) -> Iterable[Known]:
    """All names of a home, each once."""
    names = [Known(name, Kind.NAME, entity.domain) for entity in entities for name in entity.names]
    names += [Known(name, Kind.AREA) for area in areas for name in area.names]
    names += [Known(name, Kind.FLOOR) for floor in floors for name in floor.names]
    return dict.fromkeys(names)


def _other_number(key: str, endings: Sequence[str]) -> Iterator[str]:
    """A key with a plural ending more or less; names of less than four letters have no other number."""
    for ending in endings:
        if len(key) >= 4:
            yield key + ending
        if key.endswith(ending) and len(key) - len(ending) >= 4:
            yield key[: -len(ending)]
