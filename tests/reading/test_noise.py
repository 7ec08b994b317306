"""Typing and hearing errors, and verbs at the end: what is put right, and what must stay as it is."""

from __future__ import annotations

import pytest

from ha_assist_addon.language.sounds import sound_of
from tests.support.understood import Listener, heard, house_of

HOME = """
    Den: light=Wall Lamp; cover=Den Shutter; media_player=Boombox; fan=Ceiling Fan
    Porch: lock=Porch Door; light=Porch Light; switch=Fountain
    Garage: cover=Garage Door
"""

SENTENCES = """
    garage door close => HassTurnOff Garage Door
    den lights activate => HassTurnOn Wall Lamp
    the boombox pause => HassMediaPause Boombox
    the garage door closing =>
    the porch door unlock =>
    the lights dim =>
    the light in the porch =>
    turrn off the foutain => HassTurnOff Fountain
    acytivate liights => HassTurnOn Wall Lamp
    paws the boombox => HassMediaPause Boombox
    rezoom the music => HassMediaUnpause Boombox
    clothes the den shutter => HassTurnOff Den Shutter
    turn the fountain of => HassTurnOff Fountain
    turn on thefountain => HassTurnOn Fountain
    turn on the fountain thenlock the porch door => HassTurnOn Fountain; HassTurnOn Porch Door
    nevr turn on the fountain =>
    turn on the fountain tomorow =>
    turn on the fountain unles it rains =>
    set the wall lamp to fourty percent =>
    unloxk the porch window =>
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Den"), "en")


@pytest.mark.parametrize(("sentence", "meant"), heard(SENTENCES))
def test_small_faults_are_put_right_and_nothing_else(listener: Listener, sentence: str, meant: str) -> None:
    assert listener.hears(sentence) == meant


@pytest.mark.parametrize(("one", "other"), [("rezoom", "resume"), ("garaj", "garage"), ("speeker", "speaker")])
def test_words_that_are_spoken_alike_have_one_sound(one: str, other: str) -> None:
    assert sound_of(one, "en") == sound_of(other, "en")


@pytest.mark.parametrize(("one", "other"), [("lock", "look"), ("lamp", "lump"), ("on", "off"), ("close", "clear")])
def test_words_that_are_not_spoken_alike_have_two(one: str, other: str) -> None:
    assert sound_of(one, "en") != sound_of(other, "en")
