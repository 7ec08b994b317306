"""Sentences that need one of our tools where it is not offered: what is missing is said, and nothing is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from ha_assist_addon.language.times import say_timed
from tests.support.house import House, Pipeline, thing
from tests.support.timed import FORECAST

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")
HOUSE = House(
    (
        thing("Lampara", "light", "Salon"),
        thing("Robot", "vacuum", "Salon"),
        thing("Sezam", "lock", "Salon"),
        thing("Volta", "cover", "Salon"),
    ),
    satellite="Salon",
)
MISSING = {
    "needs_schedule": {
        "en": "turn off Lampara at ten o'clock",
        "de": "schalte Lampara um 22 Uhr aus",
        "fr": "éteins Lampara à 22 heures",
        "es": "apaga Lampara a las 22:00",
        "it": "spegni Lampara alle 22:00",
        "nl": "zet Lampara uit om 22 uur",
        "pl": "wyłącz Lampara o 22:00",
        "pt": "apaga Lampara às 22:00",
    },
    "needs_undo": {
        "en": "undo that",
        "de": "mach das rückgängig",
        "fr": "remets comme avant",
        "es": "déjalo como estaba",
        "it": "rimetti tutto come prima",
        "nl": "maak dat ongedaan",
        "pl": "cofnij to",
        "pt": "põe tudo como estava",
    },
    "needs_forecast": {
        "en": "will it rain at the weekend",
        "de": "regnet es am Wochenende",
        "fr": "va-t-il pleuvoir ce week-end",
        "es": "va a llover este fin de semana",
        "it": "ci sarà pioggia nel fine settimana",
        "nl": "gaat het dit weekend regenen",
        "pl": "czy będzie padać w weekend",
        "pt": "vai chover no fim de semana",
    },
}
OTHER = (
    "turn off the teleporter at ten o'clock",
    "don't turn off Lampara at ten o'clock",
    "tell me about the weekend",
    "undo the zip",
)


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(Path(tmp_path_factory.mktemp("lacking")), *LANGUAGES)


@pytest.mark.parametrize(
    ("key", "language", "sentence"),
    [(key, language, sentence) for key, listed in MISSING.items() for language, sentence in listed.items()],
)
def test_what_is_missing_is_said(pipeline: Pipeline, key: str, language: str, sentence: str) -> None:
    decision = pipeline.say(HOUSE, sentence)
    assert not decision.calls
    assert decision.text == say_timed(key, language)


@pytest.mark.parametrize("sentence", OTHER)
def test_other_sentences_need_a_model(pipeline: Pipeline, sentence: str) -> None:
    decision = pipeline.say(HOUSE, sentence)
    assert not decision.calls
    assert "HA-Assist tools" not in decision.text


def test_where_our_tools_are_offered_none_is_missing(pipeline: Pipeline) -> None:
    house = House(HOUSE.things, satellite="Salon", extra_tools=(FORECAST,))
    assert "HA-Assist tools" not in pipeline.say(house, "undo that").text
