"""Sentences of one language taken apart in the small home, as tests of composition want them."""

from __future__ import annotations

from functools import cache

from ha_assist_addon.language.lexicon import lexicon
from ha_assist_addon.reading.composition.clause import Clause
from ha_assist_addon.reading.composition.clauses import read_clauses
from ha_assist_addon.reading.composition.spans import Span, Speller
from tests.support.small_home import small_home


@cache
def speller(language: str = "en") -> Speller:
    words = lexicon(language)
    assert words is not None
    return Speller(small_home(), words)


def way(sentence: str, language: str = "en") -> tuple[Span, ...]:
    """The cheapest way to take a sentence apart."""
    return speller(language).parse(sentence).ways[0]


def clauses(sentence: str, language: str = "en") -> tuple[Clause, ...] | None:
    """The clauses of the first way in which every word is explained and each clause has an act."""
    made = speller(language)
    for spans in made.parse(sentence).ways:
        if any(span.is_unknown for span in spans):
            continue
        found = read_clauses(spans, verb_first=made.lexicon.verb_first)
        if found is not None and all(clause.acts for clause in found):
            return found
    return None
