"""One turn: why it went as it did, stage by stage, and how to share it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aiohttp import web

from ..diagnostics.bodies import as_chat, asking
from ..diagnostics.export import every_form
from ..diagnostics.store import TraceStore
from ..diagnostics.summary import Detail, Turn
from ..errors import InvalidRequest
from ..trial.dry_run import latest_home
from .address import filter_of, query_of
from .connect_view import base_url
from .keys import SERVICES
from .page import render
from .reader import words_for
from .requests_view import Row
from .rivals import rivals_of
from .waterfall import axis_of
from .why import explain, understood_as
from .words import Words

SECTIONS = ("ha_plan", "ha_intent", "ha_validation", "ha_verify", "ha_history", "ha_prompt")
"""Parts of the metrics in the order in which a request comes by them."""
MOST_STEPS = 12
"""Requests of a turn whose stages are drawn; Home Assistant ends a turn after ten."""
routes = web.RouteTableDef()


@routes.get("/requests/{id:[0-9a-zA-Z-]{1,64}}")
async def show(request: web.Request) -> web.Response:
    """The turn that a request belongs to, with this request open; its neighbours are those of the reader's list."""
    detail, wanted = await _detail(request), filter_of(request.query)
    if detail is None:
        return render(request, "gone.html", "requests", {}, status=404)
    traces = request.app[SERVICES].traces
    turn = await _turn(traces, detail)
    steps = [await traces.one(one.id) if one.id != detail.summary.id else detail for one in turn.requests[:MOST_STEPS]]
    context = {
        **decision(detail, words_for(request)),
        "neighbours": await traces.neighbours(detail.summary.id, wanted),
        "query": query_of(wanted),
        "turn": turn,
        "row": Row.of(turn),
        "axis": axis_of([one for one in steps if one is not None]),
    }
    return render(request, "detail.html", "requests", context)


@routes.get("/requests/{id:[0-9a-zA-Z-]{1,64}}/export")
async def export(request: web.Request) -> web.Response:
    """The request in every form in which it can be shared; names are invented unless asked otherwise."""
    detail = await _detail(request)
    if detail is None:
        return render(request, "gone.html", "requests", {}, status=404)
    redacted = request.query.get("names") != "real"
    whole = detail if detail.request is not None else await _in_latest_home(request, detail)
    try:
        forms = await every_form(detail, base_url(request.app), whole=whole, redacted=redacted)
    except InvalidRequest as error:
        # Where the names in it cannot be found, they cannot be replaced either.
        raise web.HTTPUnprocessableEntity(text=error.message) from error
    context = {
        "summary": detail.summary,
        "forms": forms,
        "redacted": redacted,
        "other_home": whole is not detail,
        "query": query_of(filter_of(request.query)),
    }
    return render(request, "export.html", "requests", context)


async def _in_latest_home(request: web.Request, detail: Detail) -> Detail:
    """The same sentence as it would be asked now, where the request itself is not kept any more."""
    latest = await latest_home(request.app[SERVICES])
    if latest is None or detail.summary.sentence is None:
        return detail
    return replace(detail, request=asking(as_chat(latest[1]), detail.summary.sentence, alone=True))


def decision(detail: Detail, words: Words) -> dict[str, Any]:
    """What the templates show of a decision, recorded or only tried."""
    metrics = detail.metrics
    return {
        "detail": detail,
        "summary": detail.summary,
        "why": explain(detail, words),
        "understood": understood_as(metrics.get("ha_plan", {})),
        "rivals": rivals_of(metrics),
        "axis": axis_of([detail]),
        "sections": {name: metrics[name] for name in SECTIONS if metrics.get(name)},
        "told": metrics.get("ha_route", {}),
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


def without_shown(section: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A section without what the page shows elsewhere, and with the sentence as it was understood."""
    if name == "ha_plan":
        understood = understood_as(section)
        return {**section, "canonical": understood or section.get("canonical")}
    return section


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


async def _turn(traces: TraceStore, detail: Detail) -> Turn:
    found = await traces.turns(before=detail.summary.turn + 1, limit=1)
    return found[0] if found and found[0].id == detail.summary.turn else Turn((detail.summary,))


async def _detail(request: web.Request) -> Detail | None:
    return await request.app[SERVICES].traces.one(request.match_info["id"])
