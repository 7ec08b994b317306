"""The shape of a sentence: a cheap, sound test that a template cannot match, before hassil tries it.

A template becomes a regular expression over squeezed text: folded, without spaces and punctuation. Names, areas and
floors that the sentence mentions are replaced by one mark each, in every combination in which a template could take
them. What hassil matches always has the shape of its template, so no match is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

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
from hassil.util import fold_case, remove_skip_words

MARKS: Mapping[str, str] = {"name": "\x01", "area": "\x02", "floor": "\x03"}
_KEPT = frozenset(MARKS.values())
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
    return "".join(c for c in fold_case(text) if c.isalnum() or c in _KEPT)


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


def sentence_shapes(
    sentence: str, spans: Sequence[Span], skip_words: Sequence[str], ignore_whitespace: bool
) -> tuple[str, ...] | None:
    """All shapes of a sentence, or None where there are too many to be worth the test."""
    shapes: dict[str, None] = {}
    for marked in _marked(sentence, spans):
        for text in _without_skip_words(marked, skip_words, ignore_whitespace):
            shapes[squeeze(text)] = None
        if len(shapes) > _MOST_SHAPES:
            return None
    return tuple(shapes)


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


def _without_skip_words(text: str, skip_words: Sequence[str], ignore_whitespace: bool) -> Iterator[str]:
    """A sentence is tried as it is, without its skip words, and without those at one end (hassil, `recognize_all`)."""
    yield text
    if skip_words:
        for start, end in ((True, True), (True, False), (False, True)):
            yield remove_skip_words(text, skip_words, ignore_whitespace, start=start, end=end)
