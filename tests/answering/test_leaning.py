"""Questions that lean on what was said before, and rooms that report nothing themselves."""

from __future__ import annotations

import pytest

from tests.support.house import House, Pipeline, called, result, thing

HOUSE = House(
    (
        thing("Floor Lamp", "light", "Living Room"),
        thing("Ceiling Light", "light", "Bedroom"),
        thing("Kitchen Temperature", "sensor", "Kitchen"),
        thing("Thermostat", "climate", "Living Room"),
        thing("Next Bin Day", "sensor"),
        thing("TV", "media_player", "Living Room"),
    ),
    satellite="Bedroom",
)
LIVE = """Live Context: An overview of the areas and the devices in this smart home:
- names: Floor Lamp
  domain: light
  state: 'on'
  areas: Living Room
- names: Ceiling Light
  domain: light
  state: 'off'
  areas: Bedroom
- names: Kitchen Temperature
  domain: sensor
  state: '21.5'
  areas: Kitchen
  attributes:
    unit_of_measurement: °C
    device_class: temperature
- names: Thermostat
  domain: climate
  state: heat
  areas: Living Room
  attributes:
    current_temperature: 19.5
- names: Next Bin Day
  domain: sensor
  state: Thursday
- names: TV
  domain: media_player
  state: 'off'
  areas: Living Room
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    """English and German, without a model."""
    return Pipeline(tmp_path_factory.mktemp("leaning"), "en", "de", verify=0)


def answer(pipeline: Pipeline, *said: str) -> str:
    """What is said to the last sentence, every second one being ours."""
    talk = [s if n % 2 == 0 else {"role": "assistant", "content": s} for n, s in enumerate(said)]
    first = pipeline.say(HOUSE, *talk)
    assert len(first.calls) == 1, first.trace.why
    assert not first.actions
    read = result({"success": True, "result": LIVE})
    return pipeline.say(HOUSE, *talk, called(*first.calls[0]), read).text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("turn on the floor lamp", "Turned on the light.", "is it on"), "Yes, Floor Lamp is on."),
        (("turn off the TV", "Turned off.", "is it off"), "Yes, TV is off."),
        (("is the TV on", "No, TV is off.", "is it off"), "Yes, TV is off."),
        (("mach die Floor Lamp an", "Erledigt.", "ist sie an"), "Ja, Floor Lamp ist an."),
        (("is the floor lamp on", "Yes.", "and in the bedroom"), "No, Ceiling Light is off."),
        (("what is the temperature in the kitchen", "21.5", "and in the living room"), "19.5 degrees"),
        (("what is the temperature in the kitchen", "21.5", "and here"), "I see no such value in Bedroom."),
        (("when is the next bin day",), "Next Bin Day is Thursday."),
        (("wann ist Next Bin Day",), "Next Bin Day ist Thursday."),
    ],
)
def test_what_is_left_out_comes_from_the_sentence_before(both: Pipeline, said: tuple[str, ...], told: str) -> None:
    assert answer(both, *said) == told


@pytest.mark.parametrize(
    "said",
    [
        ("turn on all lights in the house", "Turned on the lights.", "is it on"),
        ("who wrote Faust", "Goethe.", "is it on"),
        ("turn on the floor lamp", "Turned on the light.", "is it true"),
    ],
)
def test_where_it_means_nothing_certain_nothing_is_read(both: Pipeline, said: tuple[str, ...]) -> None:
    talk = [s if n % 2 == 0 else {"role": "assistant", "content": s} for n, s in enumerate(said)]
    assert both.say(HOUSE, *talk).calls == []


@pytest.mark.parametrize(
    ("sentence", "start"),
    [
        ("how warm is it in here", "I see no such value in Bedroom. "),
        ("what is the temperature here", "I see no such value in Bedroom. "),
        ("wie warm ist es hier", "So einen Wert sehe ich im Bereich Bedroom nicht. "),
    ],
)
def test_another_rooms_value_is_told_as_such(both: Pipeline, sentence: str, start: str) -> None:
    said = answer(both, sentence)
    assert said.startswith(start)
    assert "Kitchen Temperature" in said
