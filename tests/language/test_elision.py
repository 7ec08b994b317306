"""Elided words are words of their own, in sentences and in names: "l'éclairage de l'entrée"."""

from __future__ import annotations

import pytest

from ha_assist_addon.home.catalogue import Home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.home_words import HomeWords
from ha_assist_addon.language.tokens import tokens_of
from ha_assist_addon.language.words import split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("l'éclairage de l’Entrée", "l eclairage de l entree"),
        ("LAMPE D'ANGELA", "lampe d angela"),
        ("luce dell'ingresso", "luce dell ingresso"),
        ("qu'elle s'allume aujourd'hui", "qu elle s allume aujourdhui"),
        ("quelqu'un n'entend", "quelquun n entend"),
        ("un'altra mezz'ora", "un altra mezzora"),
        ("five o'clock don't y'all", "five oclock dont yall"),
    ],
)
def test_sentences_and_names_are_split_alike(text: str, words: str) -> None:
    assert [t.folded for t in tokens_of(text)] == words.split()
    assert list(split_words(text)) == words.split()


def test_a_place_in_a_name_is_found_behind_an_elision() -> None:
    lamp = Entity(("Lumière de l'entrée",), "light", ())
    hall = Area(("Entrée",))
    home = Home((lamp,), (hall,))
    assert HomeWords(home, frozenset({""})).in_area(hall) == {0}
