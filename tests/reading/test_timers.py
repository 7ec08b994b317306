"""Timers in people's own words, in the languages that have them written down."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.language.data import languages_with
from ha_assist_addon.language.timer_words import timer_words
from ha_assist_addon.language.tokens import tokens_of
from ha_assist_addon.reading.timers import read_timer
from tests.support.house import House, Pipeline, thing

HOUSE = House(
    (thing("Stove Light", "light", "Galley"), thing("Bluebird", "media_player", "Galley")), satellite="Galley"
)
START, CANCEL, STATUS = "HassStartTimer", "HassCancelTimer", "HassTimerStatus"


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pipeline]:
    return {code: Pipeline(tmp_path_factory.mktemp(code), code) for code in languages_with("timers")}


@pytest.mark.parametrize(
    ("language", "sentence", "tool", "arguments"),
    [
        ("en", "start a soup timer for nine minutes", START, {"minutes": 9, "name": "soup"}),
        ("en", "put on a timer for an hour and a half", START, {"hours": 1, "minutes": 30}),
        ("en", "forty minute bread timer please", START, {"minutes": 40, "name": "bread"}),
        ("en", "could you set me a timer for the dumplings for 1.5 minutes", START,
         {"minutes": 1, "seconds": 30, "name": "dumplings"}),
        ("en", "kill the 25 minute timer", CANCEL, {"start_minutes": 25}),
        ("en", "give the soup timer another three minutes", "HassIncreaseTimer", {"minutes": 3, "name": "soup"}),
        ("en", "take two minutes off the bread timer", "HassDecreaseTimer", {"minutes": 2, "name": "bread"}),
        ("en", "how long is left on the soup timer", STATUS, {"name": "soup"}),
        ("en", "which timers are running", STATUS, {}),
        ("en", "how long is left", STATUS, {}),
        ("de", "wie lange noch", STATUS, {}),
        ("fr", "combien de temps reste-t-il", STATUS, {}),
        ("es", "cuánto tiempo queda", STATUS, {}),
        ("it", "quanto manca", STATUS, {}),
        ("nl", "hoe lang nog", STATUS, {}),
        ("pl", "ile zostało", STATUS, {}),
        ("pt", "quanto tempo falta", STATUS, {}),
        ("de", "stell einen Suppentimer auf neun Minuten", START, {"minutes": 9, "name": "Suppen"}),
        ("de", "brich den Timer für das Brot ab", CANCEL, {"name": "Brot"}),
        ("de", "wie lange läuft der Suppentimer noch", STATUS, {"name": "Suppen"}),
        ("fr", "mets un minuteur de 9 minutes pour la soupe", START, {"minutes": 9, "name": "soupe"}),
        ("fr", "lance un minuteur d'une heure et demie", START, {"hours": 1, "minutes": 30}),
        ("it", "metti un timer di nove minuti", START, {"minutes": 9}),
        ("it", "quanto manca al timer del pane", STATUS, {"name": "pane"}),
        ("es", "cancela el temporizador de la sopa", CANCEL, {"name": "sopa"}),
        ("nl", "zet een kookwekker voor de soep van een kwartier", START, {"minutes": 15, "name": "soep"}),
        ("pl", "dodaj trzy minuty do minutnika", "HassIncreaseTimer", {"minutes": 3}),
        ("pt", "põe um temporizador de nove minutos", START, {"minutes": 9}),
    ],
)  # fmt: skip
def test_is_understood(
    pipelines: dict[str, Pipeline], language: str, sentence: str, tool: str, arguments: dict[str, Any]
) -> None:
    decision = pipelines[language].say(HOUSE, sentence)
    assert [(plain_name(name), given) for name, given in decision.calls] == [(tool, arguments)], decision.text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "don't set a soup timer for nine minutes"),
        ("en", "set two timers for 5 and 10 minutes"),
        ("en", "set a timer for switching off the stove light in 5 minutes"),
        ("en", "he said he set a timer for 5 minutes"),
        ("de", "stell keinen Timer auf neun Minuten"),
        ("fr", "mets la lumière de la cuisine avec un minuteur bleu et rond"),
    ],
)
def test_what_says_more_is_left_alone(pipelines: dict[str, Pipeline], language: str, sentence: str) -> None:
    assert pipelines[language].say(HOUSE, sentence).actions == []


@pytest.mark.parametrize(
    ("language", "sentence", "answer"),
    [("en", "set a soup timer", "nine minutes please"), ("de", "Stelle einen Suppentimer", "neun Minuten")],
)
def test_a_length_that_is_missing_is_asked_for(
    pipelines: dict[str, Pipeline], language: str, sentence: str, answer: str
) -> None:
    asked = pipelines[language].say(HOUSE, sentence)
    assert asked.calls == []
    assert asked.text.endswith("?")
    assistant = {"role": "assistant", "content": asked.text}
    [(tool, arguments)] = pipelines[language].say(HOUSE, sentence, assistant, answer).calls
    assert (plain_name(tool), arguments["minutes"], "name" in arguments) == (START, 9, True)
    other = pipelines[language].say(HOUSE, sentence, assistant, "turn on the stove light")
    assert START not in [plain_name(name) for name, _ in other.calls]


def test_where_no_timer_can_run_that_is_said(pipelines: dict[str, Pipeline]) -> None:
    house = House(HOUSE.things, satellite=None)
    decision = pipelines["en"].say(house, "start a soup timer for nine minutes")
    assert decision.calls == []
    assert decision.text == "Timers can't be set on this device."
    assert decision.trace.inference_calls == 0


@pytest.mark.parametrize("language", languages_with("timers"))
def test_every_unit_and_phrase_is_a_length(language: str) -> None:
    words = timer_words(language)
    assert words is not None
    for number in (2, 17):
        for unit in words.unit_words:
            [length] = words.lengths(tokens_of(f"{number} {unit}"))
            assert [amount for _, amount in length.amounts] == [number]


@given(
    st.lists(
        st.sampled_from(["timer", "minutes", "5", "a", "half", "and", "for", "set", "cancel", "soup", ",", "an hour"])
    )
)
def test_no_text_breaks_it(words: list[str]) -> None:
    english = timer_words("en")
    assert english is not None
    command = read_timer(" ".join(words), english)
    assert command is None or sum(word == "timer" for word in words) == 1
