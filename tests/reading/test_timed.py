"""Questions about the weather that comes and about the past: what is read for them, and what is no such question."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Environment, meta

from ha_assist_addon.answering.quality import domains_with
from ha_assist_addon.language.data import languages_with
from ha_assist_addon.language.times import COMING, EXTREMES, GONE, WEATHER_KEYS, PastAsks, times_file
from tests.support.house import House, Pipeline, thing
from tests.support.timed import FORECAST, HISTORY, PERIODS

NAMES = {
    "en": ("Back Door", "Back Door Lock", "Hall", "Den Lamp", "Den", "Dishwasher", "Bell", "Loft Sensor",
           "Loft", "Pia"),
    "de": ("Hintertür", "Hintertürschloss", "Diele", "Stubenlampe", "Stube", "Spülmaschine", "Glocke", "Dachfühler",
           "Dachboden", "Pia"),
}  # fmt: skip


def house(language: str, *extra: Any, **more: Any) -> House:
    door, lock, hall, lamp, den, machine, bell, sensor, loft, person = NAMES[language]
    things = (
        thing(door, "binary_sensor", hall), thing(lock, "lock", hall), thing(lamp, "light", den),
        thing(machine, "switch"), thing(bell, "event"), thing(sensor, "sensor", loft), thing(person, "person"),
        thing("Seeblick", "weather"),
    )  # fmt: skip
    return House(things, extra_tools=extra or (FORECAST, HISTORY), **more)


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pipeline]:
    return {language: Pipeline(tmp_path_factory.mktemp(language), language) for language in ("en", "de")}


DAYS: dict[str, Any] = {}
HOURS = {"type": "hourly"}


@pytest.mark.parametrize(
    ("language", "sentence", "arguments"),
    [
        ("en", "what's the weather going to be tomorrow", DAYS),
        ("en", "will it snow on Friday", DAYS),
        ("en", "should I take an umbrella tonight", HOURS),
        ("en", "How hot does it get this week?", DAYS),
        ("en", "give me the forecast for the weekend", DAYS),
        ("en", "is it going to be foggy tomorrow morning", HOURS),
        ("en", "what will the weather in Seeblick be like tomorrow", {"name": "Seeblick"}),
        ("en", "will it stay dry today", DAYS),
        ("de", "wie wird morgen das Wetter", DAYS),
        ("de", "wird es am Freitag schneien", DAYS),
        ("de", "muss ich heute Abend einen Schirm mitnehmen", HOURS),
        ("de", "Wie heiß wird es diese Woche?", DAYS),
        ("de", "sag mir die Wettervorhersage für das Wochenende", DAYS),
        ("de", "wird es morgen früh neblig", HOURS),
        ("de", "wie wird das Wetter morgen in Seeblick", {"name": "Seeblick"}),
        ("de", "bleibt es heute trocken", DAYS),
    ],
)
def test_forecasts(pipelines: dict[str, Pipeline], language: str, sentence: str, arguments: dict[str, Any]) -> None:
    assert pipelines[language].say(house(language), sentence).calls == [("ha_assist__get_forecast", arguments)]


@pytest.mark.parametrize(
    ("language", "sentence", "arguments"),
    [
        ("en", "when was the back door last opened", {"name": "Back Door"}),
        ("en", "when did the back door open today", {"name": "Back Door", "period": "today"}),
        ("en", "when was the back door locked", {"name": "Back Door Lock", "domain": "lock"}),
        ("en", "how long has the den lamp been on", {"name": "Den Lamp"}),
        ("en", "how long was the den lamp on yesterday evening", {"name": "Den Lamp", "period": "yesterday_evening"}),
        ("en", "did the dishwasher run this morning", {"name": "Dishwasher", "period": "this_morning"}),
        ("en", "how many times did the bell ring in the last hour", {"name": "Bell", "period": "last_hour"}),
        ("en", "how warm was it in the loft last night",
         {"device_class": "temperature", "area": "Loft", "period": "last_night"}),
        ("en", "what was the lowest temperature yesterday", {"device_class": "temperature", "period": "yesterday"}),
        ("en", "when did Pia leave the house", {"name": "Pia"}),
        ("de", "wann wurde die Hintertür zuletzt geöffnet", {"name": "Hintertür"}),
        ("de", "wann ist heute die Hintertür aufgegangen", {"name": "Hintertür", "period": "today"}),
        ("de", "wann wurde die Hintertür abgeschlossen", {"name": "Hintertürschloss", "domain": "lock"}),
        ("de", "seit wann ist die Stubenlampe an", {"name": "Stubenlampe"}),
        ("de", "wie lange brannte gestern Abend die Stubenlampe",
         {"name": "Stubenlampe", "period": "yesterday_evening"}),
        ("de", "ist die Hintertür gestern geöffnet worden", {"name": "Hintertür", "period": "yesterday"}),
        ("de", "lief die Spülmaschine heute Morgen", {"name": "Spülmaschine", "period": "this_morning"}),
        ("de", "wie oft hat die Glocke in der letzten Stunde geläutet", {"name": "Glocke", "period": "last_hour"}),
        ("de", "wie warm war es heute Nacht auf dem Dachboden",
         {"device_class": "temperature", "area": "Dachboden", "period": "last_night"}),
        ("de", "was war gestern die niedrigste Temperatur", {"device_class": "temperature", "period": "yesterday"}),
        ("de", "wann ist Pia weggegangen", {"name": "Pia"}),
    ],
)  # fmt: skip
def test_the_past(pipelines: dict[str, Pipeline], language: str, sentence: str, arguments: dict[str, Any]) -> None:
    assert pipelines[language].say(house(language), sentence).calls == [("ha_assist__get_history", arguments)]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "turn off the den lamp tomorrow"),
        ("en", "turn on the dishwasher this evening"),
        ("en", "if it rains tomorrow lock the back door"),
        ("en", "when it gets cold tonight turn on the den lamp"),
        ("en", "remind me of the umbrella tomorrow"),
        ("en", "lock the back door when Pia has left the house"),
        ("en", "was the den lamp not on yesterday"),
        ("en", "the den lamp was turned off yesterday"),
        ("en", "will it rain in Oslo tomorrow"),
        ("en", "when was the attic door last opened"),
        ("en", "when was the back door opened and unlock it"),
        ("de", "schalte die Stubenlampe morgen aus"),
        ("de", "mach heute Abend die Spülmaschine an"),
        ("de", "wenn es morgen regnet, schließ die Hintertür ab"),
        ("de", "erinnere mich morgen an den Regenschirm"),
        ("de", "schließ ab, wenn Pia weggegangen ist"),
        ("de", "war die Stubenlampe gestern nicht an"),
        ("de", "die Stubenlampe wurde gestern ausgeschaltet"),
        ("de", "regnet es morgen in Oslo"),
        ("de", "wann wurde die Kellertür zuletzt geöffnet"),
    ],
)
def test_what_is_neither(pipelines: dict[str, Pipeline], language: str, sentence: str) -> None:
    decision = pipelines[language].say(house(language), sentence)
    assert [name for name, _ in decision.calls if name.startswith("ha_assist__")] == []
    assert decision.actions == []


@pytest.mark.parametrize("sentence", ["will it rain tomorrow", "when was the back door last opened"])
def test_nothing_changes_where_the_tools_are_not_offered(pipelines: dict[str, Pipeline], sentence: str) -> None:
    other = {**FORECAST, "name": "script__get_forecast"}, {**HISTORY, "name": "get_history"}
    decision = pipelines["en"].say(house("en", *other), sentence)
    assert decision.actions == []
    assert all("get_forecast" not in name and "get_history" not in name for name, _ in decision.calls)


@pytest.mark.parametrize("prefix", ["", "ha-assist-tools__", "ha_assist_tools__"])
def test_names_of_all_versions(pipelines: dict[str, Pipeline], prefix: str) -> None:
    offered = [{**tool, "name": prefix + tool["name"]} for tool in (FORECAST, HISTORY)]
    decision = pipelines["en"].say(house("en", *offered), "will it rain tomorrow")
    assert decision.calls == [(f"{prefix}ha_assist__get_forecast", {})]


def test_a_tool_that_takes_less_is_not_called(pipelines: dict[str, Pipeline]) -> None:
    narrow = {**HISTORY, "parameters": {"type": "object", "properties": {"name": {"type": "string"}}}}
    decision = pipelines["en"].say(house("en", narrow), "was the dishwasher on yesterday")
    assert [name for name, _ in decision.calls if "get_history" in name] == []


@pytest.mark.parametrize("language", languages_with("times"))
def test_each_language_says_all(language: str) -> None:
    words = times_file(language)
    assert words is not None
    assert set(words.forecast.times) == COMING
    assert set(words.forecast.weather) == WEATHER_KEYS
    assert set(words.past.times) == GONE
    assert set(words.past.asks) == set(PastAsks)
    assert set(words.past.extremes) == EXTREMES
    assert all(domains_with(quality) for quality in (*words.past.qualities, *words.past.verbs))
    weekdays = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
    assert set(words.said) == {*(COMING | GONE) - weekdays, "last_week", "weekday"}
    assert "{day}" in words.said["weekday"]


def test_each_period_is_one_of_the_tool() -> None:
    assert (GONE - {"week"}) | {"last_7_days"} <= set(PERIODS)


@pytest.mark.parametrize("language", languages_with("times"))
def test_each_language_has_all_answers(language: str) -> None:
    words, english = times_file(language), times_file("en")
    assert words is not None
    assert english is not None
    assert set(words.answers) == set(english.answers)
    for key, template in english.answers.items():
        assert variables(words.answers[key]) <= variables(template), key


def variables(template: str) -> set[str]:
    return set(meta.find_undeclared_variables(Environment().parse(template)))
