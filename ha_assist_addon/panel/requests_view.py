"""The list of requests: one row a turn, filtered by the server over everything that is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from ..diagnostics.query import EVERYTHING, Filter
from ..diagnostics.summary import Route, Summary, Turn
from .address import filter_of, query_of
from .keys import SERVICES
from .page import comes_from_panel, go, render, render_part

PAGE = 50
MOST_AT_ONCE = 250
"""Rows above the one that a reader comes back to; with more the list begins at that one."""
SLOW_MS = (100, 500, 1000, 5000)
routes = web.RouteTableDef()


@dataclass(frozen=True, slots=True)
class Row:
    """A turn as one row."""

    turn: Turn
    shown: Summary
    """The request that the row's link leads to."""
    route: Route

    @classmethod
    def of(cls, turn: Turn) -> Row:
        """What asked a model says more of a turn than what read the states after it."""
        shown = next((r for r in turn.requests if r.model_calls), turn.first)
        return cls(turn, shown, shown.route)


@routes.get("/")
async def show(request: web.Request) -> web.Response:
    """The newest turns that pass the filter of the address; without scripts, also those before one of them."""
    wanted, traces = filter_of(request.query), request.app[SERVICES].traces
    if not request.query and not comes_from_panel(request) and not await traces.count():
        raise go(request, "connect")
    context = {
        "filter": wanted,
        "filtered": wanted != EVERYTHING,
        "facets": await traces.facets(),
        "count": await traces.count(wanted),
        "slow_ms": SLOW_MS,
        "troubles": traces.troubles,
        "running": traces.running(),
        **await page_of(request, wanted, _turn_id(request, "before"), _turn_id(request, "at")),
    }
    return render(request, "requests.html", "requests", context)


def _turn_id(request: web.Request, name: str) -> int | None:
    text = request.query.get(name, "")
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text) else None


@routes.post("/")
async def search(request: web.Request) -> web.Response:
    """A filter, which comes in a body, becomes an address that can be kept; this changes nothing, so it never ages."""
    form = await request.post()
    wanted = Filter.from_query({name: value for name, value in form.items() if isinstance(value, str)})
    raise go(request, f"?{query_of(wanted)}" if wanted != EVERYTHING else "")


@routes.get("/older/{turn:\\d{1,18}}")
async def older(request: web.Request) -> web.Response:
    """The rows below the last one shown."""
    context = await page_of(request, filter_of(request.query), int(request.match_info["turn"]))
    return render_part(request, "rows.html", context)


async def page_of(request: web.Request, wanted: Filter, before: int | None, at: int | None = None) -> Mapping[str, Any]:
    """Rows, and where to go on if there are more; with `at` so many that this turn is among them."""
    traces, size = request.app[SERVICES].traces, PAGE
    if at is not None and before is None:
        newer = await traces.newer_turns(at, wanted, most=MOST_AT_ONCE)
        if newer >= MOST_AT_ONCE:
            before = at + 1
        else:
            size = max(PAGE, newer + PAGE // 2)
    turns = await traces.turns(wanted, before=before, limit=size + 1)
    return {
        "rows": [Row.of(turn) for turn in turns[:size]],
        "query": query_of(wanted),
        "more": turns[size - 1].id if len(turns) > size else None,
    }
