"""An amount is what is to be reached only where a word says so; elsewhere it is by how much something changes."""

from __future__ import annotations

import pytest

from tests.support.understood import Listener, heard, house_of

HOME = """
    Study: light=Floor Lamp; climate=Thermostat; media_player=Speaker; cover=Blind
"""

SENTENCES = """
    make the thermostat 2 degrees warmer => up temperature 2.0 Thermostat
    raise the thermostat 2 degrees => up temperature 2.0 Thermostat
    could you raise the thermostat up to 22 degrees => HassClimateSetTemperature temperature=22 Thermostat
    make the floor lamp 20 percent brighter => up brightness 20.0 Floor Lamp
    make the floor lamp 20 percent less bright => down brightness 20.0 Floor Lamp
    get the floor lamp dimmed down to 20 percent => HassLightSet brightness=20 Floor Lamp
    bring the floor lamp to -10 percent =>
    bring the floor lamp to 10 percent => HassLightSet brightness=10 Floor Lamp
    bring the speaker volume down 10 => HassSetVolumeRelative volume_step=-10 Speaker
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Study"), "en")


@pytest.mark.parametrize(("sentence", "meant"), heard(SENTENCES))
def test_an_amount_without_to_is_a_difference(listener: Listener, sentence: str, meant: str) -> None:
    assert listener.hears(sentence) == meant
