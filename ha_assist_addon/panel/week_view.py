"""What was not understood since last week, whether it is now, and devices that are slow or do not confirm."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from aiohttp import web

from ..trial.replay import replay, week_of
from .keys import SERVICES
from .page import render, render_part

DAYS = 7
MOST_LISTED = 30
routes = web.RouteTableDef()


@routes.get("/week")
async def show(request: web.Request) -> web.Response:
    """The groups; the page asks for the replay once it is shown."""
    week = await week_of(request.app[SERVICES].traces, datetime.now(UTC) - timedelta(days=DAYS))
    return render(request, "week.html", "overview", {"week": week, "most": MOST_LISTED})


@routes.post("/week/replay")
async def again(request: web.Request) -> web.Response:
    """The missed sentences with today's version and settings."""
    services = request.app[SERVICES]
    week = await week_of(services.traces, datetime.now(UTC) - timedelta(days=DAYS))
    replayed = await replay([miss.latest for miss in week.misses], services)
    return render_part(request, "week_replay.html", {"replayed": replayed})
