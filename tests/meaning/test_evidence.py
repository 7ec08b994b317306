"""What the words of a sentence say may be done."""

from __future__ import annotations

import pytest

from ha_assist_addon.language.lexicon import Lexicon, lexicon
from ha_assist_addon.meaning.acts import Act
from ha_assist_addon.meaning.evidence import said_acts, said_numbers


def words(language: str) -> Lexicon:
    found = lexicon(language)
    assert found is not None
    return found


def where(sentence: str, name: str) -> list[tuple[int, int]]:
    at = sentence.find(name) if name else -1
    return [] if at < 0 else [(at, at + len(name))]


@pytest.mark.parametrize(
    ("language", "sentence", "said", "unsaid"),
    [
        ("en", "turn on the lamp", {Act.ON}, {Act.OFF, Act.SET}),
        ("en", "turn the lamp off", {Act.OFF}, {Act.ON}),
        ("en", "unlock the door", {Act.UNLOCK}, {Act.LOCK, Act.OPEN}),
        ("en", "lock the door", {Act.LOCK}, {Act.UNLOCK}),
        ("en", "the lamp", set(), {Act.ON, Act.OFF, Act.SET, Act.OPEN}),
        ("en", "lamp to 30 percent", {Act.SET}, {Act.ON, Act.OFF}),
        ("en", "lamp to thirty percent", {Act.SET}, {Act.OFF}),
        ("de", "schalte die Lampe aus", {Act.OFF}, {Act.ON}),
        ("de", "sperr die Tür auf", {Act.UNLOCK}, {Act.LOCK}),
        ("de", "sperr die Tür ab", {Act.LOCK}, {Act.UNLOCK}),
    ],
)
def test_acts(language: str, sentence: str, said: set[Act], unsaid: set[Act]) -> None:
    found = said_acts(sentence, (), words(language))
    assert said <= found
    assert not unsaid & found


@pytest.mark.parametrize("name", ["Open Sesame", "Lock 3"])
def test_a_name_says_no_act(name: str) -> None:
    sentence = f"pause {name}"
    assert said_acts(sentence, where(sentence, name), words("en")) == {Act.PAUSE}
    assert said_acts(sentence, (), words("en")) > {Act.PAUSE}


@pytest.mark.parametrize(
    ("sentence", "name", "numbers"),
    [
        ("lamp to 30 percent", "", {30.0}),
        ("lamp to twenty-one percent", "", {21.0}),
        ("lamp to twenty one percent", "", {21.0}),
        ("lamp 2 to 30 percent", "lamp 2", {30.0}),
        ("21.5 degrees and then 19", "", {21.5, 19.0}),
        ("the one in the hall", "", set()),
    ],
)
def test_numbers(sentence: str, name: str, numbers: set[float]) -> None:
    assert said_numbers(sentence, where(sentence, name), words("en")) == numbers


def test_without_a_lexicon_digits_are_still_read() -> None:
    assert said_numbers("lampan till 30 procent", (), None) == {30.0}
