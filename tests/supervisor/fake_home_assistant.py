"""A Home Assistant of which only the WebSocket API is there: it answers well, late, wrongly or not at all, as told."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiohttp
from aiohttp import web

from ha_assist_addon.app import listening

TOKEN = "a-token-for-tests"


def area(area_id: str, name: str, floor_id: str | None = None, *aliases: str) -> dict[str, Any]:
    return {"area_id": area_id, "name": name, "floor_id": floor_id, "aliases": list(aliases), "labels": []}


def floor(floor_id: str, name: str, *aliases: str) -> dict[str, Any]:
    return {"floor_id": floor_id, "name": name, "aliases": list(aliases), "level": 0}


def state(entity_id: str, name: str | None, value: str = "off", **attributes: Any) -> dict[str, Any]:
    shown = {"friendly_name": name} if name is not None else {}
    return {"entity_id": entity_id, "state": value, "attributes": {**shown, **attributes}}


def entry(entity_id: str, **known: Any) -> dict[str, Any]:
    return {
        "entity_id": entity_id,
        "area_id": None,
        "device_id": None,
        "aliases": [None],
        "device_class": None,
        **known,
    }


HOME: Mapping[str, Any] = {
    "get_config": {"language": "en-GB", "country": "GB", "time_zone": "Europe/London", "latitude": 51.5},
    "config/floor_registry/list": [
        floor("ground_floor", "Ground Floor", "downstairs"),
        floor("first_floor", "First Floor", "upstairs", "the upper floor"),
    ],
    "config/area_registry/list": [
        area("kitchen", "Kitchen", "ground_floor"),
        area("bedroom", "Bedroom", "first_floor", "Master Bedroom"),
        area("shed", "Shed"),
    ],
    "config/device_registry/list": [
        {"id": "hub", "area_id": "bedroom", "parent_device_id": None},
        {"id": "outlet", "area_id": None, "parent_device_id": "hub"},
    ],
    "get_states": [
        state("light.ceiling", "Ceiling Light", "on", brightness=120),
        state("light.kitchen", "Counter Lights"),
        state("cover.blind", "Bedroom Blind", "open"),
        state("binary_sensor.window", "Kitchen Window", device_class="window"),
        state("switch.outlet", "Outlet"),
        state("sun.sun", None),
        state("script.movie", "Movie"),
    ],
    "config/entity_registry/get_entries": {
        "light.ceiling": entry("light.ceiling", device_id="hub", aliases=[None, "Big Lamp"]),
        "light.kitchen": entry("light.kitchen", area_id="kitchen"),
        "cover.blind": entry("cover.blind", area_id="bedroom", original_device_class="blind"),
        "binary_sensor.window": entry("binary_sensor.window", area_id="kitchen"),
        "switch.outlet": entry("switch.outlet", device_id="outlet", original_device_class="outlet"),
        "sun.sun": None,
        "script.movie": entry("script.movie"),
    },
}


class FakeHomeAssistant:
    """Change the public attributes while it runs."""

    def __init__(self) -> None:
        self.home: dict[str, Any] = copy.deepcopy(dict(HOME))
        self.token = TOKEN
        self.unknown: set[str] = set()
        """Commands that this version does not have."""
        self.greeting: str | None = None
        """Said instead of the protocol's first message."""
        self.refuse_with: int | None = None
        """The HTTP status before there is a WebSocket."""
        self.drops_after: int | None = None
        """Ends each connection after so many commands."""
        self.late = 0.0
        """Seconds before each answer."""
        self.connections = 0
        self.asked: list[str] = []
        self.url = ""
        self._open: dict[web.WebSocketResponse, dict[str, int]] = {}

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator[FakeHomeAssistant]:
        """Serve on a free port, or again on the one that it had."""
        app = web.Application()
        app.router.add_get("/api/websocket", self._serve)
        async with listening(app, "127.0.0.1", port, drain=0.1) as taken:
            self.url = f"http://127.0.0.1:{taken}"
            try:
                yield self
            finally:
                await self.hang_up()

    async def hang_up(self) -> None:
        """End all connections, as a restart does."""
        for socket in tuple(self._open):
            await socket.close()

    async def fire(self, event: str) -> None:
        """Tell those who subscribed."""
        for socket, subscribed in tuple(self._open.items()):
            if event in subscribed:
                said = {"type": "event", "id": subscribed[event], "event": {"event_type": event, "data": {}}}
                await socket.send_json(said)

    def readings(self) -> int:
        """How often everything was asked for."""
        return self.asked.count("get_config")

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self.connections += 1
        if self.refuse_with is not None:
            return web.Response(status=self.refuse_with)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._open[socket] = {}
        with suppress(ConnectionError, asyncio.CancelledError):
            await self._converse(socket)
        self._open.pop(socket, None)
        return socket

    async def _converse(self, socket: web.WebSocketResponse) -> None:
        if self.greeting is not None:
            await socket.send_str(self.greeting)
            return
        await socket.send_json({"type": "auth_required", "ha_version": "2026.11.0"})
        said = await socket.receive_json()
        if said != {"type": "auth", "access_token": self.token}:
            await socket.send_json({"type": "auth_invalid", "message": "Invalid access token or password"})
            return
        await socket.send_json({"type": "auth_ok", "ha_version": "2026.11.0"})
        heard = 0
        async for message in socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                return
            if self.drops_after is not None and heard >= self.drops_after:
                return
            heard += 1
            await asyncio.sleep(self.late)
            await socket.send_str(json.dumps(self._answer(socket, json.loads(message.data))))

    def _answer(self, socket: web.WebSocketResponse, command: Mapping[str, Any]) -> dict[str, Any]:
        kind, answer = command["type"], {"id": command["id"], "type": "result"}
        self.asked.append(kind)
        if kind in self.unknown:
            return {**answer, "success": False, "error": {"code": "unknown_command", "message": "Unknown command."}}
        if kind == "subscribe_events":
            self._open[socket][command["event_type"]] = command["id"]
            return {**answer, "success": True, "result": None}
        result = self.home[kind]
        if kind == "config/entity_registry/get_entries" and isinstance(result, dict):
            result = {entity_id: result.get(entity_id) for entity_id in command["entity_ids"]}
        return {**answer, "success": True, "result": result}
