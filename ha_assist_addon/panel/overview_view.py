"""The overview: how the last day or week went."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from aiohttp import web

from . import chart
from .keys import SERVICES
from .page import render

PERIODS = (1, 7)
"""Days."""
MOST_DEVICES = 20
LISTS = {"asked": "outcome=asked", "model": "route=model", "unmet": "outcome=refused", "failed": "failed=1"}
"""The filters of the list that show the turns of a kind."""
routes = web.RouteTableDef()


@routes.get("/overview")
async def show(request: web.Request) -> web.Response:
    """What became of the turns, and how long they took."""
    days = 7 if request.query.get("days") == "7" else 1
    traces = request.app[SERVICES].traces
    figures = await traces.overview(datetime.now(UTC) - timedelta(days=days))
    columns, counts = chart.columns(figures)
    spreads, decades = chart.spreads(figures)
    context = {
        "days": days,
        "periods": PERIODS,
        "figures": figures,
        "columns": columns,
        "counts": counts,
        "spreads": spreads,
        "decades": decades,
        "times": chart.times(figures.buckets),
        "lists": LISTS,
        "troubles": traces.troubles,
        "devices": request.app[SERVICES].evidence.settle.all()[:MOST_DEVICES],
    }
    return render(request, "overview.html", "overview", context)
