"""The shapes of a sentence are those of hassil's own ways to leave out skip words, and their number has a bound."""

from __future__ import annotations

import random

import pytest
from hassil.util import fold_case, normalize_for_matching, remove_skip_words

from ha_assist_addon.language import shape
from ha_assist_addon.language.grammar import MAX_CHARACTERS, GrammarLibrary
from ha_assist_addon.language.shape import MARKS, Span, sentence_shapes, squeeze

ENDS = ((True, True), (True, False), (False, True))


@pytest.mark.parametrize("language", ["sl", "zh-CN"])
def test_skip_words_are_left_out_as_hassil_leaves_them_out(language: str) -> None:
    grammar, dice = GrammarLibrary().get(language), random.Random(language)
    assert grammar is not None
    skipped, unspaced = tuple(grammar.intents.skip_words), grammar.intents.settings.ignore_whitespace
    words = [*list(grammar.words)[:40], *MARKS.values()]
    for _ in range(400):
        said = (dice.choice(dice.choice((skipped, words))) + dice.choice(("", "", ",", "-")) for _ in range(8))
        text = normalize_for_matching(dice.choice((" ", "  ", "")).join(said)).text
        left = (remove_skip_words(text, skipped, unspaced, start=start, end=end) for start, end in ENDS)
        assert set(sentence_shapes(text, (), skipped, unspaced) or ()) == {squeeze(text), *map(squeeze, left)}


def test_squeezed_text_holds_letters_digits_and_marks() -> None:
    text = "Ça va_t-il, 5 °C? ½ ²\x01\x02\x03 \x04 İstanbul 灯 ไฟ"
    kept = "".join(c for c in fold_case(text) if c.isalnum() or c in MARKS.values())
    assert squeeze(text) == kept


def test_a_sentence_with_too_many_mentions_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ways to mark a name, an area and a floor are the product of their numbers."""

    def squeezed(_: str) -> str:
        pytest.fail("a shape was made")

    monkeypatch.setattr(shape, "squeeze", squeezed)
    text = "lamp " * (MAX_CHARACTERS // 5)
    spans = tuple(Span(at, at + 4, name) for at in range(0, len(text), 5) for name in MARKS)
    assert sentence_shapes(text, spans, ("please",), False) is None
