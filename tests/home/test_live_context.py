"""The states in a result of GetLiveContext."""

from __future__ import annotations

import pytest

from ha_assist_addon.home.live_context import read_live_context

HEAD = "Live Context: An overview of the areas and the devices in this smart home:\n"


def test_states_and_attributes_are_text() -> None:
    live = HEAD + (
        "- names: Kitchen Window\n  domain: binary_sensor\n  state: 'on'\n  areas: Kitchen\n"
        "  attributes:\n    device_class: window\n"
        "- names: Thermostat, Heating\n  domain: climate\n  state: heat\n"
        "  attributes:\n    temperature: '21.5'\n    current_temperature: 20\n"
        "- names: Gone\n  domain: sensor\n  state: unavailable\n"
    )
    window, thermostat, gone = read_live_context(live)
    assert (window.state, window.device_class, window.area) == ("on", "window", "Kitchen")
    assert thermostat.names == ("Thermostat", "Heating")
    assert dict(thermostat.attributes) == {"temperature": "21.5", "current_temperature": "20"}
    assert (gone.state, gone.device_class) == ("unavailable", None)


@pytest.mark.parametrize(
    ("written", "state"), [("on", "on"), ("'off'", "off"), ("21", "21"), ("12:30", "12:30"), ("''", "")]
)
def test_a_state_is_never_a_boolean_or_a_number(written: str, state: str) -> None:
    (entity,) = read_live_context(f"{HEAD}- names: X\n  domain: sensor\n  state: {written}\n")
    assert entity.state == state


@pytest.mark.parametrize("text", ["", HEAD, "No exposed entities matched", "- names: X"])
def test_a_text_without_a_list_holds_no_states(text: str) -> None:
    assert read_live_context(text) == ()


@pytest.mark.parametrize("value", ["1e400", "-1e400", "NaN", "Infinity", "9" * 400, "1e308"])
def test_what_nothing_can_measure_is_not_read_out(value: str) -> None:
    (sensor, lamp) = read_live_context(
        f"{HEAD}- names: Sensor\n  domain: sensor\n  state: '{value}'\n"
        "  attributes:\n    unit_of_measurement: °C\n"
        f"- names: Lamp\n  domain: light\n  state: 'on'\n  attributes:\n    brightness: 1e400\n    effect: Infinity\n"
    )
    assert sensor.state == "unknown"
    assert dict(lamp.attributes) == {"effect": "Infinity"}


def test_large_measures_and_texts_that_look_like_numbers_stay() -> None:
    (sensor, title) = read_live_context(
        f"{HEAD}- names: Sensor\n  domain: sensor\n  state: '1000000000'\n  attributes:\n    unit_of_measurement: Wh\n"
        "- names: Title\n  domain: sensor\n  state: Infinity\n"
    )
    assert (sensor.state, title.state) == ("1000000000", "Infinity")


def test_attributes_that_are_written_out_without_end_are_left_out() -> None:
    """Ten aliases of ten aliases, and so on: a kilobyte that would be a billion letters."""
    levels = "\n".join(f"    a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10))
    text = (
        "Live Context: An overview of the areas and the devices in this smart home:\n"
        f"- names: Lamp\n  domain: light\n  attributes:\n    a0: &a0 lol\n{levels}\n    brightness: '12'\n"
    )
    (lamp,) = read_live_context(text)
    assert dict(lamp.attributes) == {"a0": "lol", "brightness": "12"}
