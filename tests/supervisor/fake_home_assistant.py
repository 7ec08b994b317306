"""A Home Assistant of which only the WebSocket API is there: it answers well, late, wrongly or not at all, as told."""

from __future__ import annotations

import asyncio
import copy
import json
import time
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


EXPOSED = ("light.ceiling", "light.kitchen", "cover.blind", "switch.outlet", "binary_sensor.window")


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
        self.exposed: set[str] = set(EXPOSED)
        self.live: dict[str, dict[str, Any]] = {
            one["entity_id"]: {"s": one["state"], "a": dict(one["attributes"]), "c": "context", "lc": time.time() - 60}
            for one in self.home["get_states"]
        }
        """States as `subscribe_entities` tells them."""
        self.connections = 0
        self.asked: list[str] = []
        self.url = ""
        self._open: dict[web.WebSocketResponse, dict[str, int]] = {}
        self._entities: dict[web.WebSocketResponse, dict[int, set[str]]] = {}
        """What each connection wants to hear of, by the id of the subscription."""

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

    async def report(self, entity_id: str, value: str, at: float | None = None, **attributes: Any) -> None:
        """A device reports: the state changes, and who listens is told."""
        before = self.live[entity_id]
        more: dict[str, Any] = {"c": "another", "lc": time.time() if at is None else at}
        if value != before["s"]:
            more["s"] = value
        if attributes:
            more["a"] = attributes
        self.live[entity_id] = {**before, **more, "a": {**before["a"], **attributes}}
        await self.tell({"c": {entity_id: {"+": more}}}, entity_id)

    async def tell(self, event: Mapping[str, Any], entity_id: str) -> None:
        """Send one event as it is to those who follow this entity."""
        for socket, subscriptions in tuple(self._entities.items()):
            for number, followed in tuple(subscriptions.items()):
                if entity_id in followed:
                    await socket.send_json({"type": "event", "id": number, "event": event})

    def followed(self) -> set[str]:
        """The entities that somebody follows."""
        return {one for each in self._entities.values() for ids in each.values() for one in ids}

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
        self._entities.pop(socket, None)
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
            command = json.loads(message.data)
            answer = self._answer(socket, command)
            await socket.send_str(json.dumps(answer))
            if command["type"] == "subscribe_entities" and answer["success"]:
                wanted = set(command["entity_ids"])
                self._entities.setdefault(socket, {})[command["id"]] = wanted
                told = {entity_id: one for entity_id, one in self.live.items() if entity_id in wanted}
                await socket.send_json({"type": "event", "id": command["id"], "event": {"a": told}})

    def _answer(self, socket: web.WebSocketResponse, command: Mapping[str, Any]) -> dict[str, Any]:
        kind, answer = command["type"], {"id": command["id"], "type": "result"}
        self.asked.append(kind)
        if kind in self.unknown:
            return {**answer, "success": False, "error": {"code": "unknown_command", "message": "Unknown command."}}
        if kind == "subscribe_events":
            self._open[socket][command["event_type"]] = command["id"]
            return {**answer, "success": True, "result": None}
        if kind == "unsubscribe_events":
            self._entities.get(socket, {}).pop(command["subscription"], None)
            return {**answer, "success": True, "result": None}
        if kind == "subscribe_entities":
            return {**answer, "success": True, "result": None}
        if kind == "homeassistant/expose_entity/list":
            exposed = {entity_id: {"conversation": True} for entity_id in sorted(self.exposed)}
            return {
                **answer,
                "success": True,
                "result": {"exposed_entities": {**exposed, "light.other": {"cloud.alexa": True}}},
            }
        result = self.home[kind]
        if kind == "config/entity_registry/get_entries" and isinstance(result, dict):
            result = {entity_id: result.get(entity_id) for entity_id in command["entity_ids"]}
        return {**answer, "success": True, "result": result}
