"""The listener beside a Home Assistant that is well, restarts, or floods it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from ha_assist_addon.supervisor.link import Link, Pace
from ha_assist_addon.supervisor.state_stream import StateStream, exposed_entities
from ha_assist_addon.supervisor.watcher import websocket_address
from ha_assist_addon.verification.states import MOST_CHANGES, StateEvents
from tests.supervisor.conftest import FAST, until
from tests.supervisor.fake_home_assistant import TOKEN, FakeHomeAssistant


@asynccontextmanager
async def listening(
    home_assistant: FakeHomeAssistant, token: str = TOKEN, pace: Pace = FAST
) -> AsyncIterator[tuple[StateStream, StateEvents]]:
    events = StateEvents()
    stream = StateStream(websocket_address(home_assistant.url), token, events, pace)
    stream.start()
    try:
        yield stream, events
    finally:
        await stream.close()


async def test_only_what_is_exposed_and_can_be_verified_is_followed(home_assistant: FakeHomeAssistant) -> None:
    home_assistant.exposed.discard("light.kitchen")
    async with listening(home_assistant) as (stream, events):
        await until(lambda: events.follows("light.ceiling"))
        assert home_assistant.followed() == {"light.ceiling", "cover.blind", "switch.outlet"}
        assert stream.status.word is Link.CONNECTED
        assert stream.status.sentence == "Home Assistant tells HA-Assist at once what changes of 3 exposed entities."
        assert not events.follows("light.kitchen")
        lamp = events.current("light.ceiling")
        assert lamp is not None
        assert (lamp.state, dict(lamp.attributes)) == ("on", {"brightness": 120})


async def test_a_report_is_heard_with_the_time_that_home_assistant_gave_it(home_assistant: FakeHomeAssistant) -> None:
    async with listening(home_assistant) as (_, events):
        await until(lambda: events.follows("light.ceiling"))
        at = time.time() - 0.1
        await home_assistant.report("light.ceiling", "off", at)
        await until(lambda: events.changes("light.ceiling"))
        (change,) = events.changes("light.ceiling")
        assert (change.before.state, change.after.state, change.at) == ("on", "off", at)


async def test_who_waits_is_woken(home_assistant: FakeHomeAssistant) -> None:
    async with listening(home_assistant) as (_, events):
        await until(lambda: events.follows("switch.outlet"))

        def on() -> str | None:
            live = events.current("switch.outlet")
            return "on" if live is not None and live.state == "on" else None

        waiting = asyncio.create_task(events.until(["switch.outlet"], 30, on))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await home_assistant.report("switch.outlet", "on")
        async with asyncio.timeout(5):
            assert await waiting == "on"
        nothing: str | None = None
        assert await events.until(["switch.outlet"], 0.01, lambda: nothing) is None
        assert not events._waiting, "nobody is left behind"


async def test_a_restart_is_survived_and_what_is_told_anew_is_no_change(home_assistant: FakeHomeAssistant) -> None:
    async with listening(home_assistant) as (stream, events):
        await until(lambda: events.follows("light.ceiling"))
        await home_assistant.hang_up()
        await until(lambda: not events.connected)
        assert not events.follows("light.ceiling")
        assert events.current("light.ceiling") is None
        # As a restart does: all states are written again.
        home_assistant.live["light.ceiling"] |= {"s": "off", "lc": time.time()}
        await until(lambda: events.follows("light.ceiling"))
        live = events.current("light.ceiling")
        assert live is not None
        assert live.state == "off"
        assert events.changes("light.ceiling") == ()
        assert stream.status.word is Link.CONNECTED


async def test_a_device_that_is_exposed_later_is_followed_too(home_assistant: FakeHomeAssistant) -> None:
    home_assistant.exposed = {"light.ceiling"}
    async with listening(home_assistant) as (_, events):
        await until(lambda: events.follows("light.ceiling"))
        home_assistant.exposed = {"light.kitchen"}
        await home_assistant.fire("entity_registry_updated")
        await until(lambda: events.follows("light.kitchen"))
        await until(lambda: home_assistant.followed() == {"light.kitchen"})
        assert not events.follows("light.ceiling")
        assert len(events) == 1


async def test_without_exposed_entities_nothing_is_subscribed_to(home_assistant: FakeHomeAssistant) -> None:
    home_assistant.exposed = set()
    async with listening(home_assistant) as (stream, _):
        await until(lambda: stream.status.word is Link.CONNECTED)
        assert "subscribe_entities" not in home_assistant.asked


@pytest.mark.parametrize("command", ["homeassistant/expose_entity/list", "subscribe_entities"])
async def test_a_token_that_may_not_listen_is_said(home_assistant: FakeHomeAssistant, command: str) -> None:
    home_assistant.unknown = {command}
    async with listening(home_assistant) as (stream, events):
        await until(lambda: stream.status.word is Link.UNREACHABLE)
        assert "does not let HA-Assist hear of states" in stream.status.sentence
        assert not events.connected


async def test_duplicates_and_what_comes_out_of_order_change_nothing(home_assistant: FakeHomeAssistant) -> None:
    async with listening(home_assistant) as (_, events):
        await until(lambda: events.follows("light.ceiling"))
        now = time.time()
        await home_assistant.report("light.ceiling", "off", now)
        for state, at in (("off", now), ("on", now - 1), ("unavailable", now - 5)):
            await home_assistant.tell({"c": {"light.ceiling": {"+": {"s": state, "lc": at}}}}, "light.ceiling")
        await home_assistant.report("switch.outlet", "on")
        await until(lambda: events.changes("switch.outlet"))
        assert [(c.before.state, c.after.state) for c in events.changes("light.ceiling")] == [("on", "off")]


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        {"a": []},
        {"a": {"light.ceiling": None}},
        {"c": {"light.ceiling": {"+": None}}},
        {"c": {"light.ceiling": {"+": {"s": "off"}}}},
        {"c": {"light.ceiling": {"+": {"s": "off", "lc": "soon"}, "-": 3}}},
        {"c": {"light.ceiling": {"+": {"s": "off", "lc": float("1e400")}}}},
        {"r": {"light.ceiling": 1}},
        {"r": [["light.ceiling"]]},
    ],
)
def test_an_event_of_another_form_changes_nothing(event: object) -> None:
    events = StateEvents()
    events.begin(["light.ceiling"])
    events.take({"a": {"light.ceiling": {"s": "on", "a": {}, "lc": 1.0}}})
    if isinstance(event, dict):
        events.take(event)
    assert events.changes("light.ceiling") == ()
    live = events.current("light.ceiling")
    assert live is not None
    assert live.state == "on"


async def test_a_flood_keeps_memory_small_and_lets_others_in(home_assistant: FakeHomeAssistant) -> None:
    async with listening(home_assistant) as (_, events):
        await until(lambda: events.follows("light.ceiling"))
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        counting = asyncio.create_task(count())
        for number in range(3000):
            await home_assistant.report("light.ceiling", "on" if number % 2 else "off", time.time() + number * 1e-3)
        await home_assistant.report("switch.outlet", "on")
        await until(lambda: events.changes("switch.outlet"))
        counting.cancel()
        assert len(events.changes("light.ceiling")) == MOST_CHANGES
        assert turns > 60


def test_another_machines_clock_is_taken_into_account() -> None:
    ahead = 3600.0
    events = StateEvents(same_clock=False)
    events.begin(["light.ceiling"])
    events.take({"a": {"light.ceiling": {"s": "on", "a": {}, "lc": time.time() + ahead - 60}}})
    now = time.time()
    events.take({"c": {"light.ceiling": {"+": {"s": "off", "lc": now + ahead}}}})
    (change,) = events.changes("light.ceiling")
    assert abs(change.at - now) < 1


@pytest.mark.parametrize("answer", [None, [], {"exposed_entities": []}, {"exposed_entities": {"light.a": True}}])
def test_an_answer_of_another_form_exposes_nothing(answer: object) -> None:
    assert exposed_entities(answer) == frozenset()
