"""One request: why it went as it did, stage by stage, and how to take it along."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from ..diagnostics.export import every_form
from ..diagnostics.summary import Detail
from ..errors import InvalidRequest
from .address import filter_of, query_of
from .connect_view import base_url
from .keys import SERVICES
from .page import render
from .waterfall import waterfall

SECTIONS = ("ha_plan", "ha_intent", "ha_validation", "ha_verify", "ha_history", "ha_prompt")
"""Parts of the metrics in the order in which a request comes by them."""
routes = web.RouteTableDef()


@routes.get("/requests/{id:[0-9a-zA-Z-]{1,64}}")
async def show(request: web.Request) -> web.Response:
    """One request; its neighbours are those of the list that the reader came from."""
    detail, wanted = await _detail(request), filter_of(request.query)
    if detail is None:
        return render(request, "gone.html", "requests", {}, status=404)
    neighbours = await request.app[SERVICES].traces.neighbours(detail.summary.id, wanted)
    turn = await request.app[SERVICES].traces.turns(before=detail.summary.turn + 1, limit=1)
    context = {
        "neighbours": neighbours,
        "query": query_of(wanted),
        "turn": turn[0].requests if turn and turn[0].id == detail.summary.turn else (),
        **decision(detail),
    }
    return render(request, "detail.html", "requests", context)


@routes.get("/requests/{id:[0-9a-zA-Z-]{1,64}}/export")
async def export(request: web.Request) -> web.Response:
    """The request in every form in which it can be taken along; names are invented unless asked otherwise."""
    detail = await _detail(request)
    if detail is None:
        return render(request, "gone.html", "requests", {}, status=404)
    redacted = request.query.get("names") != "real"
    try:
        forms = await every_form(detail, base_url(request.app), redacted=redacted)
    except InvalidRequest as error:
        # Where the names in it cannot be found, they cannot be replaced either.
        raise web.HTTPUnprocessableEntity(text=error.message) from error
    context = {
        "summary": detail.summary,
        "forms": forms,
        "redacted": redacted,
        "query": query_of(filter_of(request.query)),
    }
    return render(request, "export.html", "requests", context)


def decision(detail: Detail) -> dict[str, Any]:
    """What the templates show of a decision, recorded or only tried."""
    metrics = detail.metrics
    return {
        "detail": detail,
        "summary": detail.summary,
        "bars": waterfall(detail.spans, detail.summary.total_ms),
        "sections": {name: metrics[name] for name in SECTIONS if metrics.get(name)},
        "told": metrics.get("ha_route", {}),
        "stages": metrics.get("ha_stages_ms", {}),
        "incoming": _messages(detail.request),
        "tools": [_tool(tool) for tool in _listed(detail.request, "tools") or ()],
        "compiled": [_message(message) for message in detail.exchange.prompt] if detail.exchange else None,
        "generated": detail.exchange.answer if detail.exchange else None,
        "calls": detail.calls,
    }


def pretty(value: Any) -> str:
    """JSON for a person."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def compact(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False, default=str)


def readable(value: Any) -> Any:
    """JSON text as what it says; anything else as it is."""
    if isinstance(value, str) and value[:1] in "{[":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _messages(request: Mapping[str, Any] | None) -> list[dict[str, str]] | None:
    messages = _listed(request, "messages")
    return None if messages is None else [_message(one) for one in messages if isinstance(one, Mapping)]


def _listed(request: Mapping[str, Any] | None, key: str) -> list[Any] | None:
    """A list of a request that nobody has checked."""
    listed = (request or {}).get(key)
    return listed if isinstance(listed, list) else None


def _message(message: Mapping[str, Any]) -> dict[str, str]:
    content, calls = message.get("content"), message.get("tool_calls")
    parts = [content if isinstance(content, str) else pretty(content)] if content else []
    if calls:
        parts.append(pretty(calls))
    return {"role": str(message.get("role", "")), "text": "\n".join(parts)}


def _tool(tool: Any) -> str:
    function = tool.get("function", {}) if isinstance(tool, Mapping) else {}
    return str(function.get("name", "")) if isinstance(function, Mapping) else ""


async def _detail(request: web.Request) -> Detail | None:
    return await request.app[SERVICES].traces.one(request.match_info["id"])
