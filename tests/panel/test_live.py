"""The list is pushed, caught up with, and can be asked for instead."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from ha_assist_addon.app import listening
from ha_assist_addon.diagnostics.query import Filter
from ha_assist_addon.panel.address import query_of
from ha_assist_addon.panel.app import create_panel
from ha_assist_addon.services import Services
from ha_assist_addon.trace.trace import Trace

from .conftest import KEY, Add, Panel


async def greet(panel: Panel, socket: aiohttp.ClientWebSocketResponse, after: int = 0) -> None:
    await socket.send_json({"token": await panel.token(), "after": after})


async def receive(socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    async with asyncio.timeout(5):
        message: dict[str, Any] = await socket.receive_json()
        return message


async def receive_row(socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
    """The next rows of a turn; what else a page is told comes in between."""
    while "turn" not in (message := await receive(socket)):
        pass
    return message


async def watched(panel: Panel, watchers: int = 1) -> None:
    """Wait until so many pages listen to the store."""
    for _ in range(1000):
        if len(panel.services.traces._subscriptions) == watchers:
            return
        await asyncio.sleep(0.005)
    pytest.fail("the store's watchers are not as expected")


async def test_a_request_is_pushed_as_a_row(panel: Panel, add: Add) -> None:
    async with panel.http.ws_connect(panel.url + "live") as socket:
        await greet(panel, socket)
        await watched(panel)
        trace = add("<b>Lamp</b>")
        message = await receive_row(socket)
        assert trace.id in message["html"]
        assert "&lt;b&gt;Lamp&lt;/b&gt;" in message["html"]
        assert f'data-turn="{message["turn"]}"' in message["html"]


async def test_a_turn_that_goes_on_is_pushed_whole_again(panel: Panel, add: Add) -> None:
    async with panel.http.ws_connect(panel.url + "live") as socket:
        await greet(panel, socket)
        # What comes before it has caught up is sent twice.
        while "running" not in await receive(socket):
            pass
        add("Turn on", conversation="c", outcome="called")
        first = await receive_row(socket)
        add("Turn on", conversation="c", sections={"ha_history": {"rounds": 1}})
        second = await receive_row(socket)
        assert first["turn"] == second["turn"]
        assert second["seq"] > first["seq"]
        assert "2 requests" in second["html"]


async def test_only_what_passes_the_filter_is_pushed(panel: Panel, add: Add) -> None:
    async with panel.http.ws_connect(f"{panel.url}live?{query_of(Filter(text='<lamp>'))}") as socket:
        await greet(panel, socket)
        await watched(panel)
        add("door")
        wanted = add("<lamp>")
        assert wanted.id in (await receive_row(socket))["html"]


async def test_what_was_missed_comes_first_after_a_reconnect(panel: Panel, add: Add) -> None:
    add("seen")
    (seen,) = await panel.services.traces.newest(limit=1)
    missed = [add(f"missed {number}").id for number in range(3)]
    async with panel.http.ws_connect(panel.url + "live") as socket:
        await greet(panel, socket, after=seen.seq)
        got = [await receive_row(socket) for _ in missed]
    for identity, message in zip(missed, got, strict=True):
        assert identity in message["html"]
    async with panel.http.get(f"{panel.url}live/since/{seen.seq}") as response:
        *rows, last = await response.json()
        assert [message["turn"] for message in rows] == [message["turn"] for message in got]
        assert last == {"running": ""}
    async with panel.http.get(f"{panel.url}live/since/{got[-1]['seq']}") as response:
        assert await response.json() == [{"running": ""}]


@pytest.mark.parametrize("greeting", ['{"token": "wrong"}', "[]", "nonsense", '{"token": 7}', "[" * 3000, ""])
async def test_a_connection_without_the_token_is_closed(panel: Panel, add: Add, greeting: str) -> None:
    async with panel.http.ws_connect(panel.url + "live") as socket:
        await socket.send_str(greeting)
        add()
        message = await socket.receive(timeout=5)
        if message.type is WSMsgType.TEXT:
            assert message.json() == {"stale": True}
            message = await socket.receive(timeout=5)
        assert message.type is WSMsgType.CLOSE
        assert message.data == aiohttp.WSCloseCode.POLICY_VIOLATION


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
async def test_another_site_cannot_listen(panel: Panel, headers: dict[str, str]) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await panel.http.ws_connect(panel.url + "live", headers=headers)
    assert refusal.value.status == 403


async def test_who_leaves_is_forgotten(panel: Panel, add: Add) -> None:
    async with panel.http.ws_connect(panel.url + "live") as socket:
        await greet(panel, socket)
        await watched(panel)
    await watched(panel, 0)
    add()


async def test_a_stop_does_not_wait_for_open_pages(services: Services) -> None:
    async with aiohttp.ClientSession() as http, asyncio.timeout(10):
        async with listening(create_panel(services, 8090, KEY), "127.0.0.1", 0, drain=60) as port:
            panel = Panel(f"http://127.0.0.1:{port}/", http, services)
            socket = await http.ws_connect(panel.url + "live")
            await greet(panel, socket)
            await watched(panel)
        while (message := await socket.receive()).type is WSMsgType.TEXT:
            pass
        assert message.type in {WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED}
        assert not services.traces._subscriptions


async def test_what_runs_is_pushed_and_taken_back(panel: Panel) -> None:
    trace = Trace("HA-Assist", sentence="a <long> poem")
    async with panel.http.ws_connect(panel.url + "live") as socket:
        await greet(panel, socket)
        assert await receive(socket) == {"hello": True}
        assert await receive(socket) == {"running": ""}
        panel.services.traces.begin(trace)
        assert "a &lt;long&gt; poem" in (await receive(socket))["running"]
        trace.finish("answered")
        panel.services.traces.add(trace)
        assert (await receive(socket))["running"] == ""
        assert trace.id in (await receive(socket))["html"]


async def test_a_page_from_before_a_restart_is_told_so(panel: Panel) -> None:
    async with panel.http.ws_connect(panel.url + "live") as socket:
        await socket.send_json({"token": "of another start", "after": 0})
        assert await receive(socket) == {"stale": True}
