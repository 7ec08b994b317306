"""Commands for later: what is planned, what is not, and what is said of it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.language.times import times_file
from ha_assist_addon.reading.scheduling import SCHEDULABLE
from tests.integration.modules import load_pure
from tests.support.house import Decision, House, Pipeline, called, result, thing
from tests.support.shared import ROOT
from tests.support.timed import CANCEL, LIST, PERIODS, SCHEDULE

TOOLS = (SCHEDULE, LIST, CANCEL)
YES = {"en": "yes", "de": "ja"}


def asked_before(text: str | None) -> dict[str, Any]:
    """What we said in the turn before."""
    return {"role": "assistant", "content": text}


def house(language: str, *tools: Any) -> House:
    things = (
        thing("Heater", "switch", "Attic"), thing("Den Lamp", "light", "Den"), thing("Den Blind", "cover", "Den"),
        thing("Back Door", "lock", "Hall"), thing("Garage Door", "cover", "Garage"),
        thing("Radio", "media_player", "Den"),
    ) if language == "en" else (
        thing("Heizlüfter", "switch", "Dachboden"), thing("Stubenlampe", "light", "Stube"),
        thing("Stubenrollo", "cover", "Stube"), thing("Hintertür", "lock", "Diele"),
        thing("Garagentor", "cover", "Garage"), thing("Radio", "media_player", "Stube"),
    )  # fmt: skip
    return House(things, extra_tools=tools or TOOLS)


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pipeline]:
    return {language: Pipeline(tmp_path_factory.mktemp(language), language) for language in ("en", "de")}


@pytest.mark.parametrize(
    ("language", "sentence", "tool", "arguments", "when"),
    [
        ("en", "turn off the heater at ten", "HassTurnOff", {"name": "Heater"}, {"time": "10:00", "either_half": True}),
        ("en", "please turn off the heater in 20 minutes", "HassTurnOff", {"name": "Heater"}, {"after_seconds": 1200}),
        ("en", "tomorrow at 7 am open the den blind", "HassTurnOn", {"name": "Den Blind"},
         {"time": "07:00", "day": "tomorrow"}),
        ("en", "set the den lamp to 30 percent at sunset", "HassLightSet", {"name": "Den Lamp", "brightness": 30},
         {"sun": "sunset"}),
        ("en", "lock the back door at 11 pm", "HassTurnOn", {"name": "Back Door"}, {"time": "23:00"}),
        ("de", "schalte um zehn den Heizlüfter aus", "HassTurnOff", {"name": "Heizlüfter"},
         {"time": "10:00", "either_half": True}),
        ("de", "mach den Heizlüfter in 20 Minuten aus", "HassTurnOff", {"name": "Heizlüfter"}, {"after_seconds": 1200}),
        ("de", "mach morgen früh um 7 das Stubenrollo auf", "HassTurnOn", {"name": "Stubenrollo"},
         {"time": "07:00", "day": "tomorrow"}),
        ("de", "stell die Stubenlampe bei Sonnenuntergang auf 30 Prozent", "HassLightSet",
         {"name": "Stubenlampe", "brightness": 30}, {"sun": "sunset"}),
        ("de", "schließ um 23 Uhr die Hintertür ab", "HassTurnOn", {"name": "Hintertür"}, {"time": "23:00"}),
    ],
)  # fmt: skip
def test_plans(
    pipelines: dict[str, Pipeline],
    language: str,
    sentence: str,
    tool: str,
    arguments: dict[str, Any],
    when: dict[str, Any],
) -> None:
    decision = pipelines[language].say(house(language), sentence)
    [(name, given)] = decision.calls
    assert name == "ha_assist__schedule"
    assert given.pop("tool") == tool
    inner = given.pop("arguments")
    assert {key: inner[key] for key in arguments} == arguments
    assert given.pop("what")
    assert given == when


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "don't turn off the heater at ten"),
        ("en", "turn off the heater at ten if it is cold"),
        ("en", "turn off the heater every day at ten"),
        ("en", "turn off the heater until ten"),
        ("en", "turn on the heater for 20 minutes"),
        ("en", "turn on the heater from 6 to 7 pm"),
        ("en", "turn off the heater at ten and turn on the radio at eleven"),
        ("en", "turn off the heater and the radio and the den lamp at ten"),
        ("en", "she said turn off the heater at ten"),
        ("en", "was the heater off at ten"),
        ("en", "is the heater off at ten"),
        ("en", "will you be here at ten"),
        ("en", "turn off the oven at ten"),
        ("en", "turn off the heater at ten or eleven"),
        ("en", "heater at ten"),
        ("en", "make the den lamp brighter at ten"),
        ("en", "remind me to turn off the heater at ten"),
        ("de", "mach den Heizlüfter um zehn nicht aus"),
        ("de", "mach den Heizlüfter um zehn aus, wenn es warm ist"),
        ("de", "mach jeden Tag um zehn den Heizlüfter aus"),
        ("de", "lass den Heizlüfter bis zehn Uhr aus"),
        ("de", "mach den Heizlüfter für zehn Minuten an"),
        ("de", "war der Heizlüfter um zehn aus"),
        ("de", "mach die Stubenlampe um 10 heller"),
        ("de", "erinnere mich um zehn daran, den Heizlüfter auszumachen"),
    ],
)
def test_what_is_not_planned(pipelines: dict[str, Pipeline], language: str, sentence: str) -> None:
    assert pipelines[language].say(house(language), sentence).actions == []


OPENING = [
    ("en", "unlock the back door at ten pm", "at ten pm"),
    ("en", "open the garage door in 20 minutes", "in 20 minutes"),
    ("de", "schließ die Hintertür um 22 Uhr auf", "um 22 Uhr"),
    ("de", "öffne in 20 Minuten das Garagentor", "in 20 Minuten"),
]


@pytest.mark.parametrize(("language", "sentence", "when"), OPENING)
def test_what_opens_later_is_asked_and_planned_with_a_yes(
    pipelines: dict[str, Pipeline], language: str, sentence: str, when: str
) -> None:
    asked = pipelines[language].say(house(language), sentence)
    assert asked.calls == []
    assert when in asked.text
    [(name, given)] = pipelines[language].say(house(language), sentence, asked_before(asked.text), YES[language]).calls
    assert name == "ha_assist__schedule"
    assert given["confirmed"] is True


@pytest.mark.parametrize(("language", "sentence", "when"), OPENING)
@pytest.mark.parametrize("answer", ["no", "nein", "maybe", "turn on the radio"])
def test_nothing_else_than_a_yes_plans_it(
    pipelines: dict[str, Pipeline], language: str, sentence: str, when: str, answer: str
) -> None:
    asked = pipelines[language].say(house(language), sentence).text
    after = pipelines[language].say(house(language), sentence, asked_before(asked), answer)
    assert not [name for name, _ in after.calls if name == "ha_assist__schedule"], when


@pytest.mark.parametrize(("language", "sentence"), [one[:2] for one in OPENING])
def test_nothing_is_opened_later_by_a_tool_that_knows_no_yes(
    pipelines: dict[str, Pipeline], language: str, sentence: str
) -> None:
    parameters = SCHEDULE["parameters"]
    known = {key: value for key, value in parameters["properties"].items() if key != "confirmed"}
    older = {**SCHEDULE, "parameters": {**parameters, "properties": known}}
    decision = pipelines[language].say(house(language, older), sentence)
    words = times_file(language)
    assert words is not None
    assert (decision.calls, decision.text) == ([], words.answers["schedule_opens"])


@pytest.mark.parametrize("tool", [LIST, {**SCHEDULE, "name": "script__schedule"}, {**SCHEDULE, "name": "schedule"}])
def test_the_guard_stays_where_no_tool_is_offered(pipelines: dict[str, Pipeline], tool: Any) -> None:
    for sentence in ("turn off the heater at ten", "turn off the heater in 20 minutes"):
        assert pipelines["en"].say(house("en", tool), sentence).actions == []


NOW = "2026-12-01T10:30:00+01:00"


def planned(pipeline: Pipeline, language: str, sentence: str, told: Any) -> Decision:
    [(name, arguments)] = pipeline.say(house(language), sentence).calls
    return pipeline.say(house(language), sentence, called(name, arguments), result(told))


def later(at: str, what: str = "turn off the heater") -> dict[str, Any]:
    return {"scheduled": True, "now": NOW, "id": "x", "what": what, "at": at}


ITEMS = [{"id": "1", "what": "a", "at": "2026-12-01T22:00:00+01:00"},
         {"id": "2", "what": "b", "at": "2026-12-04T07:00:00+01:00"}]  # fmt: skip
OFF = "turn off the heater at ten"
AUS = "schalte um zehn den Heizlüfter aus"


@pytest.mark.parametrize(
    ("language", "sentence", "told", "answer"),
    [
        ("en", OFF, later("2026-12-01T22:00:00+01:00"), "Today at 10:00 PM: turn off the heater."),
        ("en", OFF, later("2026-12-02T10:00:00+01:00"), "Tomorrow at 10:00 AM: turn off the heater."),
        ("en", OFF, later("2026-12-04T10:00:00+01:00"), "On Friday at 10:00 AM: turn off the heater."),
        ("en", OFF, {"scheduled": False, "why": "passed"}, "That time has passed. Nothing is planned."),
        ("en", OFF, {"scheduled": False, "why": "new"}, "I could not plan that."),
        ("en", OFF, {"error": "X", "error_text": "y"}, "Sorry, that did not work."),
        ("en", OFF, {"scheduled": True}, "Sorry, that did not work."),
        ("de", AUS, later("2026-12-01T22:00:00+01:00", "Heizlüfter aus"), "Heute um 22:00 Uhr: Heizlüfter aus."),
        ("en", "what is scheduled", {"now": NOW, "items": []}, "Nothing is planned."),
        ("en", "what's scheduled please", {"now": NOW, "items": ITEMS},
         "2 commands are planned: today at 10:00 PM “a” and on Friday at 7:00 AM “b”."),
        ("de", "was ist geplant", {"now": NOW, "items": ITEMS[:1]}, "Ein Befehl ist geplant: heute um 22:00 Uhr „a“."),
        ("en", "cancel the last scheduled command", {"now": NOW, "cancelled": ITEMS[1:]},
         "Cancelled: on Friday at 7:00 AM “b”."),
        ("en", "cancel all scheduled commands", {"now": NOW, "cancelled": []},
         "Nothing was planned that I could cancel."),
        ("de", "lösche alle geplanten Befehle", {"now": NOW, "cancelled": ITEMS[:1]},
         "Gestrichen: heute um 22:00 Uhr „a“."),
    ],
)  # fmt: skip
def test_what_is_said(
    pipelines: dict[str, Pipeline], language: str, sentence: str, told: dict[str, Any], answer: str
) -> None:
    decision = planned(pipelines[language], language, sentence, told)
    assert (decision.text, decision.calls) == (answer, [])


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_sentence_of_the_lists_is_understood(pipelines: dict[str, Pipeline], language: str) -> None:
    words = times_file(language)
    assert words is not None
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        **dict.fromkeys(words.schedule.list, ("ha_assist__list_scheduled", {})),
        **dict.fromkeys(words.schedule.cancel_last, ("ha_assist__cancel_scheduled", {"which": "last"})),
        **dict.fromkeys(words.schedule.cancel_all, ("ha_assist__cancel_scheduled", {"which": "all"})),
    }
    for sentence, call in asked.items():
        assert pipelines[language].say(house(language), sentence).calls == [call], sentence


def test_what_is_planned_is_what_the_tool_plans() -> None:
    source = (ROOT / "custom_components/ha_assist/later.py").read_text(encoding="utf-8")
    listed = re.search(r"SCHEDULABLE = frozenset\(\s*\{([^}]+)\}", source)
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed.group(1))) == SCHEDULABLE


def test_days_are_those_of_the_tool() -> None:
    properties = SCHEDULE["parameters"]["properties"]
    assert tuple(properties["day"]["enum"]) == load_pure("due").DAYS
    assert tuple(load_pure("periods").PERIODS) == PERIODS


@pytest.mark.parametrize(
    ("language", "sentence", "length", "command"),
    [
        ("en", "turn off the heater in half an hour", {"minutes": 30}, "turn off the heater"),
        ("en", "in two and a half hours turn off the heater", {"hours": 2, "minutes": 30}, "turn off the heater"),
        ("de", "mach den Heizlüfter in 20 Minuten aus", {"minutes": 20}, "mach den Heizlüfter aus"),
    ],
)
def test_a_timer_carries_a_command_where_no_tool_plans(
    pipelines: dict[str, Pipeline], language: str, sentence: str, length: dict[str, int], command: str
) -> None:
    """Home Assistant's own agent reads the command when the timer ends."""
    offered = replace(house(language), satellite="Den", extra_tools=())
    [(name, given)] = pipelines[language].say(offered, sentence).calls
    assert plain_name(name) == "HassStartTimer"
    assert given == {**length, "conversation_command": command}


@pytest.mark.parametrize(
    "sentence",
    [
        "turn off the heater at ten",
        "turn off the heater for half an hour",
        "brighten the den lamp in half an hour",
        "turn off the oven in half an hour",
        "don't turn off the heater in half an hour",
        "turn off the heater in half an hour if it is cold",
    ],
)
def test_no_timer_carries_another_sentence(pipelines: dict[str, Pipeline], sentence: str) -> None:
    assert pipelines["en"].say(replace(house("en"), satellite="Den", extra_tools=()), sentence).actions == []
