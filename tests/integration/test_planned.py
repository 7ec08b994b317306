"""Commands for later: when they are due over changes of the clock, and that each is run once or told."""

from __future__ import annotations

import json
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.integration.modules import load_pure

due, planned = load_pure("due"), load_pure("planned")
ZONE = ZoneInfo("Europe/Berlin")
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca"]


def at(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE, fold=fold)


@pytest.mark.parametrize(
    ("now", "clock", "day", "either", "expected"),
    [
        ("2026-12-01T10:30", "22:00", None, False, "2026-12-01T22:00"),
        ("2026-12-01T10:30", "07:00", None, False, "2026-12-02T07:00"),
        ("2026-12-01T10:30", "07:00", None, True, "2026-12-01T19:00"),
        ("2026-12-01T20:30", "07:00", None, True, "2026-12-02T07:00"),
        ("2026-12-01T10:30", "07:00", "tomorrow", True, "2026-12-02T07:00"),
        ("2026-12-01T10:30", "07:00", "today", True, "2026-12-01T19:00"),
        ("2026-12-01T10:30", "07:00", "today", False, None),
        ("2026-12-01T11:30", "12:00", None, True, "2026-12-01T12:00"),
        ("2026-12-01T10:30", "09:00", "tuesday", False, "2026-12-08T09:00"),
        ("2026-12-01T10:30", "11:00", "tuesday", False, "2026-12-01T11:00"),
        ("2026-12-01T10:30", "11:00", "sunday", False, "2026-12-06T11:00"),
        # What the clock leaves out in spring is due when it was put on.
        ("2026-03-28T22:00", "02:30", None, False, "2026-03-29T03:30"),
        # What comes twice in autumn is due the first time.
        ("2026-10-24T22:00", "02:30", None, False, "2026-10-25T02:30"),
    ],
)
def test_clock(now: str, clock: str, day: str | None, either: bool, expected: str | None) -> None:
    found = due.at_clock(at(now), time.fromisoformat(clock), day, either_half=either)
    assert found == (None if expected is None else at(expected))


def test_the_second_of_two_times_that_are_alike() -> None:
    first = at("2026-10-25T02:40")
    found = due.at_clock(first, time(2, 30), None)
    assert found.timestamp() == at("2026-10-25T02:30", fold=1).timestamp()
    again = due.at_clock(at("2026-10-25T02:40", fold=1), time(2, 30), None)
    assert again == at("2026-10-26T02:30")


def test_twenty_minutes_are_twenty_minutes() -> None:
    found = due.after(at("2026-10-25T02:50"), 1200)
    assert (found.hour, found.minute, found.fold) == (2, 10, 1)


@given(
    instant=st.integers(1_760_000_000, 1_830_000_000),
    zone=st.sampled_from(ZONES),
    clock=st.times(),
    day=st.sampled_from([None, *due.DAYS]),
    either=st.booleans(),
)
def test_what_is_due_is_to_come_and_shows_the_time(
    instant: int, zone: str, clock: time, day: str | None, either: bool
) -> None:
    now = datetime.fromtimestamp(instant, ZoneInfo(zone))
    clock = clock.replace(second=0, microsecond=0, fold=0)
    found = due.at_clock(now, clock, day, either_half=either)
    if found is None:
        assert day == "today"
        return
    assert found.timestamp() > now.timestamp()
    if day is None:
        assert found.timestamp() - now.timestamp() <= 25.5 * 3600
    real = datetime.fromtimestamp(found.timestamp(), ZoneInfo(zone))
    shown = (real.hour, real.minute) == (clock.hour, clock.minute)
    half = either and (real.hour % 12, real.minute) == (clock.hour % 12, clock.minute)
    moved = real.utcoffset() != (datetime.combine(real.date(), time(), real.tzinfo)).utcoffset()
    assert shown or half or moved


def plan(number: int, when: float) -> Any:
    return planned.Plan(f"p{number:04}", when, 0.0, "x", "HassTurnOff", {"name": "A"}, "en", None, None)


class Machine:
    """Home Assistant as far as it matters: a clock, a disk, and what was run and told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.disk = "{}"
        self.run: list[str] = []
        self.told: list[str] = []
        self.plans = planned.Plans()

    def keep(self) -> None:
        self.disk = json.dumps(self.plans.as_kept())

    def start(self) -> None:
        self.plans = planned.Plans(json.loads(self.disk))
        woken = self.plans.wake(self.now, restarted=True)
        self.keep()
        self.told += [one.id for one in woken.missed]

    def tick(self, die: str) -> bool:
        """Runs what is due; `die` says at which step everything stops."""
        for one in self.plans.all:
            if one.due > self.now:
                continue
            if self.plans.begin(one.id) is None:
                continue
            if die == "before_keeping":
                return False
            self.keep()
            if die == "before_running":
                return False
            self.run.append(one.id)
            if die == "after_running":
                return False
            self.plans.remove(one.id)
            if die == "after_removing":
                return False
            self.keep()
        return True


DEATHS = ["", "", "", "before_keeping", "before_running", "after_running", "after_removing"]


@settings(max_examples=1000, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 5000), st.floats(-30, 900), st.sampled_from(DEATHS), st.floats(0, 400)),
        min_size=1,
        max_size=12,
    )
)
def test_each_is_run_once_or_told(steps: list[tuple[float, float, str, float]]) -> None:
    machine = Machine()
    for number, (ahead, passes, die, asleep) in enumerate(steps):
        machine.plans.add(plan(number, machine.now + ahead))
        machine.keep()
        machine.now += passes  # the clock can be put back, too
        if not machine.tick(die):
            machine.now += asleep
            machine.start()
    machine.now += 10_000
    machine.tick("")
    everything = sorted(machine.run + machine.told)
    assert sorted(machine.run) == sorted(set(machine.run))
    # What was run and could not be noted before everything stopped is told as well, and not run again.
    assert sorted(set(everything)) == [f"p{number:04}" for number in range(len(steps))]


def test_what_cannot_be_read_is_left_out() -> None:
    whole = planned.asdict(plan(1, 5))
    broken = ({"id": "a"}, {**whole, "other": 1}, {**whole, "due": "soon"}, {**whole, "language": {}}, "text")
    kept = {"plans": [*broken, planned.asdict(plan(2, 5))]}
    assert [one.id for one in planned.Plans(kept).all] == ["p0002"]
    assert planned.Plans(None).all == ()
    assert planned.Plans([1]).all == planned.Plans({"plans": 5}).all == ()


def test_what_is_under_way_is_not_begun_again() -> None:
    plans = planned.Plans()
    plans.add(plan(1, 5))
    assert plans.begin("p0001") is not None
    assert plans.begin("p0001") is None
    assert plans.wake(10, restarted=False) == planned.Woken((), (), ())
    assert [one.id for one in plans.wake(10, restarted=True).missed] == ["p0001"]
