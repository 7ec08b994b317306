"""A question that names no list and no calendar is about them only where its words match what stands there."""

from __future__ import annotations

import pytest

from ha_assist_addon.answering.agenda import Told, answer_calendar, answer_list
from ha_assist_addon.answering.answer import answer_state
from ha_assist_addon.answering.quality import holds
from ha_assist_addon.home.entity import Entity
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.recognition.recognise import Candidate

SHOPPING = {"result": [{"summary": "Light bulbs"}, {"summary": "Two eggs"}, {"summary": "Milk"}]}
EVENTS = {"events": [{"start": "2026-12-01T19:30:00", "end": "2026-12-01T21:00:00", "summary": "Choir with Liza"}]}


def asked(intent: str, text: str, response: str, guess: bool = True) -> Candidate:
    slots = {"text": text, "guess": True} if guess else {"text": text}
    return Candidate(intent, "en", slots, {"text": text}, None, response, "", (0,), text, (text,), own=True)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("milk", "Yes, Shopping List has Milk."),
        ("eggs", "Yes, Shopping List has Two eggs."),
        ("a light or heavy jacket", ""),
        ("an umbrella", ""),
        ("to pick up the kids", ""),
    ],
)
def test_an_item_is_meant_only_where_its_words_are(text: str, answer: str) -> None:
    told = answer_list(asked("HaAssistList", text, "has"), "Shopping List", SHOPPING)
    assert told is not None
    assert (told.text, told.certain) == (answer, bool(answer))


def test_a_list_that_is_named_is_always_told() -> None:
    told = answer_list(asked("HaAssistList", "butter", "has", guess=False), "Shopping List", SHOPPING)
    assert told == Told("No. Shopping List, 3 items: Light bulbs, Two eggs and Milk.")


@pytest.mark.parametrize(("text", "found"), [("choir", True), ("the concert", False), ("to need a jacket", False)])
def test_an_event_is_meant_only_where_its_words_are(text: str, found: bool) -> None:
    told = answer_calendar(asked("HaAssistCalendar", text, "find"), [EVENTS])
    assert told is not None
    assert ("Choir with Liza" in told.text, told.certain) == (found, found)


@pytest.mark.parametrize(
    ("domain", "state", "quality", "answer"),
    [
        ("lock", "unlocked", "open", True),
        ("lock", "locked", "closed", True),
        ("fan", "off", "idle", True),
        ("fan", "on", "spinning", True),
        ("cover", "closing", "closing", True),
        ("cover", "open", "secure", False),
        ("light", "on", "secure", None),
    ],
)
def test_what_a_state_means(domain: str, state: str, quality: str, answer: bool | None) -> None:
    assert holds(Entity(("Thing",), domain, state=state), quality) is answer


def test_a_sensor_of_the_room_that_is_away_is_said_to_be_so() -> None:
    probe = Entity(("Probe",), "sensor", ("Cellar",), "unavailable", "temperature")
    slots = {"measure": "temperature", "area": "Cellar"}
    question = Candidate("HaAssistMeasure", "en", slots, {}, None, "default", "", (0,), "")
    grammar = GrammarLibrary().get("en")
    assert grammar is not None
    assert answer_state(question, [probe], grammar) == "Probe is not available right now."
