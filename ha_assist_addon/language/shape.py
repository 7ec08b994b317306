"""The shape of a sentence: a cheap, sound test that a template cannot match, before hassil tries it.

A template becomes a regular expression over squeezed text: folded, without spaces and punctuation. Names, areas and
floors that the sentence mentions are replaced by one mark each, in every combination in which a template could take
them. What hassil matches always has the shape of its template, so no match is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise, product

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    Sentence,
    TextChunk,
)
from hassil.intents import RangeSlotList, SlotList, TextSlotList
from hassil.util import fold_case

MARKS: Mapping[str, str] = {"name": "\x01", "area": "\x02", "floor": "\x03"}
_SQUEEZED = re.compile(rf"(?:[^\w{''.join(MARKS.values())}]|_)+")
_SPACE = re.compile(r"\s+")
ANY_NAME = str.maketrans(dict.fromkeys(MARKS.values(), ".+"))
"""Makes a pattern one in which every name, area and floor may be unknown."""

_ANYTHING = ".*"
_NUMBER = ".{1,60}"
_MOST_VALUES = 60
_MOST_SHAPES = 48
_DEEPEST = 24


@dataclass(frozen=True, slots=True)
class Span:
    """Where a sentence mentions a value of one of the home's lists."""

    start: int
    end: int
    list_name: str


def squeeze(text: str) -> str:
    """Folded letters and digits only, and the marks."""
    return _SQUEEZED.sub("", fold_case(text))


def shape_pattern(expression: Expression, rules: Mapping[str, Sentence], lists: Mapping[str, SlotList]) -> str:
    """A template as a pattern over squeezed text; what cannot be told matches anything."""
    return _pattern(expression, rules, lists, 0)


def _pattern(expression: Expression, rules: Mapping[str, Sentence], lists: Mapping[str, SlotList], depth: int) -> str:
    if depth > _DEEPEST:
        return _ANYTHING
    if isinstance(expression, TextChunk):
        return re.escape(squeeze(expression.text))
    if isinstance(expression, ListReference):
        return _list_pattern(expression.list_name, rules, lists, depth)
    if isinstance(expression, RuleReference):
        rule = rules.get(expression.rule_name)
        return _pattern(rule.expression, rules, lists, depth + 1) if rule else _ANYTHING
    if isinstance(expression, Alternative | Permutation):
        options = "|".join(dict.fromkeys(_pattern(item, rules, lists, depth + 1) for item in expression.items))
        if isinstance(expression, Permutation):
            return f"(?:{options}){{{len(expression.items)}}}"
        return f"(?:{options}){'?' if expression.is_optional else ''}"
    if isinstance(expression, Group):
        return "".join(_pattern(item, rules, lists, depth + 1) for item in expression.items)
    return _ANYTHING


def _list_pattern(name: str, rules: Mapping[str, Sentence], lists: Mapping[str, SlotList], depth: int) -> str:
    if name in MARKS:
        return MARKS[name]
    values = lists.get(name)
    if isinstance(values, RangeSlotList):
        return _NUMBER
    if isinstance(values, TextSlotList) and len(values.values) <= _MOST_VALUES:
        options = dict.fromkeys(_pattern(value.text_in, rules, lists, depth + 1) for value in values.values)
        return f"(?:{'|'.join(options)})"
    return _ANYTHING


@lru_cache(maxsize=16)
def sentence_shapes(
    sentence: str, spans: tuple[Span, ...], skip_words: tuple[str, ...], ignore_whitespace: bool
) -> tuple[str, ...] | None:
    """All shapes of a sentence, or None where there are too many to be worth the test."""
    marked = list(islice(_marked(sentence, spans), _MOST_SHAPES + 1))
    if len(marked) > _MOST_SHAPES:
        return None
    space = _SPACE if not ignore_whitespace else None
    skipped = _skip_patterns(skip_words, ignore_whitespace) if skip_words else ()
    shapes: dict[str, None] = {}
    for text in marked:
        for each in (text, *(_without(text, pattern, space, again=again) for pattern, again in skipped)):
            shapes[squeeze(each)] = None
    return tuple(shapes) if len(shapes) <= _MOST_SHAPES else None


def _marked(sentence: str, spans: Sequence[Span]) -> Iterator[str]:
    """The sentence with at most one name, one area and one floor replaced, wherever they do not overlap."""
    options: list[list[Span | None]] = [
        [None, *dict.fromkeys(span for span in spans if span.list_name == name)] for name in MARKS
    ]
    for chosen in product(*options):
        taken = sorted((span for span in chosen if span is not None), key=lambda span: span.start)
        if all(one.end <= other.start for one, other in pairwise(taken)):
            yield _replace(sentence, taken)


def _replace(sentence: str, spans: Iterable[Span]) -> str:
    pieces, last = [], 0
    for span in spans:
        pieces += [sentence[last : span.start], MARKS[span.list_name]]
        last = span.end
    return "".join([*pieces, sentence[last:]])


@lru_cache(maxsize=64)
def _skip_patterns(skip_words: tuple[str, ...], ignore_whitespace: bool) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Hassil leaves out skip words: all, and those at one end, one by one (`remove_skip_words`).

    Each pattern, and whether it is tried again on what it leaves. hassil's own function keeps account of each letter's
    place, which takes ten times as long.
    """
    words = "|".join(map(re.escape, sorted({w.strip() for w in skip_words if w.strip()}, key=len, reverse=True)))
    if ignore_whitespace:
        found = (rf"(?:{words})", False), (rf"^(?:{words})", True), (rf"(?:{words})$", True)
    else:
        found = (
            (rf"(?<!\w)(?:{words})(?!\w)", False),
            (rf"^\s*(?:{words})(?=\s|$|[^\w])\s*", True),
            (rf"\s*(?<!\w)(?:{words})\s*$", True),
        )
    return tuple((re.compile(pattern, re.IGNORECASE), again) for pattern, again in found)


def _without(text: str, pattern: re.Pattern[str], space: re.Pattern[str] | None, *, again: bool) -> str:
    while True:
        left = pattern.sub("" if again or space is None else " ", text)
        if space is not None:
            left = space.sub(" ", left).strip()
        if not again or left == text:
            return left
        text = left
