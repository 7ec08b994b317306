"""A word that people know is no slip of a verb: "look at the door" locks nothing."""

from __future__ import annotations

import pytest

from ha_assist_addon.language.data import languages_with, look_up_words
from tests.support.understood import Listener, heard, house_of, lines

HOMES = {
    "en": "Den: light=Den Lamp; lock=Back Door; cover=Gate; vacuum=Dusty",
    "it": "Studio: light=Piantana; cover=Cancello; lock=Portoncino; vacuum=Briciola",
    "es": "Patio: light=Farol; cover=Portón; vacuum=Rumba",
    "pl": "Salon: light=Kinkiet; cover=Brama; fan=Wiatrak; vacuum=Pyłek",
}

NOTHING = {
    "en": """
        look at the back door
        block the back door
        clock the gate
        paint the gate
        learn the den lamp
        shot the gate
    """,
    "it": """
        ripara il cancello
        dipingi il cancello
        guarda il portoncino
    """,
    "es": """
        riega el patio
        cuida el portón
        mira el farol
    """,
    "pl": """
        zostaw bramę otwartą
        zostaw włączony wiatrak
        napraw bramę
    """,
}

STILL_REPAIRED = """
    en: trun on the den lamp => HassTurnOn Den Lamp
    en: swich off the den lamp => HassTurnOff Den Lamp
    en: lok the back door => HassTurnOn Back Door
    en: turn on the den lamb => HassTurnOn Den Lamp
    en: cloze the gate => HassTurnOff Gate
    it: acendi la piantana => HassTurnOn Piantana
    es: encinde el farol => HassTurnOn Farol
    pl: właćz kinkiet => HassTurnOn Kinkiet
"""


@pytest.mark.parametrize(("language", "sentence"), [(code, s) for code, text in NOTHING.items() for s in lines(text)])
def test_a_word_that_people_know_is_no_slip_of_a_verb(language: str, sentence: str) -> None:
    assert Listener(house_of(HOMES[language]), language).hears(sentence) == ""


@pytest.mark.parametrize(("sentence", "wanted"), heard(STILL_REPAIRED))
def test_what_is_no_word_is_still_put_right(sentence: str, wanted: str) -> None:
    language, _, said = sentence.partition(": ")

    assert Listener(house_of(HOMES[language]), language).hears(said) == wanted


def test_every_language_that_composes_knows_what_is_a_word() -> None:
    lacking = [code for code in languages_with("lexicon") if not look_up_words("real_words", code)]

    assert lacking == []
