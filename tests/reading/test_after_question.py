"""Commands that say of their target only "it", after a question, and those that say only what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.house import Pipeline
from tests.support.talk import talk
from tests.support.understood import heard, house_of

HOME = """
    Den: media_player=Telly; media_player=Den Speaker; light=Den Lamp
    Nursery: cover=Blackout Blind; climate=Nursery Radiator; light=Toadstool
    Hall: lock=Back Door; cover=Driveway Gate; cover=Roof
    Kitchen: switch=Kettle; fan=Extractor
"""

DONE = """
    is the telly on | turn it off => HassTurnOff name=Telly
    is the telly on | could you pause it => HassMediaPause name=Telly
    is the extractor on | switch it off please => HassTurnOff name=Extractor
    is the back door locked | lock it => HassTurnOn name=Back Door
    how warm is the nursery | set it to 20 degrees => HassClimateSetTemperature name=Nursery Radiator, temperature=20
    close the blackout blind | up again => HassTurnOn name=Blackout Blind
    close the blackout blind | stop => HassStopMoving name=Blackout Blind
    open the driveway gate | close again => HassTurnOff name=Driveway Gate
    turn off the kettle | on again => HassTurnOn name=Kettle
    pause the telly | resume => HassMediaUnpause name=Telly
"""

NOTHING = """
    is the back door locked | unlock it
    lock the back door | unlock
    is anything open | close it
    which lights are on | turn them on
    is the gate open | close it
    add milk to the shopping list | off
"""


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline(Path(tmp_path_factory.mktemp("after_question")), "en", verify=0)


@pytest.mark.parametrize(("turns", "wanted"), heard(DONE))
def test_it_is_what_was_asked_about(pipeline: Pipeline, turns: str, wanted: str) -> None:
    assert talk(pipeline, house_of(HOME, "Den"), turns.split(" | "))[-1] == wanted


@pytest.mark.parametrize("turns", [line.strip() for line in NOTHING.strip().splitlines()])
def test_what_is_not_one_thing_or_would_open_is_not_done(pipeline: Pipeline, turns: str) -> None:
    assert talk(pipeline, house_of(HOME, "Den"), turns.split(" | "))[-1] == ""


def test_all_that_were_asked_about_go_off(pipeline: Pipeline) -> None:
    done = talk(pipeline, house_of(HOME, "Den"), ["which lights are on", "turn them off"])

    assert done[-1] in ("HassTurnOff", "HassTurnOff name=Den Lamp; HassTurnOff name=Toadstool")
