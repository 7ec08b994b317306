"""Dates, what stands in the calendars, and when an event is, in the eight languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.house import Pipeline, thing
from tests.support.questions import State, answer_to

STATES: tuple[State, ...] = (
    (thing("Desk Lamp", "light", "Office"), "on", {}),
    (thing("Family", "calendar"), "off", {}),
)
EVENTS = (
    {"summary": "Breakfast", "start": "2026-11-30T07:00:00+01:00", "end": "2026-11-30T09:00:00+01:00"},
    {"summary": "Yoga", "start": "2026-12-01T18:15:00+01:00", "end": "2026-12-01T19:00:00+01:00"},
    {"summary": "Picnic", "start": "2026-12-05", "end": "2026-12-06"},
)
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")
DATES = {
    "en": ("which date is it on Thursday", "Thursday, December 3, 2026"),
    "de": ("welches Datum haben wir am Donnerstag", "Donnerstag, der 3. Dezember 2026"),
    "fr": ("quelle est la date de jeudi", "jeudi 3 décembre 2026"),
    "es": ("qué fecha es el jueves", "jueves 3 de diciembre de 2026"),
    "it": ("che data sarà giovedì", "giovedì 3 dicembre 2026"),
    "nl": ("wat is de datum van donderdag", "donderdag 3 december 2026"),
    "pl": ("jaka będzie data w czwartek", "czwartek, 3 grudnia 2026"),
    "pt": ("que data será na quinta-feira", "quinta-feira, 3 de dezembro de 2026"),
}
AHEAD = {
    "en": "what day is the day after tomorrow",
    "de": "welcher Wochentag ist übermorgen",
    "fr": "quel jour de la semaine sera après-demain",
    "es": "qué día es pasado mañana",
    "it": "che giorno è dopodomani",
    "nl": "welke dag is het overmorgen",
    "pl": "jaki dzień będzie pojutrze",
    "pt": "que dia é depois de amanhã",
}
NEXT = {
    "en": "what is my next appointment",
    "de": "was ist mein nächster Termin",
    "fr": "quel est mon prochain rendez-vous",
    "es": "cuál es mi próxima cita",
    "it": "qual è il mio prossimo appuntamento",
    "nl": "wat is mijn volgende afspraak",
    "pl": "jakie jest moje następne spotkanie",
    "pt": "qual é o meu próximo compromisso",
}
WHEN = {
    "en": "when do I have yoga",
    "de": "wann habe ich Yoga",
    "fr": "quand ai-je yoga",
    "es": "cuándo tengo yoga",
    "it": "quando ho yoga",
    "nl": "wanneer heb ik yoga",
    "pl": "kiedy mam yoga",
    "pt": "quando tenho yoga",
}
HAS = {
    "en": "have I got anything on Saturday",
    "de": "habe ich am Samstag etwas",
    "fr": "est-ce que j'ai quelque chose samedi",
    "es": "tengo algo el sábado",
    "it": "ho qualcosa sabato",
    "nl": "heb ik zaterdag iets",
    "pl": "czy mam coś w sobotę",
    "pt": "tenho alguma coisa no sábado",
}


@pytest.fixture(scope="module", params=LANGUAGES)
def speaker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Pipeline]:
    return request.param, Pipeline(tmp_path_factory.mktemp(f"agenda_{request.param}"), request.param)


def answer(speaker: tuple[str, Pipeline], sentence: str) -> str:
    return answer_to(speaker[1], sentence, STATES, events=EVENTS)


def test_the_date_of_a_day(speaker: tuple[str, Pipeline]) -> None:
    sentence, told = DATES[speaker[0]]
    assert told in answer(speaker, sentence)


def test_the_day_after_tomorrow(speaker: tuple[str, Pipeline]) -> None:
    text = answer(speaker, AHEAD[speaker[0]])
    assert "2" in text
    assert "2026" in text


def test_the_next_event_is_the_first_that_has_not_begun(speaker: tuple[str, Pipeline]) -> None:
    text = answer(speaker, NEXT[speaker[0]])
    assert "Yoga" in text
    assert "Breakfast" not in text
    assert "Picnic" not in text


def test_when_an_event_is(speaker: tuple[str, Pipeline]) -> None:
    text = answer(speaker, WHEN[speaker[0]])
    assert "Yoga" in text
    assert "15" in text
    assert "Picnic" not in text


def test_what_there_is_on_a_day(speaker: tuple[str, Pipeline]) -> None:
    text = answer(speaker, HAS[speaker[0]])
    assert "Picnic" in text
    assert "Yoga" not in text


@pytest.mark.parametrize(
    "sentence",
    [
        "when is the next total eclipse",
        "when does the film start",
        "what time is the football",
        "when is my next meeting",
    ],
)
def test_what_no_calendar_tells_is_left_to_a_model(tmp_path: Path, sentence: str) -> None:
    text = answer_to(Pipeline(tmp_path, "en"), sentence, STATES, events=EVENTS)
    assert "language model" in text or "Picnic" in text, "a kind of event that no calendar tells is at most listed"


def test_a_day_alone_asks_for_nothing(tmp_path: Path) -> None:
    pipeline = Pipeline(tmp_path, "en")
    for sentence in ("on Friday", "is Friday", "what is Friday", "turn on the desk lamp on Friday"):
        assert "2026" not in answer_to(pipeline, sentence, STATES, events=EVENTS)
