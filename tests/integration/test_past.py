"""Spans of the past and what states come to in them, over daylight saving too."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.integration.modules import load_pure

periods, past, forecasts = load_pure("periods"), load_pure("past"), load_pure("forecasts")
ZONE = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@pytest.mark.parametrize(
    ("period", "now", "start", "end"),
    [
        ("today", "2026-12-01T10:30", "2026-12-01T00:00", "2026-12-01T10:30"),
        ("yesterday", "2026-12-01T10:30", "2026-11-30T00:00", "2026-12-01T00:00"),
        ("last_night", "2026-12-01T10:30", "2026-11-30T22:00", "2026-12-01T07:00"),
        ("last_night", "2026-12-01T03:00", "2026-11-30T22:00", "2026-12-01T03:00"),
        ("last_night", "2026-12-01T23:30", "2026-11-30T22:00", "2026-12-01T07:00"),
        ("this_morning", "2026-12-01T10:30", "2026-12-01T05:00", "2026-12-01T10:30"),
        ("yesterday_evening", "2026-12-01T10:30", "2026-11-30T18:00", "2026-11-30T23:00"),
        ("monday", "2026-12-01T10:30", "2026-11-30T00:00", "2026-12-01T00:00"),
        ("tuesday", "2026-12-01T10:30", "2026-11-24T00:00", "2026-11-25T00:00"),
        ("last_hour", "2026-12-01T10:30", "2026-12-01T09:30", "2026-12-01T10:30"),
    ],
)
def test_spans(period: str, now: str, start: str, end: str) -> None:
    assert periods.span_of(period, at(now)) == (at(start), at(end))


def test_the_night_of_a_change_is_longer_and_an_hour_stays_one() -> None:
    start, end = periods.span_of("last_night", at("2026-10-25T10:00"))
    assert end.timestamp() - start.timestamp() == 10 * 3600
    twice = at("2026-10-25T02:30").replace(fold=1)
    start, end = periods.span_of("last_hour", twice)
    assert (start.hour, start.minute, start.fold) == (2, 30, 0)
    assert end.timestamp() - start.timestamp() == 3600


@given(
    period=st.sampled_from(periods.PERIODS),
    instant=st.integers(min_value=1_760_000_000, max_value=1_800_000_000),
    zone=st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]),
)
def test_no_span_reaches_into_the_future(period: str, instant: int, zone: str) -> None:
    now = datetime.fromtimestamp(instant, ZoneInfo(zone))
    start, end = periods.span_of(period, now)
    assert end.timestamp() <= now.timestamp()
    if start.timestamp() < now.timestamp():
        assert start.timestamp() < end.timestamp()


def moments(*pairs: tuple[str, str]) -> list[object]:
    return [past.Moment(state, at(f"2026-12-01T{time}")) for time, state in pairs]


START, END = at("2026-12-01T08:00"), at("2026-12-01T12:00")


def test_states() -> None:
    told = past.summarise_states(
        moments(("07:00", "off"), ("09:00", "on"), ("09:10", "off"), ("10:00", "on"), ("11:00", "off")), START, END
    )
    assert told["states"]["on"] == {
        "times": 2,
        "seconds": 4200,
        "began": at("2026-12-01T10:00").isoformat(),
        "ended": at("2026-12-01T11:00").isoformat(),
    }
    assert told["states"]["off"]["times"] == 2
    assert told["changes_in_all"] == 4


def test_what_held_before_did_not_begin() -> None:
    told = past.summarise_states(moments(("07:00", "on")), START, END)
    assert told["states"]["on"] == {"times": 0, "seconds": 4 * 3600, "began": None, "ended": None}
    assert told["changes"] == []


def test_a_gap_is_neither_a_change_nor_time() -> None:
    told = past.summarise_states(moments(("08:00", "on"), ("09:00", "unavailable"), ("11:00", "on")), START, END)
    assert told["states"] == {"on": {"times": 0, "seconds": 2 * 3600, "began": None, "ended": None}}


def test_numbers() -> None:
    told = past.summarise_numbers(
        moments(("07:00", "20"), ("10:00", "unknown"), ("10:30", "16.5"), ("11:00", "22")), START, END
    )
    assert told["min"] == {"value": 16.5, "at": at("2026-12-01T10:30").isoformat()}
    assert told["max"] == {"value": 22.0, "at": at("2026-12-01T11:00").isoformat()}
    assert told["mean"] == pytest.approx((20 * 2 + 16.5 * 0.5 + 22) / 3.5, abs=0.01)
    assert past.summarise_numbers(moments(("09:00", "nan")), START, END)["mean"] is None


def test_events() -> None:
    told = past.summarise_events(
        moments(("07:00", "a"), ("09:00", "b"), ("10:00", "unavailable"), ("10:05", "b"), ("11:00", "c")), START
    )
    assert told["times"] == 2
    assert told["last"] == at("2026-12-01T11:00").isoformat()


STATES = st.lists(
    st.tuples(st.integers(0, 10_000), st.sampled_from(["on", "off", "unavailable"])), min_size=1, max_size=30
)


@given(STATES)
def test_time_adds_up(listed: list[tuple[int, str]]) -> None:
    start = at("2026-10-25T00:00")
    instants = sorted(dict(listed).items())
    made = [past.Moment(s, datetime.fromtimestamp(start.timestamp() + n, ZONE)) for n, s in instants]
    end = datetime.fromtimestamp(start.timestamp() + 10_000, ZONE)
    told = past.summarise_states(made, start, end)
    assert sum(state["seconds"] for state in told["states"].values()) <= 10_000
    assert sum(state["times"] for state in told["states"].values()) == told["changes_in_all"]
    assert all(state["began"] is not None for state in told["states"].values() if state["times"])


def test_forecast_times_are_local() -> None:
    listed = [
        {"datetime": "2026-12-01T23:00:00+00:00", "condition": "rainy", "temperature": 4, "templow": None, "x": 1},
        {"datetime": "broken"},
    ]
    assert forecasts.entries(listed, "daily", ZONE) == [
        {"datetime": "2026-12-02T00:00:00+01:00", "condition": "rainy", "temperature": 4}
    ]


def test_days_of_halves() -> None:
    halves = [
        {"datetime": "2026-12-01T06:00:00+01:00", "is_daytime": True, "condition": "sunny", "temperature": 9,
         "precipitation_probability": 10},
        {"datetime": "2026-12-01T18:00:00+01:00", "is_daytime": False, "condition": "rainy", "temperature": 2,
         "precipitation_probability": 70},
        {"datetime": "2026-12-02T06:00:00+01:00", "is_daytime": True, "condition": "fog", "temperature": 7},
    ]  # fmt: skip
    days = forecasts.days_of_halves(halves, ZONE)
    assert [(d["condition"], d["temperature"], d.get("templow"), d.get("precipitation_probability")) for d in days] == [
        ("sunny", 9, 2, 70),
        ("fog", 7, None, None),
    ]


def test_hours_are_no_more_than_two_days() -> None:
    first = at("2026-12-01T00:00")
    listed = [{"datetime": (first + timedelta(hours=n)).isoformat(), "temperature": n} for n in range(80)]
    assert len(forecasts.entries(listed, "hourly", ZONE)) == 48
