"""What is said of a forecast and of a history, in the words of the language."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reading.test_timed import NAMES, house
from tests.support.house import Decision, Pipeline, called, result
from tests.support.timed import days, history, hours

WEEK = days(
    {"condition": "rainy", "temperature": 9, "templow": 3, "precipitation_probability": 80},
    {"condition": "cloudy", "temperature": 8, "templow": 2, "wind_speed": 31},
    {"condition": "sunny", "temperature": 6.5, "templow": -1.5, "precipitation_probability": 10},
    {"condition": "snowy", "temperature": 1, "templow": -4},
)
NIGHT = hours(
    "2026-12-01T18:00:00+01:00",
    *({"condition": "clear-night", "temperature": 4 - n, "precipitation_probability": 5} for n in range(5)),
    {"condition": "rainy", "temperature": -2, "precipitation_probability": 60},
    *({"condition": "cloudy", "temperature": 0} for _ in range(6)),
)


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pipeline]:
    return {language: Pipeline(tmp_path_factory.mktemp(language), language) for language in ("en", "de")}


def answered(pipeline: Pipeline, language: str, sentence: str, data: Any) -> Decision:
    """The answer to what the tool told."""
    first = pipeline.say(house(language), sentence)
    assert len(first.calls) == 1, first.text
    name, arguments = first.calls[0]
    return pipeline.say(house(language), sentence, called(name, arguments), result(data))


@pytest.mark.parametrize(
    ("sentence", "told", "answer"),
    [
        ("what will the weather be tomorrow", WEEK, "Tomorrow: cloudy, 2 to 8 degrees."),
        ("what's the weather today", WEEK, "Today: raining, 3 to 9 degrees, 80% chance of rain."),
        ("do I need an umbrella today", WEEK, "Yes. Today: raining, 3 to 9 degrees, 80% chance of rain."),
        ("will it rain tomorrow", WEEK, "No. Tomorrow: cloudy, 2 to 8 degrees."),
        ("will it be dry tomorrow", WEEK, "Yes. Tomorrow: cloudy, 2 to 8 degrees."),
        ("will it be dry today", WEEK, "No. Today: raining, 3 to 9 degrees, 80% chance of rain."),
        ("will it snow this week", WEEK, "Yes, on Friday."),
        ("will there be fog this week", WEEK, "No, not in the next days, as far as the forecast goes, until Friday."),
        ("how cold does it get this week", WEEK, "In the next days it gets down to -4 degrees, on Friday."),
        ("how warm will it be tomorrow", WEEK, "Tomorrow it gets up to 8 degrees."),
        ("how windy will it be tomorrow", WEEK, "Tomorrow: wind up to 31 km/h."),
        ("will it rain on Sunday", WEEK, "The forecast says nothing about that yet."),
        ("will it rain tonight", NIGHT, "Yes. Tonight: cloudy, -2 to 2 degrees, 60% chance of rain."),
        ("will it rain this evening", NIGHT, "No. This evening: clear, 0 to 4 degrees."),
        ("will it rain tomorrow evening", WEEK, "No. Tomorrow: cloudy, 2 to 8 degrees."),
        ("will it rain tomorrow", {"error": "HomeAssistantError", "error_text": "has no forecast"},
         "I have no forecast."),
    ],
)  # fmt: skip
def test_forecasts(pipelines: dict[str, Pipeline], sentence: str, told: Any, answer: str) -> None:
    decision = answered(pipelines["en"], "en", sentence, told)
    assert (decision.text, decision.calls) == (answer, [])


@pytest.mark.parametrize(
    ("sentence", "told", "answer"),
    [
        ("wie wird das Wetter morgen", WEEK, "Morgen: bewölkt, 2 bis 8 Grad."),
        (
            "brauche ich heute einen Schirm",
            WEEK,
            "Ja. Heute: regnerisch, 3 bis 9 Grad, Regenwahrscheinlichkeit 80 Prozent.",
        ),
        ("schneit es diese Woche", WEEK, "Ja, am Freitag."),
        ("wie kalt wird es diese Woche", WEEK, "In den nächsten Tagen sinkt es bis auf -4 Grad, am Freitag."),
        ("wird es übermorgen sonnig", WEEK, "Ja. Übermorgen: sonnig, -1,5 bis 6,5 Grad."),
        (
            "regnet es heute Nacht",
            NIGHT,
            "Ja. Heute Nacht: bewölkt, -2 bis 2 Grad, Regenwahrscheinlichkeit 60 Prozent.",
        ),
    ],
)
def test_forecasts_in_german(pipelines: dict[str, Pipeline], sentence: str, told: Any, answer: str) -> None:
    assert answered(pipelines["de"], "de", sentence, told).text == answer


def door(language: str, state: str = "off", *changes: tuple[str, str], **more: Any) -> dict[str, Any]:
    return history(NAMES[language][0], "binary_sensor", state, *changes, device_class="door", **more)


def lamp(language: str, state: str, *changes: tuple[str, str], **more: Any) -> dict[str, Any]:
    return history(NAMES[language][3], "light", state, *changes, **more)


TWICE = (("on", "2026-11-30T21:05"), ("off", "2026-11-30T21:07"), ("on", "2026-12-01T08:00"),
         ("off", "2026-12-01T10:05"))  # fmt: skip
COLD = {
    "name": "Loft", "domain": "sensor", "now": "2026-12-01T10:30:00+01:00", "from": "2026-11-30T22:00:00+01:00",
    "unit": "°C", "min": {"value": 3.25, "at": "2026-12-01T06:10:00+01:00"},
    "max": {"value": 8.0, "at": "2026-11-30T22:00:00+01:00"}, "mean": 5.13, "last": 4.0,
}  # fmt: skip
RANG = {"name": "Bell", "domain": "event", "now": "2026-12-01T10:30:00+01:00", "from": "2026-12-01T00:00:00+01:00",
        "times": 2, "last": "2026-12-01T09:12:00+01:00"}  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "told", "answer"),
    [
        ("when was the back door last opened", door("en", "off", *TWICE),
         "Back Door was last open today at 8:00 AM, for 2 hours and 5 minutes."),
        ("when was the back door last opened", door("en", "on", *TWICE[:3]),
         "Back Door is open; that began today at 8:00 AM."),
        ("when was the back door last opened", door("en"),
         "Back Door has not been open for as long as I can see back (10 days ago at 10:30 AM)."),
        ("when did the back door open today", door("en", start="2026-12-01T00:00:00+01:00"),
         "No, Back Door was not open today."),
        ("how often was the back door opened yesterday", door("en", "off", *TWICE[:2]),
         "Back Door was open once yesterday, last yesterday at 9:05 PM."),
        ("how often was the back door opened yesterday", door("en"), "Back Door was not open yesterday."),
        ("was the back door open yesterday", door("en", "off", *TWICE[:2]),
         "Yes, Back Door was open yesterday, for 2 minutes in all."),
        ("was the back door open yesterday", door("en"), "No, Back Door was not open yesterday."),
        ("how long has the den lamp been on", lamp("en", "on", ("on", "2026-11-30T08:29")),
         "Den Lamp has been on for 1 day and 2 hours; that began yesterday at 8:29 AM."),
        ("how long has the den lamp been on", lamp("en", "off", *TWICE[:2]),
         "Den Lamp is not on, but off."),
        ("how long has the den lamp been on", lamp("en", "on", first="on"),
         "Den Lamp has been on for as long as I can see back (10 days ago at 10:30 AM)."),
        ("how long was the den lamp on yesterday", lamp("en", "off", *TWICE[:2]),
         "Den Lamp was on for 2 minutes yesterday."),
        ("how often did the bell ring today", RANG, "Bell: twice today, last today at 9:12 AM."),
        ("when did the bell last ring", RANG, "Bell: last today at 9:12 AM."),
        ("how warm was it in the loft last night", COLD,
         "Loft last night: between 3.25 degrees and 8 degrees, 5.1 degrees on average."),
        ("what was the lowest temperature in the loft yesterday", COLD,
         "Loft yesterday: 3.25 degrees at the lowest, today at 6:10 AM."),
        ("when was the back door last opened", {"error": "HomeAssistantError", "error_text": "x"},
         "I have no record of that for Back Door."),
        ("when was the back door last opened", {**door("en"), "recorded": False},
         "I have no record of that for Back Door."),
    ],
)  # fmt: skip
def test_the_past(pipelines: dict[str, Pipeline], sentence: str, told: Any, answer: str) -> None:
    decision = answered(pipelines["en"], "en", sentence, told)
    assert (decision.text, decision.calls) == (answer, [])


@pytest.mark.parametrize(
    ("sentence", "told", "answer"),
    [
        ("wann wurde die Hintertür zuletzt geöffnet", door("de", "off", *TWICE),
         "Hintertür war zuletzt heute um 8:00 Uhr offen, 2 Stunden und 5 Minuten lang."),
        ("seit wann ist die Stubenlampe an", lamp("de", "on", ("on", "2026-11-27T20:00")),
         "Stubenlampe ist schon 3 Tage und 14 Stunden an, angefangen am Freitag um 20:00 Uhr."),
        ("wie oft wurde die Hintertür gestern geöffnet", door("de", "off", *TWICE[:2]),
         "Hintertür war gestern einmal offen, zuletzt gestern um 21:05 Uhr."),
        ("war die Hintertür gestern offen", door("de"), "Nein, Hintertür war gestern nicht offen."),
        ("wie warm war es letzte Nacht auf dem Dachboden", COLD,
         "Loft letzte Nacht: zwischen 3,25 Grad und 8 Grad, im Mittel 5,1 Grad."),
    ],
)  # fmt: skip
def test_the_past_in_german(pipelines: dict[str, Pipeline], sentence: str, told: Any, answer: str) -> None:
    assert answered(pipelines["de"], "de", sentence, told).text == answer


@pytest.mark.parametrize("told", [{}, {"name": 3}, [], "text", {"now": "x", "forecast": [{}]}])
def test_what_cannot_be_read_is_not_made_up(pipelines: dict[str, Pipeline], told: Any) -> None:
    for sentence in ("will it rain tomorrow", "when was the back door last opened"):
        text = answered(pipelines["en"], "en", sentence, told).text
        assert "Tomorrow" not in text
        assert "Back Door was" not in text
