"""A number word has one value in each list, whatever was said before in the process."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from hassil import string_matcher

from ha_assist_addon.language.grammar import Grammar, GrammarLibrary

_SOURCE: dict[str, Any] = {
    "language": "en",
    "intents": {
        "Up": {"data": [{"sentences": ["raise by {step_up:step} percent"]}]},
        "Down": {"data": [{"sentences": ["lower by {step_down:step} percent"]}]},
        "Half": {
            "data": [
                {"sentences": ["halve {step_half:step}"], "lists": {"step_half": {"range": {"from": 0, "to": 100}}}}
            ]
        },
    },
    "lists": {
        "step_up": {"range": {"from": 0, "to": 100}},
        "step_down": {"range": {"from": 0, "to": 100, "multiplier": -1}},
    },
}
_SOURCE["intents"]["Half"]["data"][0]["lists"]["step_half"]["range"]["multiplier"] = 0.5

_SAID = {
    "raise by thirty percent": 30,
    "lower by thirty percent": -30,
    "lower by 30 percent": -30,
    "halve thirty": 15,
}


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process starts anew: no number list has been asked for."""
    monkeypatch.setattr(string_matcher, "_RANGE_TRIE_CACHE", defaultdict(dict))


def _step(grammar: Grammar, sentence: str) -> Any:
    (found,) = grammar.recognise(sentence, lists={}, context={})
    return found.entities["step"].value


@pytest.mark.parametrize("order", [list(_SAID), list(reversed(_SAID))], ids=["up first", "down first"])
def test_a_number_word_keeps_its_sign_in_either_order(order: list[str]) -> None:
    grammar = Grammar("en", _SOURCE)
    for sentence in (*order, *order):
        assert _step(grammar, sentence) == _SAID[sentence], sentence


def test_a_scaled_list_still_ends_at_its_limits() -> None:
    grammar = Grammar("en", _SOURCE)
    assert [
        grammar.recognise(s, lists={}, context={}) for s in ("lower by 101 percent", "lower by one hundred one")
    ] == [
        (),
        (),
    ]
    assert _step(grammar, "lower by one hundred percent") == -100
    assert _step(grammar, "lower by zero percent") == 0


_LOUDER, _QUIETER = "increase volume by thirty percent", "decrease volume by thirty percent"


@pytest.mark.parametrize("order", [(_LOUDER, _QUIETER), (_QUIETER, _LOUDER)], ids=["louder first", "quieter first"])
def test_the_official_sentences_keep_their_direction(order: tuple[str, str]) -> None:
    grammar = GrammarLibrary().get("en")
    assert grammar is not None
    steps = {
        sentence: {
            found.entities["volume_step"].value
            for found in grammar.recognise(
                sentence, lists={}, context={"area": "Study"}, intents={"HassSetVolumeRelative"}
            )
        }
        for sentence in order
    }
    assert steps == {_LOUDER: {30}, _QUIETER: {-30}}
