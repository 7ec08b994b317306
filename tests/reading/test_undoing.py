"""Taking back: only a whole sentence that asks for it, only where the tool is offered, and what is said then."""

from __future__ import annotations

from typing import Any

import pytest

from ha_assist_addon.language.times import times_file
from tests.reading.test_timed import house
from tests.support.house import Pipeline, called, result
from tests.support.timed import FORECAST, UNDO

CALL: list[tuple[str, dict[str, Any]]] = [("ha_assist__undo", {})]


@pytest.fixture(scope="module")
def pipelines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pipeline]:
    return {language: Pipeline(tmp_path_factory.mktemp(language), language) for language in ("en", "de")}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "undo that"),
        ("en", "Please undo the last thing."),
        ("en", "could you take that back please"),
        ("en", "hey jarvis, put it back the way it was"),
        ("de", "mach das rückgängig"),
        ("de", "Bitte nimm das zurück."),
        ("de", "bitte mach es wieder wie vorher"),
        ("de", "kannst du das rückgängig machen"),
    ],
)
def test_undoes(pipelines: dict[str, Pipeline], language: str, sentence: str) -> None:
    assert pipelines[language].say(house(language, UNDO), sentence).calls == CALL


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "don't undo that"),
        ("en", "undo that tomorrow"),
        ("en", "undo the den lamp"),
        ("en", "did you undo that"),
        ("en", "never undo that"),
        ("en", "if it rains undo that"),
        ("en", "undo that and unlock the back door"),
        ("en", "put undo on the shopping list"),
        ("en", "she said undo that"),
        ("de", "mach das nicht rückgängig"),
        ("de", "mach das morgen rückgängig"),
        ("de", "hast du das rückgängig gemacht"),
        ("de", "mach das rückgängig und schließ die Hintertür auf"),
    ],
)
def test_what_asks_for_more_or_less_does_not(pipelines: dict[str, Pipeline], language: str, sentence: str) -> None:
    assert pipelines[language].say(house(language, UNDO), sentence).actions == []


@pytest.mark.parametrize("tool", [FORECAST, {**UNDO, "name": "script__undo"}, {**UNDO, "name": "undo"}])
def test_nothing_without_our_tool(pipelines: dict[str, Pipeline], tool: Any) -> None:
    assert pipelines["en"].say(house("en", tool), "undo that").actions == []


LEFT = [{"name": "Back Door Lock", "why": "not_kept"}, {"name": "something", "why": "hidden"}]


@pytest.mark.parametrize(
    ("language", "sentence", "told", "answer"),
    [
        ("en", "undo that", {"found": True, "undone": ["Den Lamp"], "not_undone": []}, "Den Lamp is as before."),
        (
            "en",
            "undo that",
            {"found": True, "undone": ["Den Lamp", "Dishwasher"], "not_undone": LEFT},
            (
                "Den Lamp and Dishwasher are as before. I could not take back: Back Door Lock. "
                "Something that I may not touch stays as it is."
            ),
        ),
        (
            "en",
            "undo that",
            {"found": False, "undone": [], "not_undone": []},
            "There is nothing of the last ten minutes that I could undo.",
        ),
        ("en", "undo that", {"error": "HomeAssistantError", "error_text": "x"}, "Sorry, that did not work."),
        ("en", "undo that", {"undone": 7}, "Sorry, that did not work."),
        (
            "de",
            "mach das rückgängig",
            {"found": True, "undone": ["Stubenlampe"], "not_undone": LEFT[:1]},
            "Stubenlampe ist wieder wie vorher. Nicht zurücknehmen konnte ich: Back Door Lock.",
        ),
    ],
)
def test_what_is_said(
    pipelines: dict[str, Pipeline], language: str, sentence: str, told: dict[str, Any], answer: str
) -> None:
    messages = (sentence, called("ha_assist__undo", {}), result(told))
    decision = pipelines[language].say(house(language, UNDO), *messages)
    assert (decision.text, decision.calls) == (answer, [])


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_sentence_of_the_list_is_understood(pipelines: dict[str, Pipeline], language: str) -> None:
    words = times_file(language)
    assert words is not None
    for sentence in words.undo:
        assert pipelines[language].say(house(language, UNDO), sentence).calls == CALL, sentence
