"""What is certain by its words and may still mean otherwise is asked: degrees instead of percent."""

from __future__ import annotations

import pytest

from ha_assist_addon.turn.outcome import Act, Ask, Generate
from tests.support.understood import Listener, house_of, lines

HOME = """
    Snug: light=Snug Lamp; light=Reading Nook
    Nursery: climate=Nursery Radiator; light=Toadstool; cover=Blackout Blind
    Bathroom: fan=Extractor; light=Mirror
    Den: media_player=Telly
"""
ASKED = """
    set the nursery to 19
"""
DONE = """
    warmer
    make the nursery warmer
    brighter
    louder
    set the nursery to 60
    set the nursery to 19 percent
    set the nursery light to 19
    dim the nursery to 19
    set the bathroom to 19
    set the extractor to 20
    set the extractor to 5 percent
    make the snug warm white
    make the snug lamp warm
"""
LEFT = """
    set the extractor to speed 2
    extractor to level three
    make the nursery warm
"""


def outcome(sentence: str) -> type:
    return type(Listener(house_of(HOME, "Snug"), "en").understood(sentence).outcome)


@pytest.mark.parametrize("sentence", lines(ASKED))
def test_what_may_mean_degrees_is_asked(sentence: str) -> None:
    assert outcome(sentence) is Ask


@pytest.mark.parametrize("sentence", lines(DONE))
def test_what_is_told_is_done(sentence: str) -> None:
    assert outcome(sentence) is Act


@pytest.mark.parametrize("sentence", lines(LEFT))
def test_what_nobody_told_is_left(sentence: str) -> None:
    assert outcome(sentence) is Generate
