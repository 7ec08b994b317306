"""What happens while the list is open: pushed over a WebSocket, or fetched where one does not get through.

A proxy accepts a connection before it has reached us and does not pass close codes on, so everything that a page must
know is a message: `hello` (from here on it is connected), `stale` (the page is from before a restart), `running` (the
rows of requests that have not ended), and the rows of a turn.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from ..diagnostics.query import Filter
from ..diagnostics.store import TraceStore
from ..diagnostics.summary import Turn
from .address import filter_of, query_of
from .guard import is_token
from .keys import SERVICES
from .page import render_text
from .requests_view import Row

MOST_CAUGHT_UP = 100
GREETING_SECONDS = 10.0
SOCKETS = web.AppKey("sockets", set[web.WebSocketResponse])
routes = web.RouteTableDef()


@routes.get("/live")
async def push(request: web.Request) -> web.WebSocketResponse:
    """Rows as they come; the first message of a page brings its token and the last `seq` that it shows."""
    socket = web.WebSocketResponse(heartbeat=20, compress=False, max_msg_size=4096)
    await socket.prepare(request)
    request.app[SOCKETS].add(socket)
    try:
        await _serve(request, socket)
    finally:
        request.app[SOCKETS].discard(socket)
    return socket


@routes.get("/live/since/{seq:\\d{1,18}}")
async def poll(request: web.Request) -> web.Response:
    """The same messages for a page without a WebSocket."""
    wanted, traces = filter_of(request.query), request.app[SERVICES].traces
    turns = await _since(traces, wanted, int(request.match_info["seq"]))
    return web.json_response([*(_message(request, wanted, turn) for turn in turns), _running(request)])


async def close_sockets(app: web.Application) -> None:
    """A stop does not wait for pages that are open."""
    sockets = app[SOCKETS]
    for socket in tuple(sockets):
        with suppress(ConnectionError, RuntimeError):
            await socket.close(code=WSCloseCode.GOING_AWAY)


async def _serve(request: web.Request, socket: web.WebSocketResponse) -> None:
    greeting = await _greeting(socket)
    if greeting is None or not is_token(request.app, greeting.get("token")):
        if greeting is not None:
            await socket.send_json({"stale": True})
        await socket.close(code=WSCloseCode.POLICY_VIOLATION)
        return
    wanted, traces = filter_of(request.query), request.app[SERVICES].traces
    # Subscribed before catching up: what comes in between is sent twice rather than never.
    with traces.subscribe() as live:
        gone = asyncio.create_task(_until_closed(socket, live.close))
        try:
            await socket.send_json({"hello": True})
            await _send(request, socket, wanted, await _since(traces, wanted, _number(greeting.get("after"))))
            await socket.send_json(_running(request))
            async for summary in live:
                if summary is None:
                    await socket.send_json(_running(request))
                else:
                    await _send(request, socket, wanted, await _turn(traces, wanted, summary.turn))
                if live.missed:
                    # It comes back at once and says what it has.
                    await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
                    break
        except (ConnectionError, RuntimeError):
            pass
        finally:
            gone.cancel()


async def _greeting(socket: web.WebSocketResponse) -> dict[str, Any] | None:
    try:
        message = await socket.receive(timeout=GREETING_SECONDS)
        said = json.loads(message.data) if message.type is WSMsgType.TEXT else None
    except (TimeoutError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


async def _until_closed(socket: web.WebSocketResponse, then: Callable[[], None]) -> None:
    async for _ in socket:
        pass
    then()


async def _since(traces: TraceStore, wanted: Filter, seq: int | None) -> list[Turn]:
    if seq is None:
        return []
    found = await traces.newest(wanted, after=seq, limit=MOST_CAUGHT_UP)
    turns = []
    for identity in sorted({summary.turn for summary in found}):
        turns += await _turn(traces, wanted, identity)
    return turns


async def _turn(traces: TraceStore, wanted: Filter, identity: int) -> list[Turn]:
    """The turn, if a request of it passes the filter."""
    return [turn for turn in await traces.turns(wanted, before=identity + 1, limit=1) if turn.id == identity]


async def _send(request: web.Request, socket: web.WebSocketResponse, wanted: Filter, turns: Sequence[Turn]) -> None:
    for turn in turns:
        await socket.send_json(_message(request, wanted, turn))


def _message(request: web.Request, wanted: Filter, turn: Turn) -> dict[str, Any]:
    html = render_text(request, "rows.html", {"rows": [Row.of(turn)], "query": query_of(wanted), "more": None})
    return {"turn": turn.id, "seq": turn.last.seq, "html": html}


def _running(request: web.Request) -> dict[str, Any]:
    running = request.app[SERVICES].traces.running()
    return {"running": render_text(request, "running.html", {"running": running})}


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
