"""Timers in any words and order, and what speaks of a timer and sets none."""

from __future__ import annotations

import pytest

from tests.support.understood import Listener, heard, house_of

HOME = """
    Scullery: light=Worktop; todo=Errands
"""

SENTENCES = """
    start a rice timer for twelve minutes => HassStartTimer minutes=12
    set a two minute tea timer => HassStartTimer minutes=2
    set a timer for an hour and a half => HassStartTimer hours=1 minutes=30
    give me a 40 second timer => HassStartTimer seconds=40
    i need a timer for 2 hours and 5 minutes => HassStartTimer hours=2 minutes=5
    add a seven minute timer => HassStartTimer minutes=7
    put seven more minutes on the timer => HassIncreaseTimer minutes=7
    another two minutes on the rice timer => HassIncreaseTimer minutes=2
    extend the timer by 30 seconds => HassIncreaseTimer seconds=30
    take a minute off the timer => HassDecreaseTimer minutes=1
    shorten the rice timer by 3 minutes => HassDecreaseTimer minutes=3
    clear all my timers => HassCancelAllTimers
    kill the timer => HassCancelTimer
    end the rice timer => HassCancelTimer
    hold the timer => HassPauseTimer
    unpause my timer => HassUnpauseTimer
    what's left on the rice timer => HassTimerStatus
    put 5 minutes on the timer =>
    5 minutes left on the timer =>
    shortenscullery timer by 5 minutes =>
    is there a timer for 10 minutes =>
    don't set a timer for 5 minutes =>
    set a timer for 5 minutes tomorrow =>
    turn on the worktop for 5 minutes with a timer =>
    cancel the timer and the worktop =>
    add milk, eggs to the errands => HassListAddItem item=eggs Errands; HassListAddItem item=milk Errands
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Scullery"), "en")


@pytest.mark.parametrize(("sentence", "meant"), heard(SENTENCES))
def test_what_a_timer_is_to_do(listener: Listener, sentence: str, meant: str) -> None:
    assert listener.hears(sentence) == meant


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("start a rice timer for twelve minutes", "rice"),
        ("set a 5 minute timer for the eggs", "eggs"),
        ("another two minutes on the tea timer", "tea"),
        ("how much time is remaining on the bread timer", "bread"),
    ],
)
def test_what_the_timer_is_called(listener: Listener, sentence: str, name: str) -> None:
    assert listener.understood(sentence).planned[0].call.arguments["name"] == name
