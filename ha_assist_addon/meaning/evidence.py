"""What the words of a sentence say may be done, whatever a reader made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..language.lexicon import Lexicon, Meaning, Role, lexicon
from ..language.tokens import Token, tokens_of
from .acts import Act

_TOLD_BY_VALUE = frozenset({Role.NUMBER, Role.LEVEL, Role.COLOUR, Role.WHITE, Role.FACTOR})


def said_acts(sentence: str, names: Iterable[tuple[int, int]], words: Lexicon) -> frozenset[Act]:
    """Every act that a word outside of names can stand for; a value stands for setting it."""
    tokens = tokens_of(sentence)
    spans = tuple(names)
    inside = [any(a <= t.start and t.end <= b for a, b in spans) for t in tokens]
    found: set[Act] = set()
    outside = [m for at, end, m in words.phrases_in(tokens) if not all(inside[at:end])]
    directions = {str(m.value) for m in outside if m.role is Role.DIRECTION and m.value is not None}
    for meaning in outside:
        found.update(map(_act, _of(meaning, directions)))
    if any(m.role in _TOLD_BY_VALUE for m in outside) or _holds_number(tokens, inside):
        found.add(Act.SET)
    if any(m.role is Role.QUANTITY and m.value == "state" for m in outside):
        found.add(Act.TOGGLE)
    return frozenset(found)


def _of(meaning: Meaning, directions: set[str]) -> Iterable[str]:
    if meaning.role is Role.VERB:
        yield from meaning.acts
        for particle, acts in meaning.particles.items():
            if particle in directions:
                yield from acts
    elif meaning.role is Role.DIRECTION:
        yield from (*meaning.bare, *meaning.state)
    elif meaning.role is Role.COMPARATIVE:
        yield from meaning.acts
    elif meaning.role is Role.COMPLAINT:
        yield from (act for act in meaning.acts if ":" not in act)  # "too dark" asks for a change, not for a lamp


def _act(text: str) -> Act:
    return Act(text.partition(":")[0])


def _holds_number(tokens: Sequence[Token], inside: Sequence[bool]) -> bool:
    return any(t.number is not None and not within for t, within in zip(tokens, inside, strict=True))


def says_verb(sentence: str, language: str) -> bool:
    """Whether a verb or a wish stands in a sentence; True where we do not know the language's words."""
    words = lexicon(language)
    if words is None:
        return True
    tokens = tokens_of(sentence)
    found = ({m.role for m in ms} for at in range(len(tokens)) for _, ms in words.starting(tokens, at))
    return any(roles & {Role.VERB, Role.WISH} and Role.NOUN not in roles for roles in found)


_PLAYED = frozenset({"media", "music", "title", "tv", "radio", "speaker", "scene"})


def says_here(sentence: str, language: str) -> bool:
    """Whether the room in which it was said is spoken of in so many words."""
    words = lexicon(language)
    return words is not None and words.speaks_of(sentence, Role.HERE)


def speaks_of_commands(text: str, words: Lexicon) -> bool:
    """Whether a text names a kind of thing that plays nothing, or holds nothing but words of commands."""
    tokens = tokens_of(text)
    explained = [False] * len(tokens)
    for at in range(len(tokens)):
        for end, meanings in words.starting(tokens, at):
            if any(m.role is Role.NOUN and m.value not in _PLAYED for m in meanings):
                return True
            if any(m.role is not Role.NOUN for m in meanings):
                explained[at:end] = [True] * (end - at)
    return all(explained)


def said_numbers(sentence: str, names: Iterable[tuple[int, int]], words: Lexicon | None) -> frozenset[float]:
    """The numbers that are said outside of names, in digits or in words."""
    tokens = tokens_of(sentence)
    spans = tuple(names)
    found: set[float] = set()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if any(a <= token.start and token.end <= b for a, b in spans):
            at += 1
            continue
        if token.number is not None:
            found.add(token.number)
        elif words is not None:
            longest = max(
                ((end, m) for end, ms in words.starting(tokens, at) for m in ms if m.role is Role.NUMBER),
                key=lambda pair: pair[0],
                default=None,
            )
            if longest is not None and (longest[0] > at + 1 or longest[1].value > 1):
                found.add(float(longest[1].value))
                at = longest[0]
                continue
        at += 1
    return frozenset(found)


def says_unit(unit: str, sentence: str, names: Iterable[tuple[int, int]], words: Lexicon | None) -> bool:
    """Whether a unit, such as "percent", is said outside of names; True where we do not know the language's words."""
    if words is None:
        return True
    tokens = tokens_of(sentence)
    spans = tuple(names)
    return any(
        m.role is Role.UNIT and m.value == unit
        for at, token in enumerate(tokens)
        if not any(a <= token.start and token.end <= b for a, b in spans)
        for _, ms in words.starting(tokens, at)
        for m in ms
    )
