"""Several questions in one sentence are each answered; nothing that acts is taken for one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.house import House, Pipeline, called, result, thing
from tests.support.questions import NOW, State, answer_to

STATES: tuple[State, ...] = (
    (thing("Reading Lamp", "light", "Study"), "on", {}),
    (thing("Cupboard Lamp", "light", "Pantry"), "off", {}),
    (thing("Back Door", "lock", "Hall"), "unlocked", {}),
    (thing("Cellar Meter", "sensor", "Cellar"), "14.5", {"unit_of_measurement": "°C", "device_class": "temperature"}),
    (thing("Attic Meter", "sensor", "Attic"), "27", {"unit_of_measurement": "°C", "device_class": "temperature"}),
    (thing("Family", "calendar"), "off", {}),
)
EVENTS = ({"summary": "Choir", "start": "2026-12-02T20:00:00+01:00", "end": "2026-12-02T21:00:00+01:00"},)
TWO = {
    "en": ("is the reading lamp on and how warm is it in the cellar", "Yes", "14.5"),
    "de": ("ist die Reading Lamp an und wie warm ist es im Cellar", "Ja", "14,5"),
    "fr": ("est-ce que Reading Lamp est allumée et quelle température fait-il dans Cellar", "Oui", "14,5"),
    "es": ("está encendida la Reading Lamp y qué temperatura hay en Cellar", "Sí", "14,5"),
    "it": ("la Reading Lamp è accesa e quanti gradi ci sono in Cellar", "Sì", "14,5"),
    "nl": ("is de Reading Lamp aan en hoe warm is het in Cellar", "Ja", "14,5"),
    "pl": ("czy Reading Lamp jest włączona i ile jest stopni w Cellar", "Tak", "14,5"),
    "pt": ("a Reading Lamp está ligada e qual é a temperatura em Cellar", "Sim", "14,5"),
}


@pytest.mark.parametrize("language", TWO)
def test_both_are_answered(tmp_path: Path, language: str) -> None:
    sentence, first, second = TWO[language]
    text = answer_to(Pipeline(tmp_path, language), sentence, STATES)
    assert text.startswith(first)
    assert second in text[len(first) :]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("what time is it and is the back door locked", ("8:05", "unlocked")),
        ("how warm is it in the cellar and the attic", ("Cellar: 14.5", "Attic: 27")),
        ("is the reading lamp on, is the back door locked and when is the choir", ("Yes", "unlocked", "Choir")),
        ("which lights are on and what day is it", ("Reading Lamp", "Monday")),
    ],
)
def test_different_kinds_in_one_sentence(tmp_path: Path, sentence: str, parts: tuple[str, ...]) -> None:
    text = answer_to(Pipeline(tmp_path, "en"), sentence, STATES, events=EVENTS)
    places = [text.find(part) for part in parts]
    assert -1 not in places, text
    assert places == sorted(places)


def test_states_in_the_request_and_a_read_go_together(tmp_path: Path) -> None:
    """What the request itself tells is answered from it, and said together with what had to be read."""
    pipeline = Pipeline(tmp_path, "en")
    house = House(tuple(t for t, _, _ in STATES))
    known = {"entities": [{"name": t.name, "domain": t.domain, "state": s, "attributes": a} for t, s, a in STATES]}
    sentence = "is the back door locked and what time is it"
    first = pipeline.say(house, sentence, ha_context=known)
    assert [name for name, _ in first.calls] == ["llm__GetDateTime"]
    told = result({"data": NOW, "error": False})
    answer = pipeline.say(house, sentence, called("llm__GetDateTime", {}), told, ha_context=known)
    assert "unlocked" in answer.text
    assert "8:05" in answer.text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "turn on the cupboard lamp and is the reading lamp on"),
        ("en", "turn off the reading lamp and are the lights in the pantry on"),
        ("de", "schalte die Cupboard Lamp ein und ist die Reading Lamp an"),
        ("fr", "allume Cupboard Lamp et est-ce que Reading Lamp est allumée"),
        ("en", "is the reading lamp on and turn on the cupboard lamp"),
        ("en", "is the back door locked and lock it"),
    ],
)
def test_a_question_beside_a_command_commands_nothing(tmp_path: Path, language: str, sentence: str) -> None:
    house = House(tuple(t for t, _, _ in STATES))
    decision = Pipeline(tmp_path, language).say(house, sentence)
    assert not decision.actions


def test_one_of_them_that_cannot_be_answered_leaves_all_to_a_model(tmp_path: Path) -> None:
    text = answer_to(Pipeline(tmp_path, "en"), "is the reading lamp on and who painted the ceiling", STATES)
    assert "language model" in text
