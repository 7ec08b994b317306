"""How a sentence is taken apart into phrases that the lexicon or the home explains."""

from __future__ import annotations

import pytest

from ha_assist_addon.language.lexicon import Role
from ha_assist_addon.reading.composition.spans import MOST_TOKENS
from tests.support.small_home import ENTITIES
from tests.support.taken_apart import speller, way


def spelt(sentence: str, language: str = "en") -> list[str]:
    """Each phrase with what it is: a role, or the kind of its item."""
    tokens = speller(language).parse(sentence).tokens
    return [
        f"{' '.join(t.text for t in tokens[s.start : s.end])}={s.items[0].kind if s.items else s.role}"
        for s in way(sentence, language)
    ]


@pytest.mark.parametrize(
    ("sentence", "phrases"),
    [
        ("turn on the desk lamp", ["turn=verb", "on=direction", "the=small", "desk lamp=name"]),
        ("desk lamp off", ["desk lamp=name", "off=direction"]),
        ("lights off in the study", ["lights=noun:light", "off=direction", "in=small", "the=small", "study=area"]),
        ("kettle off please", ["kettle=name", "off=direction", "please=courtesy"]),
        ("lamp to thirty percent", ["lamp=noun:lamp", "to=absolute", "thirty=number", "percent=unit"]),
    ],
)
def test_phrases(sentence: str, phrases: list[str]) -> None:
    assert spelt(sentence) == phrases


def test_every_token_belongs_to_exactly_one_phrase() -> None:
    for parsed in (speller().parse("could you please turn the reading light and the kettle off, thanks"),):
        for spans in parsed.ways:
            assert [n for span in spans for n in range(span.start, span.end)] == list(range(len(parsed.tokens)))


def test_ways_are_sorted_by_their_cost() -> None:
    costs = [sum(span.cost for span in spans) for spans in speller().parse("turn on the lamp in the study").ways]
    assert costs == sorted(costs)


@pytest.mark.parametrize("sentence", ["turn on the flux capacitor", "the frobnicator off"])
def test_a_word_that_nothing_explains_stays_unknown(sentence: str) -> None:
    assert all(any(span.is_unknown for span in spans) for spans in speller().parse(sentence).ways)


def test_a_name_means_those_that_bear_it() -> None:
    (item,) = [item for span in way("turn on the reading light") for item in span.items]
    assert [ENTITIES[number].name for number in item.bearers] == ["Floor Lamp"]
    assert item.exact


def test_a_verb_does_not_stand_behind_an_article() -> None:
    assert [s.role for s in way("the light")][-1] is not Role.VERB


@pytest.mark.parametrize("sentence", ["", "on " * (MOST_TOKENS + 1)])
def test_nothing_and_too_much_have_no_way(sentence: str) -> None:
    assert speller().parse(sentence).ways == ()
