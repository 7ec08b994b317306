"""The time that a sentence names, and the sentence without it."""

from __future__ import annotations

from typing import Any

import pytest

from ha_assist_addon.language.data import languages_with
from ha_assist_addon.language.later import KINDS, find_later
from ha_assist_addon.language.times import times_file


def clock(time: str, day: str | None = None, either: bool = False) -> dict[str, Any]:
    return {"time": time, **({"either_half": True} if either else {}), **({"day": day} if day else {})}


@pytest.mark.parametrize(
    ("language", "sentence", "rest", "arguments"),
    [
        ("en", "turn off the heating at ten", "turn off the heating", clock("10:00", either=True)),
        ("en", "at 10 pm turn off the heating", "turn off the heating", clock("22:00")),
        ("en", "turn it off at 7:30", "turn it off", clock("07:30", either=True)),
        ("en", "turn it off at 22:15", "turn it off", clock("22:15")),
        ("en", "turn it off at 10 o'clock", "turn it off", clock("10:00", either=True)),
        ("en", "turn it off at half past six in the evening", "turn it off", clock("18:30")),
        ("en", "turn it off at quarter to eight", "turn it off", clock("07:45", either=True)),
        ("en", "turn it off at ten thirty pm", "turn it off", clock("22:30")),
        ("en", "turn it off at 12 am", "turn it off", clock("00:00")),
        ("en", "turn it off at 12 pm", "turn it off", clock("12:00")),
        ("en", "turn it off at noon", "turn it off", clock("12:00")),
        ("en", "turn it off tomorrow at 7", "turn it off", clock("07:00", "tomorrow", either=True)),
        ("en", "turn it off tonight at eleven", "turn it off", clock("23:00", "today")),
        ("en", "turn it off on Friday at 8 am", "turn it off", clock("08:00", "friday")),
        ("en", "turn it off in 20 minutes", "turn it off", {"after_seconds": 1200}),
        ("en", "turn it off in half an hour", "turn it off", {"after_seconds": 1800}),
        ("en", "turn it off in two and a half hours", "turn it off", {"after_seconds": 9000}),
        ("de", "mach es in zweieinhalb Stunden aus", "mach es aus", {"after_seconds": 9000}),
        ("fr", "éteins dans deux heures et demie", "éteins", {"after_seconds": 9000}),
        ("nl", "zet de pomp over tweeënhalf uur uit", "zet de pomp uit", {"after_seconds": 9000}),
        ("en", "in two hours and ten minutes turn it off", "turn it off", {"after_seconds": 7800}),
        ("en", "turn it off 5 minutes from now", "turn it off", {"after_seconds": 300}),
        ("en", "turn it off at sunset", "turn it off", {"sun": "sunset"}),
        ("de", "mach um zehn das Licht aus", "mach das Licht aus", clock("10:00", either=True)),
        ("de", "mach das Licht um 22 Uhr aus", "mach das Licht aus", clock("22:00")),
        ("de", "mach das Licht um 22 Uhr 30 aus", "mach das Licht aus", clock("22:30")),
        ("de", "mach das Licht um 7:30 Uhr aus", "mach das Licht aus", clock("07:30")),
        ("de", "mach das Licht um halb acht aus", "mach das Licht aus", clock("07:30", either=True)),
        ("de", "mach das Licht um halb acht abends aus", "mach das Licht aus", clock("19:30")),
        ("de", "mach das Licht um viertel nach sechs aus", "mach das Licht aus", clock("06:15", either=True)),
        ("de", "mach das Licht heute Abend um acht aus", "mach das Licht aus", clock("20:00", "today")),
        ("de", "mach das Licht morgen früh um 6 aus", "mach das Licht aus", clock("06:00", "tomorrow")),
        ("de", "mach in einer halben Stunde das Licht aus", "mach das Licht aus", {"after_seconds": 1800}),
        ("de", "mach das Licht in zehn Minuten aus", "mach das Licht aus", {"after_seconds": 600}),
        ("de", "mach das Licht bei Sonnenuntergang aus", "mach das Licht aus", {"sun": "sunset"}),
    ],
)
def test_finds(language: str, sentence: str, rest: str, arguments: dict[str, Any]) -> None:
    found = find_later(sentence, language)
    assert found is not None
    assert (found.rest, dict(found.arguments)) == (rest, arguments)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "turn it off"),
        ("en", "turn it off for 20 minutes"),
        ("en", "turn it off until ten"),
        ("en", "turn it off from 6 to 7 pm"),
        ("en", "turn it off by ten"),
        ("en", "set it at 20"),
        ("en", "dim it at ten percent"),
        ("en", "turn it off at ten and on at eleven"),
        ("en", "turn it off at 25:00"),
        ("en", "turn it off at 10:75"),
        ("en", "turn it off at 15 pm in the morning"),
        ("en", "turn it off tomorrow"),
        ("en", "turn it off tomorrow in 20 minutes"),
        ("en", "at ten"),
        ("en", ""),
        ("de", "dimme das Licht um 10"),
        ("de", "dimme das Licht um zehn Prozent"),
        ("de", "mach das Licht bis zehn Uhr aus"),
        ("de", "mach das Licht für zehn Minuten aus"),
        ("de", "mach das Licht von 6 Uhr bis 7 Uhr aus"),
        ("fi", "sammuta valo kello kymmenen"),
    ],
)
def test_finds_none(language: str, sentence: str) -> None:
    assert find_later(sentence, language) is None


@pytest.mark.parametrize("language", languages_with("times"))
def test_phrases_are_of_known_kinds(language: str) -> None:
    words = times_file(language)
    assert words is not None
    kinds = {key.partition(":")[0] for key in words.schedule.phrases}
    assert kinds <= KINDS
    assert {"at", "in", "day", "sun"} <= kinds
