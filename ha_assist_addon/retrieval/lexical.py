"""How well the words of a sentence fit the names of a home; words that few names hold count more."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from weakref import WeakKeyDictionary

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from ..home.catalogue import Home
from ..home.entity import Entity
from ..language.words import folded_words

_SHORTEST_PART = 4
"""Letters from which a word may stand inside a compound, or be told by its beginning."""

_INFLECTED, _COMPOUND, _MISSPELT = 0.9, 0.75, 0.6
_LEAST_ALIKE = 0.75
_AREA_SHARE = 0.6
"""What a word of an entity's area is worth beside one of its own name."""

_MOST_WORDS, _LONGEST_WORD, _LONGEST_TEXT = 64, 48, 1000
"""What is looked at of a sentence or a name; what is longer is no command."""


class WordIndex:
    """Documents by the words that they hold, each word with a weight."""

    def __init__(self, documents: Iterable[Mapping[str, float]]) -> None:
        self._documents: dict[str, list[tuple[int, float]]] = {}
        count = 0
        for number, document in enumerate(documents):
            count = number + 1
            for word, weight in document.items():
                self._documents.setdefault(word, []).append((number, weight))
        self._rarity = {word: math.log(1 + count / len(held)) for word, held in self._documents.items()}
        self._vocabulary = tuple(self._documents)
        self._by_opening: dict[str, list[str]] = {}
        for word in self._vocabulary:
            self._by_opening.setdefault(word[:_SHORTEST_PART], []).append(word)

    def score(self, words: Sequence[str]) -> dict[int, float]:
        """A share from 0 to 1 by the document's number: of the rarity of all words that are known, what it holds."""
        total = 0.0
        scores: dict[int, float] = {}
        for word in dict.fromkeys(words):
            near = self._near(word)
            if not near:
                continue
            total += max(likeness * self._rarity[known] for known, likeness in near.items())
            best: dict[int, float] = {}
            for known, likeness in near.items():
                for number, weight in self._documents[known]:
                    best[number] = max(best.get(number, 0.0), likeness * weight * self._rarity[known])
            for number, gained in best.items():
                scores[number] = scores.get(number, 0.0) + gained
        return {number: score / total for number, score in scores.items()} if total else {}

    def _near(self, word: str) -> dict[str, float]:
        """Known words that a word of a sentence can mean, each with a likeness from 0 to 1."""
        near = {word: 1.0} if word in self._documents else {}
        if len(word) < _SHORTEST_PART:
            return near
        for known in self._by_opening.get(word[:_SHORTEST_PART], ()):
            if known != word and same_stem(word, known):
                near[known] = _INFLECTED
        for known in self._vocabulary:
            inside = (len(known) >= _SHORTEST_PART and known in word) or word in known
            if inside and known not in near:
                near[known] = _COMPOUND
        if not near and len(word) > _SHORTEST_PART:
            misspelt = process.extract(
                word,
                self._vocabulary,
                scorer=DamerauLevenshtein.normalized_similarity,
                score_cutoff=_LEAST_ALIKE,
                limit=4,
            )
            near = {known: _MISSPELT * likeness for known, likeness, _ in misspelt if len(known) >= _SHORTEST_PART}
        return near


def compared_words(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared, in bounded number and length."""
    return tuple(word[:_LONGEST_WORD] for word in folded_words(text[:_LONGEST_TEXT])[:_MOST_WORDS])


def same_stem(one: str, other: str) -> bool:
    """Whether two words share so much of their beginning that only their endings differ."""
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= _SHORTEST_PART and shared >= max(len(one), len(other)) - 3


def alike(one: str, other: str) -> bool:
    """Whether one word is the other with a typing error or two."""
    return len(one) > _SHORTEST_PART and DamerauLevenshtein.normalized_similarity(one, other) >= _LEAST_ALIKE


_OF_HOME: WeakKeyDictionary[Home, WordIndex] = WeakKeyDictionary()


def home_index(home: Home) -> WordIndex:
    """The index over the entities of a home by their position, made once a home."""
    index = _OF_HOME.get(home)
    if index is None:
        index = _OF_HOME[home] = WordIndex(_document(entity) for entity in home.entities)
    return index


def _document(entity: Entity) -> dict[str, float]:
    words = {word: _AREA_SHARE for area in entity.areas for word in compared_words(area)}
    words.update({word: 1.0 for name in entity.names for word in compared_words(name)})
    return words
