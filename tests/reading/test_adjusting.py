"""Changes by so much with our own tool: one call without a read before, and what is said of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import House, Pipeline, called, result, thing
from tests.support.timed import ADJUST

HOUSE = House(
    (
        thing("Spot", "light", "Den"), thing("Strip", "light", "Den"), thing("Heater", "climate", "Den"),
        thing("Tower", "fan", "Loft"), thing("Blind", "cover", "Den"), thing("Garage Door", "cover", "Garage"),
        thing("Lamp", "light", "Loft"), thing("Lamp", "light", "Garage"),
    ),
    satellite="Den",
    extra_tools=(ADJUST,),
)  # fmt: skip
DONE = {"quantity": "brightness", "unit": "%"}


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(tmp_path_factory.mktemp("adjust"), "en", "de", verify=0)


@pytest.mark.parametrize(
    ("sentence", "arguments"),
    [
        ("make the spot brighter", {"quantity": "brightness", "names": ["Spot"], "by": 20}),
        ("dim the spot a bit", {"quantity": "brightness", "names": ["Spot"], "by": -10}),
        ("make the spot 30 percent darker", {"quantity": "brightness", "names": ["Spot"], "by": -30}),
        ("make the spot half as bright", {"quantity": "brightness", "names": ["Spot"], "factor": 0.5}),
        ("turn the spot all the way down", {"quantity": "brightness", "names": ["Spot"], "by": -100}),
        ("make it brighter in here", {"quantity": "brightness", "names": ["Spot", "Strip"], "by": 20}),
        ("turn the heater up two degrees", {"quantity": "temperature", "names": ["Heater"], "by": 2}),
        ("stell den Heater ein halbes Grad runter", {"quantity": "temperature", "names": ["Heater"], "by": -0.5}),
        ("speed the tower up", {"quantity": "speed", "names": ["Tower"], "by": 20}),
        ("open the blind a little", {"quantity": "position", "names": ["Blind"], "by": 10}),
    ],
)
def test_one_call_changes_it(pipeline: Pipeline, sentence: str, arguments: dict[str, Any]) -> None:
    assert pipeline.say(HOUSE, sentence).calls == [("ha_assist__adjust", arguments)]


@pytest.mark.parametrize(
    "sentence", ["open the garage door a little", "make the lamp in the loft brighter", "toggle the spot"]
)
def test_what_the_tool_cannot_tell_apart_is_read_first(pipeline: Pipeline, sentence: str) -> None:
    assert "ha_assist__adjust" not in [name for name, _ in pipeline.say(HOUSE, sentence).calls]


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"changed": [{"name": "Spot", "from": 50, "to": 70}], "unchanged": []}, "Spot: 70%."),
        ({"changed": [], "unchanged": [{"name": "Spot", "why": "off"}]}, "Spot is off. Shall I turn it on?"),
        ({"changed": [], "unchanged": [{"name": "Spot", "why": "at_end"}]}, "Spot cannot go any further."),
        ({"changed": [], "unchanged": [{"name": "Spot", "why": "unavailable"}]}, "Spot is not available right now."),
    ],
)
def test_what_it_came_to_is_said(pipeline: Pipeline, told: dict[str, Any], text: str) -> None:
    sentence = "make the spot brighter"
    [(name, arguments)] = pipeline.say(HOUSE, sentence).calls
    assert pipeline.say(HOUSE, sentence, called(name, arguments), result({**DONE, **told})).text == text


@pytest.mark.parametrize("broken", [{}, {"changed": "x"}, {"error": "X", "error_text": "y"}])
def test_a_result_that_cannot_be_read_is_a_failure(pipeline: Pipeline, broken: dict[str, Any]) -> None:
    sentence = "make the spot brighter"
    [(name, arguments)] = pipeline.say(HOUSE, sentence).calls
    assert pipeline.say(HOUSE, sentence, called(name, arguments), result(broken)).text == "Sorry, that did not work."


def test_what_it_came_to_is_verified(tmp_path: Any) -> None:
    """The devices have to report the value before it is told as done."""
    pipeline = Pipeline(tmp_path, "en", verify=1)
    sentence = "make the spot brighter"
    [(name, arguments)] = pipeline.say(HOUSE, sentence).calls
    told = {**DONE, "changed": [{"name": "Spot", "from": 50, "to": 70}], "unchanged": []}
    [(read, _)] = pipeline.say(HOUSE, sentence, called(name, arguments), result(told)).calls
    assert read.endswith("GetLiveContext")
