"""The line before a server: one at a time where it has one slot, in order, given up at will, and not endless."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from ha_assist_addon.app import listening
from ha_assist_addon.backends.line import Line
from ha_assist_addon.backends.upstream import UpstreamBackend
from ha_assist_addon.conversation import ChatRequest, Message, Role
from ha_assist_addon.errors import BackendTimeout, Busy


class Rooms:
    """Requests that stay until they are let go, and the order in which they came in."""

    def __init__(self, line: Line, slots: int | None) -> None:
        self.line, self.slots = line, slots
        self.inside: list[str] = []
        self.doors: dict[str, asyncio.Event] = {}

    def come(self, name: str, seconds: float = 5) -> asyncio.Task[None]:
        self.doors[name] = asyncio.Event()
        return asyncio.create_task(self._stay(name, seconds))

    async def _stay(self, name: str, seconds: float) -> None:
        async with self.line.place(self.slots, seconds):
            self.inside.append(name)
            await self.doors[name].wait()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_one_slot_takes_them_in_order() -> None:
    rooms = Rooms(Line(8), 1)
    tasks = [rooms.come(name) for name in "abc"]
    await settled()
    assert rooms.inside == ["a"]
    for name, inside in (("a", "ab"), ("b", "abc"), ("c", "abc")):
        rooms.doors[name].set()
        await settled()
        assert "".join(rooms.inside) == inside
    await asyncio.gather(*tasks, rooms.line.empty())


async def test_more_slots_take_more() -> None:
    rooms = Rooms(Line(8), 2)
    tasks = [rooms.come(name) for name in "abc"]
    await settled()
    assert rooms.inside == ["a", "b"]
    for name in "abc":
        rooms.doors[name].set()
    await asyncio.gather(*tasks)


@pytest.mark.parametrize(("slots", "limit", "fit"), [(1, 2, 3), (2, 1, 3), (None, 2, 2)])
async def test_past_the_limit_it_is_busy(slots: int | None, limit: int, fit: int) -> None:
    rooms = Rooms(Line(limit), slots)
    tasks = [rooms.come(str(n)) for n in range(fit)]
    await settled()
    with pytest.raises(Busy):
        await rooms.come("one too many")
    for door in rooms.doors.values():
        door.set()
    await asyncio.gather(*tasks)
    rooms.doors.clear()
    again = rooms.come("later")
    rooms.doors["later"].set()
    await again


async def test_who_gives_up_takes_no_room() -> None:
    rooms = Rooms(Line(8), 1)
    first, second, third = (rooms.come(name) for name in "abc")
    await settled()
    second.cancel()
    rooms.doors["a"].set()
    await settled()
    assert rooms.inside == ["a", "c"]
    rooms.doors["c"].set()
    await asyncio.gather(first, second, third, return_exceptions=True)
    await rooms.line.empty()


async def test_a_turn_that_comes_while_it_is_given_up_is_passed_on() -> None:
    rooms = Rooms(Line(8), 1)
    first, second, third = (rooms.come(name) for name in "abc")
    await settled()
    rooms.doors["a"].set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    second.cancel()
    rooms.doors["b"].set()
    rooms.doors["c"].set()
    await asyncio.wait_for(asyncio.gather(first, second, third, return_exceptions=True), 5)
    assert rooms.inside[-1] == "c"
    await asyncio.wait_for(rooms.line.empty(), 5)


async def test_nobody_waits_beyond_the_time_limit() -> None:
    rooms = Rooms(Line(8), 1)
    first = rooms.come("a")
    await settled()
    with pytest.raises(BackendTimeout):
        await rooms.come("b", seconds=0.01)
    rooms.doors["a"].set()
    await first
    await rooms.line.empty()


@asynccontextmanager
async def llama_server(slots: int, running: list[int]) -> AsyncIterator[UpstreamBackend]:
    """A server that says how many slots it has, and notes how many generations run at once."""
    now = 0

    async def chat(_: web.Request) -> web.Response:
        nonlocal now
        now += 1
        running.append(now)
        await asyncio.sleep(0.02)
        now -= 1
        return web.json_response({"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]})

    async def props(_: web.Request) -> web.Response:
        return web.json_response({"default_generation_settings": {"n_ctx": 4096}, "total_slots": slots})

    app = web.Application()
    app.router.add_post("/v1/chat/completions", chat)
    app.router.add_get("/props", props)
    async with listening(app, "127.0.0.1", 0) as port:
        backend = UpstreamBackend(
            base_url=f"http://127.0.0.1:{port}/v1", model="small", api_key=None, timeout=5, queue=8
        )
        yield backend
        await backend.close()


@pytest.mark.parametrize("slots", [1, 3])
async def test_a_server_gets_as_many_as_it_has_slots(slots: int) -> None:
    running: list[int] = []
    request = ChatRequest(model="HA-Assist", messages=(Message(Role.USER, "Hello"),))

    async def ask(backend: UpstreamBackend) -> None:
        async for _ in backend.generate(request):
            pass

    async with llama_server(slots, running) as backend:
        await backend.traits()
        await asyncio.gather(*(ask(backend) for _ in range(6)))
    assert len(running) == 6
    assert max(running) == slots
