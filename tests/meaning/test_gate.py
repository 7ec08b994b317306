"""What the gate lets pass, asks first and refuses, whoever proposed it."""

from __future__ import annotations

from typing import Any

import pytest

from ha_assist_addon.home.toolbox import Toolbox
from ha_assist_addon.meaning.gate import AskFirst, Evidence, Passed, Refused, Ruling, certify
from ha_assist_addon.meaning.plan import Planned, plan
from ha_assist_addon.recognition.recognise import Candidate
from tests.support.small_home import small_home

_SLOTS = {key: {"type": "string"} for key in ("name", "area")}
_LIST = {"type": "array", "items": {"type": "string"}}


def offered(name: str, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {**_SLOTS, "domain": _LIST, **more}}
    return {"name": name, "description": "", "parameters": schema}


TOOLBOX = Toolbox.read(
    (
        offered("HassTurnOn"),
        offered("HassTurnOff"),
        offered("HassLightSet", brightness={"type": "integer", "minimum": 0, "maximum": 100}),
    )
)
HOME = small_home()


def call(intent: str, name: str, **slots: Any) -> Planned:
    domain = HOME.by_name[name.casefold()][0].domain
    made = plan(Candidate(intent, "en", {"name": name, **slots}, {}, domain, "default", "", ()), HOME, TOOLBOX)
    assert isinstance(made, Planned), made
    return made


def ruling(sentence: str, *planned: Planned, language: str = "en", **more: Any) -> Ruling:
    mentions = tuple(HOME.names.mentions(sentence))
    return certify(planned, Evidence(sentence, mentions, language, **more), TOOLBOX)


LAMP_ON, LAMP_OFF = call("HassTurnOn", "Desk Lamp"), call("HassTurnOff", "Desk Lamp")
UNLOCK, LOCK = call("HassTurnOff", "Front Door"), call("HassTurnOn", "Front Door")
OPEN_GARAGE = call("HassTurnOn", "Garage Door")


@pytest.mark.parametrize(
    ("sentence", "planned"),
    [
        ("turn on the desk lamp", LAMP_ON),
        ("desk lamp off", LAMP_OFF),
        ("unlock the front door", UNLOCK),
        ("lock the front door", LOCK),
        ("open the garage door", OPEN_GARAGE),
        ("set the desk lamp to 30 percent", call("HassLightSet", "Desk Lamp", brightness=30)),
    ],
)
def test_what_the_words_say_passes(sentence: str, planned: Planned) -> None:
    assert ruling(sentence, planned) == Passed()


@pytest.mark.parametrize(
    ("sentence", "planned"),
    [
        ("turn off the desk lamp", LAMP_ON),
        ("turn on the desk lamp", LAMP_OFF),
        ("lock the front door", UNLOCK),
        ("the front door", UNLOCK),
        ("close the garage door", OPEN_GARAGE),
        ("good evening", UNLOCK),
    ],
)
def test_a_direction_that_nobody_said_is_refused(sentence: str, planned: Planned) -> None:
    assert isinstance(ruling(sentence, planned), Refused)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("don't turn on the desk lamp", "negation"),
        ("is the desk lamp on", "question"),
        ("turn on the desk lamp if it is dark", "condition"),
        ("turn on the desk lamp at midnight", "schedule"),
        ("I turned on the desk lamp yesterday", "past"),
    ],
)
def test_a_guard_word_refuses_and_is_told(sentence: str, kind: str) -> None:
    refused = ruling(sentence, LAMP_ON)
    assert isinstance(refused, Refused)
    assert refused.guard == kind


def test_a_guard_that_the_commands_carry_does_not_refuse() -> None:
    sentence = "turn on the desk lamp a bit more"
    assert isinstance(ruling(sentence, LAMP_ON), Refused)
    assert ruling(sentence, LAMP_ON, understood={"relative"}) == Passed()


def test_a_tool_that_is_not_offered_is_refused() -> None:
    without = Toolbox.read((offered("HassTurnOff"),))
    sentence = "turn on the desk lamp"
    evidence = Evidence(sentence, tuple(HOME.names.mentions(sentence)), "en")
    assert isinstance(certify([LAMP_ON], evidence, without), Refused)


def test_several_things_that_open_are_asked() -> None:
    found = ruling("unlock the front door and open the garage door", UNLOCK, OPEN_GARAGE)
    assert isinstance(found, AskFirst)
    assert [e.name for e in found.opens] == ["Front Door", "Garage Door"]


def test_what_opens_has_to_be_said_in_one_sentence() -> None:
    assert isinstance(ruling("and the front door", UNLOCK, before="unlock the shed"), AskFirst)
    assert ruling("and the desk lamp", LAMP_OFF, before="turn off the radio") == Passed()


def test_a_yes_to_exactly_this_and_a_sentence_of_the_persons_own_pass() -> None:
    assert ruling("yes", UNLOCK, confirmed=True) == Passed()
    assert ruling("yes", UNLOCK, personal=True) == Passed()
    assert ruling("yes", UNLOCK) != Passed()


def test_one_half_that_nobody_said_refuses_both() -> None:
    assert isinstance(ruling("turn off the desk lamp", LAMP_OFF, UNLOCK), Refused)
    assert isinstance(ruling("turn on the desk lamp", LAMP_ON, UNLOCK), Refused)


def test_what_was_taught_need_not_be_said_and_still_asks_before_it_opens() -> None:
    assert ruling("movie night", LAMP_ON, taught=True) == Passed()
    assert ruling("never mind the dark", LAMP_ON, taught=True) == Passed()
    assert ruling("good night", LOCK, taught=True) == Passed()
    for opened in (UNLOCK, OPEN_GARAGE):
        assert isinstance(ruling("i am home", opened, taught=True), AskFirst)
        assert isinstance(ruling("i am home", LAMP_ON, opened, taught=True), AskFirst)
    assert ruling("yes", UNLOCK, taught=True, confirmed=True) == Passed()


def test_what_was_taught_is_called_only_as_it_is_offered() -> None:
    without = Toolbox.read((offered("HassTurnOff"),))
    evidence = Evidence("movie night", (), "en", taught=True)
    assert isinstance(certify((LAMP_ON,), evidence, without), Refused)
