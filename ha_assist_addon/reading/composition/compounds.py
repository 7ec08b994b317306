"""Words that are written together, taken apart: a place or the name of a thing, and what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...home.home_words import HomeWords
from ...language.lexicon import Lexicon, Meaning, Role
from ...language.tokens import Token
from ...meaning.command import Item

_LEAST_STEM = 5
"""Letters that a part of a name has at least where its ending differs."""
_LEAST_PART = 4
"""Letters that a thing and the name before it have at least: "Boodschappen|lijst"."""

Noun = Callable[[tuple[Token, ...], Meaning], Item]
"""What a noun can speak of in the home."""


def taken_apart(token: Token, lexicon: Lexicon, words: HomeWords, noun: Noun) -> Iterator[tuple[Item, ...]]:
    """The ways to read a word as two: a room and a thing in it, or the name of a thing and what it is."""
    placed = tuple(_of_a_place(token, lexicon, words, noun))
    yield from placed or _of_a_name(token, lexicon, words, noun)


def _of_a_place(token: Token, lexicon: Lexicon, words: HomeWords, noun: Noun) -> Iterator[tuple[Item, ...]]:
    word = token.folded
    for key, area in words.areas:
        if len(key) < 3 or not word.startswith(key[: max(3, len(key) - 1)]):
            continue
        for rest in _after(word, key, lexicon.fugues):
            where = Item("area", token.text, (key,), words.in_area(area), area=area)
            if rest in lexicon.places:
                yield (where,)
            yield from ((where, what) for what in _things(token, rest, lexicon, words, noun))


def _of_a_name(token: Token, lexicon: Lexicon, words: HomeWords, noun: Noun) -> Iterator[tuple[Item, ...]]:
    word = token.folded
    for at in range(_LEAST_PART, len(word) - _LEAST_PART + 1):
        head, rest = word[:at], word[at:]
        nouns = _nouns(rest, token, lexicon)
        if nouns and (bearers := words.with_word(head)):
            called = Item("word", head, (head,), bearers)
            yield from ((called, noun(_alone(rest, token), meaning)) for meaning in nouns)


def with_part(part: str, lexicon: Lexicon, words: HomeWords) -> frozenset[int]:
    """What has a part in a name, as it is said or without an ending: the lamp "des Billardtisches"."""
    if bearers := words.with_part(part):
        return bearers
    stems = (part.removesuffix(e) for e in lexicon.endings if e and part.endswith(e))
    return frozenset().union(*(words.with_part(stem) for stem in stems if len(stem) >= _LEAST_STEM))


def _things(token: Token, rest: str, lexicon: Lexicon, words: HomeWords, noun: Noun) -> Iterator[Item]:
    """The thing that the rest of a word says; its noun tells all that a device of that name does."""
    nouns = _nouns(rest, token, lexicon)
    yield from (noun(_alone(rest, token), meaning) for meaning in nouns)
    if not nouns and (bearers := words.with_word(rest)):
        yield Item("word", rest, (rest,), bearers)


def _nouns(rest: str, token: Token, lexicon: Lexicon) -> list[Meaning]:
    found = lexicon.starting(_alone(rest, token), 0)
    return [m for end, meanings in found for m in meanings if m.role is Role.NOUN and end == 1]


def _alone(rest: str, token: Token) -> tuple[Token, ...]:
    return (Token(rest, rest, token.start, token.end),)


def _after(word: str, key: str, fugues: Iterable[str]) -> Iterator[str]:
    """What stands behind the first part of a word, with each of the sounds that may join the two."""
    for stem in dict.fromkeys((key, key.removesuffix("e"))):
        for fugue in fugues:
            if word.startswith(stem + fugue) and len(word) - len(stem + fugue) >= 3:
                yield word[len(stem + fugue) :]
