"""Which entities and areas a word of a sentence can speak of."""

from __future__ import annotations

import pytest

from ha_assist_addon.home.home_words import HomeWords, home_words
from tests.support.small_home import ENDINGS, ENTITIES, HALL, KITCHEN, STUDY, WORDS, small_home


def names(numbers: frozenset[int] | set[int]) -> list[str]:
    return sorted(ENTITIES[number].name for number in numbers)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("lamp", ["Desk Lamp", "Floor Lamp"]),
        ("lamps", ["Desk Lamp", "Floor Lamp"]),
        ("reading", ["Floor Lamp"]),
        ("door", ["Front Door", "Garage Door"]),
        ("kitchen", ["Ceiling", "Kettle", "Radio"]),
        ("office", ["Blind", "Desk Lamp", "Floor Lamp"]),
        ("la", []),
        ("lamping", []),
        ("boiler", []),
    ],
)
def test_a_word_of_a_name_or_of_its_area(word: str, found: list[str]) -> None:
    assert names(WORDS.with_word(word)) == found


def test_a_part_of_a_compound() -> None:
    assert names(WORDS.with_part("ceil")) == ["Ceiling"]
    assert names(WORDS.with_part("cei")) == []
    assert names(WORDS.with_part("ceiling")) == []


def test_names_at_a_place_of_the_sentence() -> None:
    words = ("turn", "on", "desk", "lamps")
    assert [(end, named.words, exact) for end, named, exact in WORDS.names_at(words, 2)] == [
        (4, ("desk", "lamp"), False)
    ]
    ((end, named, exact),) = WORDS.names_at(("the", "study"), 1)
    assert (end, named.area, exact) == (2, STUDY, True)
    assert list(WORDS.names_at(("desk",), 0)) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("light", "lights", True),
        ("box", "boxes", True),
        ("lights", "lightes", True),
        ("light", "lightning", False),
        ("door", "doom", False),
        ("on", "ons", False),
    ],
)
def test_words_that_differ_in_their_endings(one: str, other: str, same: bool) -> None:
    assert WORDS.same(one, other) is same
    assert WORDS.same(other, one) is same


def test_an_area_holds_its_own_and_what_is_named_after_it() -> None:
    assert names(WORDS.in_area(HALL)) == ["Front Door"]
    assert names(WORDS.in_area(KITCHEN)) == ["Ceiling", "Kettle", "Radio"]


def test_how_much_of_a_name_is_said() -> None:
    desk, floor = (next(n for n, e in enumerate(ENTITIES) if e.name == name) for name in ("Desk Lamp", "Floor Lamp"))
    assert WORDS.says_name(desk, frozenset({"desk", "lamps", "please"})) == 2
    assert WORDS.says_name(desk, frozenset({"desk"})) == 0
    assert WORDS.says_name(floor, frozenset({"reading", "light"})) == 2


def test_the_index_of_a_home_is_made_once_for_each_language() -> None:
    home = small_home()
    assert home_words(home, ENDINGS) is home_words(home, ENDINGS)
    assert home_words(home, frozenset({""})) is not home_words(home, ENDINGS)
    assert isinstance(home_words(small_home(), ENDINGS), HomeWords)
