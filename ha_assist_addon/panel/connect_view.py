"""The connect page: what a client of the API needs, and whether the first one has arrived."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from .keys import API, SERVICES
from .page import render, render_part

CLIENTS = ("llama_cpp", "litellm", "hacs")
"""Integrations of Home Assistant that speak OpenAI's language, the recommended one first."""
MODEL = "HA-Assist"
routes = web.RouteTableDef()


@routes.get("/connect")
async def show(request: web.Request) -> web.Response:
    """Address, key and steps."""
    api = request.app[API]
    context = {"clients": CLIENTS, "base_url": base_url(request.app), "api_key": api.key, "model": MODEL}
    return render(request, "connect.html", "connect", {**context, **await _arrived(request)})


@routes.get("/connect/state")
async def state(request: web.Request) -> web.Response:
    """The check mark alone."""
    return render_part(request, "connect_state.html", await _arrived(request))


def base_url(app: web.Application) -> str:
    """Where Home Assistant reaches the API: an add-on's hostname is its name in Home Assistant's network."""
    return f"http://{socket.gethostname()}:{app[API].port}/v1"


async def _arrived(request: web.Request) -> Mapping[str, Any]:
    newest = await request.app[SERVICES].traces.newest(limit=1)
    return {"latest": newest[0] if newest else None}
