"""By how much a value changes: from what it is now, within its limits, and never what opens the home."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.integration.modules import load_pure

adjusting = load_pure("adjusting")


def thing(name: str, state: str, **attributes: Any) -> Any:
    return adjusting.Thing(f"x.{name}", name, state, attributes)


def told(things: list[Any], quantity: str, by: float | None = None, factor: float | None = None) -> list[Any]:
    found = adjusting.adjust(things, adjusting.Change(quantity, by, factor))
    return [(one.thing.name, getattr(one, "becomes", None) or getattr(one, "why", None)) for one in found]


LAMP = thing("lamp", "on", brightness=128)


@pytest.mark.parametrize(
    ("one", "quantity", "by", "factor", "becomes"),
    [
        (LAMP, "brightness", 20, None, 70),
        (LAMP, "brightness", -20, None, 30),
        (LAMP, "brightness", None, 0.5, 25),
        (LAMP, "brightness", 100, None, 100),
        (LAMP, "brightness", -100, None, 1),
        (thing("lamp", "off"), "brightness", 20, None, 20),
        (thing("lamp", "off"), "brightness", -20, None, "off"),
        (thing("lamp", "on", brightness=255), "brightness", 20, None, "at_end"),
        (thing("lamp", "on"), "brightness", 20, None, "unknown"),
        (thing("lamp", "unavailable", brightness=128), "brightness", 20, None, "unavailable"),
        (thing("radio", "playing", volume_level=0.4), "volume", None, 0.5, 20),
        (thing("heater", "heat", temperature=20.5, max_temp=21), "temperature", 2, None, 21),
        (thing("heater", "heat", temperature=20), "temperature", 0.5, None, 20.5),
        (thing("fan", "off", percentage=0), "speed", 30, None, 30),
        (thing("blind", "open", current_position=40, device_class="blind"), "position", 20, None, 60),
        (thing("garage", "open", current_position=40, device_class="garage"), "position", 20, None, "opens"),
        (thing("cover", "open", current_position=40), "position", 20, None, "opens"),
        (thing("garage", "open", current_position=40, device_class="garage"), "position", -20, None, 20),
        (thing("air", "on", humidity=50, max_humidity=55), "humidity", 20, None, 55),
    ],
)
def test_one(one: Any, quantity: str, by: float | None, factor: float | None, becomes: Any) -> None:
    assert told([one], quantity, by, factor) == [(one.name, becomes)]


def test_of_several_lamps_those_that_are_on_change() -> None:
    dark, other = thing("dark", "off"), thing("other", "off")
    assert told([LAMP, dark], "brightness", 20) == [("lamp", 70)]
    assert told([dark, other], "brightness", 20) == [("dark", 20), ("other", 20)]


@given(
    quantity=st.sampled_from(sorted(adjusting.QUANTITIES)),
    value=st.floats(3, 100),
    by=st.floats(-100, 100).filter(lambda n: abs(n) > 0.5),
    device_class=st.sampled_from([None, "garage", "gate", "door", "blind"]),
    state=st.sampled_from(["on", "off", "open", "closed", "playing", "heat", "unavailable"]),
)
def test_a_value_never_goes_the_other_way(
    quantity: str, value: float, by: float, device_class: str | None, state: str
) -> None:
    keys = ("brightness", "temperature", "percentage", "current_position", "humidity")
    attributes = {**dict.fromkeys(keys, value), "volume_level": value / 100, "device_class": device_class}
    for one in adjusting.adjust([thing("one", state, **attributes)], adjusting.Change(quantity, by)):
        if isinstance(one, adjusting.Moved):
            assert (one.becomes - one.was) * by > 0
            assert not (quantity == "position" and by > 0 and device_class != "blind")
