"""The watcher beside a Home Assistant that is well, ill, changes, or goes away."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Any

import pytest

from ha_assist_addon.home.ha_context import HaContext
from ha_assist_addon.supervisor.link import Link
from ha_assist_addon.supervisor.watcher import (
    SUPERVISOR_ADDRESS,
    RegistryWatcher,
    create_watcher,
    websocket_address,
)
from tests.supervisor.conftest import FAST, until, watching
from tests.supervisor.fake_home_assistant import FakeHomeAssistant, area, floor


async def read(watcher: RegistryWatcher) -> HaContext:
    context = await watcher.first(5)
    assert context is not None, watcher.status
    return context


async def test_it_reads_floors_areas_and_the_language(home_assistant: FakeHomeAssistant) -> None:
    async with watching(home_assistant.url) as watcher:
        context = await read(watcher)
        assert (context.language, context.timezone) == ("en", "Europe/London")
        assert [(f.name, f.aliases) for f in context.floors] == [
            ("Ground Floor", ("downstairs",)),
            ("First Floor", ("the upper floor", "upstairs")),
        ]
        assert [(a.name, a.aliases, a.floor) for a in context.areas] == [
            ("Kitchen", (), "Ground Floor"),
            ("Bedroom", ("Master Bedroom",), "First Floor"),
            ("Shed", (), None),
        ]
        assert watcher.status.word is Link.CONNECTED
        assert watcher.status.sentence == "Home Assistant tells 2 floors, 3 areas and 7 entities; its language is en."


async def test_it_reads_names_classes_and_places_of_entities_but_no_state(home_assistant: FakeHomeAssistant) -> None:
    async with watching(home_assistant.url) as watcher:
        context = await read(watcher)
    assert [(e.name, e.domain, e.aliases, e.area, e.device_class) for e in context.entities] == [
        ("Kitchen Window", "binary_sensor", (), "Kitchen", "window"),
        ("Bedroom Blind", "cover", (), "Bedroom", "blind"),
        ("Ceiling Light", "light", ("Big Lamp",), "Bedroom", None),
        ("Counter Lights", "light", (), "Kitchen", None),
        ("sun", "sun", (), None, None),
        ("Outlet", "switch", (), "Bedroom", "outlet"),
    ]
    assert all(e.state is None and not e.attributes for e in context.entities)


@pytest.mark.parametrize(
    "event",
    ["area_registry_updated", "floor_registry_updated", "entity_registry_updated", "core_config_updated"],
)
async def test_a_change_is_read(home_assistant: FakeHomeAssistant, event: str) -> None:
    async with watching(home_assistant.url) as watcher:
        before = await read(watcher)
        home_assistant.home["config/floor_registry/list"].append(floor("attic", "Attic"))
        await home_assistant.fire(event)
        await until(lambda: watcher.current is not before)
        assert [f.name for f in (await read(watcher)).floors] == ["Ground Floor", "First Floor", "Attic"]


async def test_many_changes_are_read_together(home_assistant: FakeHomeAssistant) -> None:
    async with watching(home_assistant.url) as watcher:
        await read(watcher)
        for _ in range(20):
            await home_assistant.fire("entity_registry_updated")
        await until(lambda: home_assistant.readings() == 2)
        await asyncio.sleep(0.3)
        assert home_assistant.readings() == 2


async def test_it_stays_the_same_object_while_nothing_changed(home_assistant: FakeHomeAssistant) -> None:
    async with watching(home_assistant.url) as watcher:
        before = await read(watcher)
        await home_assistant.fire("area_registry_updated")
        await until(lambda: home_assistant.readings() == 2)
        for item in home_assistant.home["config/floor_registry/list"]:
            item["aliases"].reverse()
        await home_assistant.hang_up()
        await until(lambda: home_assistant.readings() == 3 and watcher.status.word is Link.CONNECTED)
        await asyncio.sleep(0.1)
        assert watcher.current is before


async def test_it_comes_back_after_a_restart(home_assistant: FakeHomeAssistant) -> None:
    async with watching(home_assistant.url) as watcher:
        before = await read(watcher)
        home_assistant.greeting = "starting"
        await home_assistant.hang_up()
        await until(lambda: watcher.status.word is Link.UNREACHABLE)
        assert watcher.current is before
        assert "stays in use" in watcher.status.sentence
        home_assistant.greeting = None
        await until(lambda: watcher.status.word is Link.CONNECTED)


async def test_the_waits_between_attempts_grow() -> None:
    home_assistant = FakeHomeAssistant()
    home_assistant.refuse_with = 502
    async with home_assistant.running(), watching(home_assistant.url, pace=replace(FAST, last_retry=10)) as watcher:
        await asyncio.sleep(0.5)
        assert 2 <= home_assistant.connections <= 6
        assert watcher.current is None
        assert watcher.status.word is Link.UNREACHABLE
        assert "502" in watcher.status.sentence


@pytest.mark.parametrize("status", [None, 401, 403])
async def test_a_refused_token_is_logged_once_and_tried_slowly(
    home_assistant: FakeHomeAssistant, caplog: pytest.LogCaptureFixture, status: int | None
) -> None:
    home_assistant.refuse_with = status
    async with watching(home_assistant.url, "wrong-token", replace(FAST, refused_retry=0.2)) as watcher:
        await until(lambda: home_assistant.connections == 3)
        assert watcher.status.word is Link.REFUSED
        assert watcher.current is None
        warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
        assert [record.getMessage() for record in warnings] == [watcher.status.sentence]
    assert "wrong-token" not in caplog.text
    assert not home_assistant.asked


@pytest.mark.parametrize("commands", range(0, 12, 3))
async def test_a_dropped_connection_is_no_snapshot(home_assistant: FakeHomeAssistant, commands: int) -> None:
    home_assistant.drops_after = commands
    async with watching(home_assistant.url) as watcher:
        await until(lambda: home_assistant.connections >= 2)
        assert watcher.current is None
        home_assistant.drops_after = None
        assert (await read(watcher)).floors


@pytest.mark.parametrize("said", ["", "not json", "[]", '{"type": "hello"}', "[" * 100_000, '{"type": "event"}'])
async def test_something_else_answers(
    home_assistant: FakeHomeAssistant, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    home_assistant.greeting = said
    async with watching(home_assistant.url) as watcher:
        await until(lambda: home_assistant.connections >= 2)
        assert watcher.status.word is Link.UNREACHABLE
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_one_that_does_not_answer(home_assistant: FakeHomeAssistant) -> None:
    home_assistant.late = 5
    async with watching(home_assistant.url, pace=replace(FAST, answer=0.1)) as watcher:
        await until(lambda: watcher.status.word is Link.UNREACHABLE)
        home_assistant.late = 0.02
        assert (await read(watcher)).areas


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("config/floor_registry/list", {"areas": 3, "entities": 6}),
        ("config/area_registry/list", {"floors": 2, "entities": 6}),
        ("config/device_registry/list", {"floors": 2, "areas": 3, "entities": 6}),
        ("config/entity_registry/get_entries", {"floors": 2, "areas": 3, "entities": 6}),
        ("get_states", {"floors": 2, "areas": 3}),
        ("get_config", {"floors": 2, "areas": 3, "entities": 6}),
        ("subscribe_events", {"floors": 2, "areas": 3, "entities": 6}),
    ],
)
async def test_an_unknown_command_leaves_the_rest(
    home_assistant: FakeHomeAssistant, command: str, left: dict[str, int]
) -> None:
    home_assistant.unknown.add(command)
    async with watching(home_assistant.url) as watcher:
        context = await read(watcher)
        found = {part: len(getattr(context, part)) for part in ("floors", "areas", "entities")}
        assert found == {"floors": 0, "areas": 0, "entities": 0, **left}
        assert ("did not tell" in watcher.status.sentence) is (command != "subscribe_events")


@pytest.mark.parametrize("nonsense", [None, "x", 7, [], {}, [None, 3, "x", [], {}], {"a": 1}])
async def test_nonsense_in_an_answer_is_left_out(home_assistant: FakeHomeAssistant, nonsense: Any) -> None:
    for command in home_assistant.home:
        home_assistant.home[command] = nonsense
    async with watching(home_assistant.url) as watcher:
        context = await read(watcher)
        assert context == HaContext(timezone=None)


async def test_one_broken_item_does_not_spoil_the_others(home_assistant: FakeHomeAssistant) -> None:
    home_assistant.home["config/area_registry/list"] += [
        area("long", "x" * 300),
        area("empty", "  "),
        {**area("odd", "Odd"), "aliases": 5, "floor_id": {}},
        {**area("lost", "Lost"), "floor_id": "no_such_floor", "aliases": [None, " Gone ", ""]},
    ]
    async with watching(home_assistant.url) as watcher:
        context = await read(watcher)
    assert [(a.name, a.aliases, a.floor) for a in context.areas[3:]] == [("Odd", (), None), ("Lost", ("Gone",), None)]


async def test_closing_is_quick_at_any_time(home_assistant: FakeHomeAssistant) -> None:
    home_assistant.late = 30
    async with asyncio.timeout(3):
        async with watching(home_assistant.url, pace=replace(FAST, answer=60)) as watcher:
            await until(lambda: home_assistant.connections == 1)
        assert watcher.status.word is Link.OFF
        async with watching("http://127.0.0.1:9"):
            pass


async def test_nothing_listens(unused_tcp_port: int) -> None:
    async with watching(f"http://127.0.0.1:{unused_tcp_port}") as watcher:
        await until(lambda: watcher.status.word is Link.UNREACHABLE)
        assert await watcher.first(0.05) is None


def test_without_a_token_there_is_no_watcher() -> None:
    assert create_watcher(None, None, {}) is None
    assert create_watcher(None, None, {"SUPERVISOR_TOKEN": "  "}) is None


def test_the_supervisors_token_goes_to_the_supervisor_alone(caplog: pytest.LogCaptureFixture) -> None:
    environ = {"SUPERVISOR_TOKEN": "the-supervisors"}
    for url, token, address, sent in (
        (None, None, SUPERVISOR_ADDRESS, "the-supervisors"),
        ("http://ha:8123", "mine", "ws://ha:8123/api/websocket", "mine"),
        ("http://ha:8123", None, SUPERVISOR_ADDRESS, "the-supervisors"),
    ):
        watcher = create_watcher(url, token, environ)
        assert watcher is not None
        assert (watcher._address, watcher._token) == (address, sent)
    assert "belong together" in caplog.text


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://homeassistant.local:8123", "ws://homeassistant.local:8123/api/websocket"),
        ("https://home.example/", "wss://home.example/api/websocket"),
        ("192.168.1.5:8123", "ws://192.168.1.5:8123/api/websocket"),
        ("ws://supervisor/core/websocket", "ws://supervisor/core/websocket"),
    ],
)
def test_addresses_as_people_write_them(url: str, address: str) -> None:
    assert websocket_address(url) == address
