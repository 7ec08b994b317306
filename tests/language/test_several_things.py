"""Several things in one clause: the place behind them, both of them, everything somewhere, and what is left out."""

from __future__ import annotations

import pytest

from ha_assist_addon.turn.outcome import Ask, Generate
from tests.support.understood import Listener, heard, house_of

HOME = """
    Den: light=Reading Lamp; light=Spots; cover=Bow Window Blind; media_player=Stereo
    Loft: light=Loft Strip; fan=Loft Fan; climate=Loft Heater; switch=Printer; cover=Skylight Shade; cover=Roof Shutter
    Kitchen: switch=Kettle; fan=Extractor
"""

DONE = """
    turn on the fan and the printer in the loft => HassTurnOn Loft Fan; HassTurnOn Printer
    switch the fan and the heater in the loft on => HassTurnOn Loft Fan; HassTurnOn Loft Heater
    turn on the lights and the fan in the loft => HassTurnOn Loft Fan; HassTurnOn Loft Strip
    turn off the lamp in here and the fan in the loft => HassTurnOff Loft Fan; HassTurnOff Reading Lamp
    turn off both the kettle and the extractor => HassTurnOff Extractor; HassTurnOff Kettle
    both the kettle and the printer off please => HassTurnOff Kettle; HassTurnOff Printer
    both lamps off in the den => HassTurnOff Reading Lamp + Spots
    close everything in the loft => HassTurnOff Roof Shutter + Skylight Shade
    switch off everything in the kitchen => HassTurnOff Extractor; HassTurnOff Kettle
    close the blind in the den => HassTurnOff Bow Window Blind
    turn the loft heater up a degree => up temperature 1.0 Loft Heater
    knock the loft heater down half a degree => down temperature 0.5 Loft Heater
    dim the lights in the den right down => down brightness end Reading Lamp; down brightness end Spots
"""

ASKED = """
    open everything in the loft => Roof Shutter and Skylight Shade
    switch off the lights except the loft strip => Reading Lamp and Spots
    everything off except the kettle => Printer
    close the blinds except the roof shutter => Bow Window Blind and Skylight Shade
"""

NOTHING_THERE = """
    turn on the fan in here => Den
    close everything in the kitchen => Kitchen
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Den"), "en")


@pytest.mark.parametrize(("sentence", "meant"), heard(DONE))
def test_each_of_several_things_is_meant(listener: Listener, sentence: str, meant: str) -> None:
    assert listener.hears(sentence) == meant


@pytest.mark.parametrize(("sentence", "named"), heard(ASKED))
def test_what_opens_or_leaves_something_out_is_asked(listener: Listener, sentence: str, named: str) -> None:
    outcome = listener.understood(sentence).outcome
    assert isinstance(outcome, Ask)
    assert named in outcome.text


@pytest.mark.parametrize(("sentence", "place"), heard(NOTHING_THERE))
def test_a_place_without_such_things_is_told(listener: Listener, sentence: str, place: str) -> None:
    outcome = listener.understood(sentence).outcome
    assert isinstance(outcome, Generate | Ask)
    told = outcome.text if isinstance(outcome, Ask) else outcome.fallback
    assert told is not None
    assert place in told
    assert "don't know" not in told
