"""English words that compose: verbs of power and of machines, wishes, and a place in front."""

from __future__ import annotations

import pytest

from tests.support.understood import Listener, heard, house_of, lines

HOME = """
    Den: media_player=Telly; light=Den Lamp; cover=Roman Blind; fan=Tower Fan
    Nursery: climate=Nursery Radiator; light=Toadstool
    Hall: vacuum=Rosie; lock=Back Door
    Kitchen: switch=Kettle; fan=Extractor
    Garden: lawn_mower=Shaun
"""

DONE = """
    close the lights => HassTurnOff Den Lamp
    it should be half a degree warmer in the nursery => up temperature 0.5 Nursery Radiator
    open the lights in the nursery => HassTurnOn Toadstool
    turn the telly all the way up => HassSetVolume volume_level=100 Telly
    power down the telly => HassTurnOff Telly
    power up the extractor => HassTurnOn Extractor
    power off the kettle => HassTurnOff Kettle
    up the volume on the telly => HassSetVolumeRelative volume_step=up Telly
    swap the den lamp to blue => HassLightSet color=blue Den Lamp
    rosie needs to start hoovering => HassVacuumStart Rosie
    rosie, head back to your dock => HassVacuumReturnToBase Rosie
    get the mower out => HassLawnMowerStartMowing Shaun
    get the lights out => HassTurnOff Den Lamp
    the den lamp has to be off => HassTurnOff Den Lamp
    it needs to be 21 degrees in the nursery => HassClimateSetTemperature temperature=21 Nursery Radiator
    it's too dark in here, turn on the lights => HassTurnOn Den Lamp
    turn on the lights it's too dark => HassTurnOn Den Lamp
    it's too loud turn it down => HassSetVolumeRelative volume_step=down Telly
    it's too dark in the nursery, turn on the lights => HassTurnOn Toadstool
    the lights in the nursery are too bright, turn them off => HassTurnOff Toadstool
"""

NOTHING = """
    open the den lamp
    open everything in the nursery
    it has been 21 degrees in the nursery
    the den lamp has a fault
    it's too loud, turn it up
    it's too dark, don't turn on the lights
    she said it's too dark, turn on the lights
    it was too dark, turn on the lights
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Den"), "en")


@pytest.mark.parametrize(("sentence", "wanted"), heard(DONE))
def test_words_compose(listener: Listener, sentence: str, wanted: str) -> None:
    assert listener.hears(sentence) == wanted


@pytest.mark.parametrize("sentence", lines(NOTHING))
def test_what_is_told_or_unfinished_does_nothing(listener: Listener, sentence: str) -> None:
    assert listener.hears(sentence) == ""
