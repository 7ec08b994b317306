"""How a lexicon explains the phrases of a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from ha_assist_addon.language.lexicon import ARTICLE, Lexicon, Meaning, Role, lexicon
from ha_assist_addon.language.lexicon_file import LexiconFile
from ha_assist_addon.language.tokens import key_of, tokens_of

_PARTS: dict[str, Any] = {
    name: [] if "Mapping" not in str(part.annotation) else {}
    for name, part in ((f.alias or n, f) for n, f in LexiconFile.model_fields.items())
    if part.is_required()
}
SMALL: dict[str, Any] = {
    **_PARTS,
    "endings": ["s"],
    "articles": ["the"],
    "prepositions": ["in"],
    "verbs": {
        "turn": {"on": "on", "off": "off", "up": "up:brightness"},
        "shut": {"alone": ["lock", "close"]},
        "schalt+": {"ein": "on", "aus": "off"},
        "enciende*": {"alone": "on"},
    },
    "bare": {"on": ["on"]},
    "states": {"on": ["on", "lit"]},
    "clitics": ["la", "lo"],
    "infixes": ["zu"],
    "nouns": {"light": ["light/lights"], "media": ["music"]},
    "colours": {"red": ["red"]},
    "yes": ["Yes, please", True],
}


def small(**parts: Any) -> Lexicon:
    return Lexicon("en", LexiconFile.model_validate({**SMALL, **parts}))


def readings(words: Lexicon, phrase: str) -> list[Meaning]:
    tokens = tokens_of(phrase)
    return [m for end, meanings in words.starting(tokens, 0) if end == len(tokens) for m in meanings]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Turn on the lamp!", ["turn", "on", "the", "lamp", "!"]),
        ("21.5°, then -3", ["21.5", "°", ",", "then", "-3"]),
        ("Schließ' die Tür", ["schliess", "die", "tur"]),
        ("", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert [t.folded for t in tokens_of(text)] == tokens


def test_tokens_keep_their_place_and_their_number() -> None:
    sentence = "set it to 21,5 degrees"
    (number,) = [t for t in tokens_of(sentence) if t.number is not None]
    assert (number.number, sentence[number.start : number.end]) == (21.5, "21,5")


def test_a_verb_and_its_particles() -> None:
    (turn,) = readings(small(), "turn")
    assert (turn.role, turn.acts, dict(turn.particles)) == (
        Role.VERB,
        (),
        {"on": ("on",), "off": ("off",), "up": ("up:brightness",)},
    )
    (shut,) = readings(small(), "shut")
    assert shut.acts == ("lock", "close")


def test_a_word_that_is_particle_direction_and_state_is_one_reading() -> None:
    (on,) = readings(small(), "on")
    assert (on.role, on.value, on.bare, on.state) == (Role.DIRECTION, "on", ("on",), ("on",))


@pytest.mark.parametrize(
    ("word", "acts"), [("einschalt", ("on",)), ("auszuschalt", ("off",)), ("encienda", None), ("enciendela", ("on",))]
)
def test_forms_that_are_written_together(word: str, acts: tuple[str, ...] | None) -> None:
    found = readings(small(), word)
    assert [m.acts for m in found] == ([] if acts is None else [acts])


def test_a_pronoun_that_hangs_on_a_verb_is_noted() -> None:
    assert [m.pronoun for word in ("enciende", "enciendelo") for m in readings(small(), word)] == [False, True]


def test_number_and_nouns() -> None:
    assert [(m.value, m.plural) for m in readings(small(), "light")] == [("light", False)]
    assert [(m.value, m.plural) for m in readings(small(), "lights")] == [("light", True)]
    assert [(m.value, m.plural) for m in readings(small(), "music")] == [("media", None)]
    assert [m.value for m in readings(small(), "twenty-one")] == [21.0]
    assert small().nouns_of("light") == {("light",), ("lights",)}


def test_small_words() -> None:
    assert [(m.role, m.value) for word in ("the", "in") for m in readings(small(), word)] == [
        (Role.SMALL, ARTICLE),
        (Role.SMALL, None),
    ]
    assert readings(small(), "perhaps") == []
    assert not small().knows("perhaps")


def test_answers_are_compared_folded_and_without_marks() -> None:
    assert small().yes == {"yes please", "true"}
    assert key_of("YES - please.") in small().yes


@pytest.mark.parametrize(
    "wrong", [{"colors": {}}, {"verbs": {"turn": {"on": {"a": 1}}}}, {"levels": {"half": ["half"]}}, {"joints": None}]
)
def test_a_file_that_is_no_lexicon_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        small(**wrong)


def test_a_part_that_is_left_out_is_refused() -> None:
    with pytest.raises(ValidationError, match="joints"):
        LexiconFile.model_validate({key: value for key, value in SMALL.items() if key != "joints"})


def test_a_variety_has_the_lexicon_of_its_language_and_most_have_none() -> None:
    assert lexicon("de-CH") is not None
    assert lexicon("sv") is None


def test_figures_of_any_script_are_read() -> None:
    """A raised two is a digit to Unicode and none to `float`."""
    assert [t.number for t in tokens_of("² ٣ -7 2,5 m²")] == [None, 3.0, -7.0, 2.5, None]


@pytest.mark.parametrize(
    ("language", "word", "number"),
    [("de", "achtzehneinhalb", 18.5), ("nl", "tweeënhalf", 2.5), ("pt", "dezanove", 19), ("fr", "septante", 70)],
)
def test_a_number_is_known_in_each_of_its_spellings(language: str, word: str, number: float) -> None:
    words = lexicon(language)
    assert words is not None
    assert number in {m.value for _, _, m in words.phrases_in(tokens_of(word)) if m.role is Role.NUMBER}
