"""What is paused is resumed, and nothing is resumed in the place of something else that was asked for."""

from __future__ import annotations

import pytest

from tests.support.understood import Listener, heard, house_of

HOME = """
    Loft: media_player=Music Player; light=Spots; climate=Thermostat
"""

SENTENCES = """
    play the music => HassMediaUnpause Music Player
    resume the music => HassMediaUnpause Music Player
    stop the podcast => HassMediaPause Music Player
    resume playing the music => HassMediaUnpause Music Player
    pause playing => HassMediaPause Music Player
    turn off the media volume => HassMediaPlayerMute Music Player
    sound on => HassMediaPlayerUnmute Music Player
    play music =>
    play some music please =>
    start a podcast =>
    put on some music =>
    play this album =>
    start play =>
    please replay this =>
    channel 21.5 =>
    put channel 5 on =>
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Loft"), "en")


@pytest.mark.parametrize(("sentence", "meant"), heard(SENTENCES))
def test_only_what_is_there_is_resumed(listener: Listener, sentence: str, meant: str) -> None:
    assert listener.hears(sentence) == meant
