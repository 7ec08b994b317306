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
routes = web.RouteTableDef()


@routes.get("/overview")
async def show(request: web.Request) -> web.Response:
    """Figures, and two drawings of them."""
    days = 7 if request.query.get("days") == "7" else 1
    traces = request.app[SERVICES].traces
    figures = await traces.overview(datetime.now(UTC) - timedelta(days=days))
    columns, counts = chart.columns(figures)
    lines, decades = chart.lines(figures)
    context = {
        "days": days,
        "periods": PERIODS,
        "figures": figures,
        "columns": columns,
        "counts": counts,
        "lines": lines,
        "decades": decades,
        "times": chart.times(figures.buckets),
        "width": chart.WIDTH,
        "height": chart.HEIGHT,
        "left": chart.LEFT,
        "base": chart.HEIGHT - chart.BOTTOM,
        "store_problem": traces.problem,
        "devices": request.app[SERVICES].evidence.settle.all()[:MOST_DEVICES],
    }
    return render(request, "overview.html", "overview", context)
