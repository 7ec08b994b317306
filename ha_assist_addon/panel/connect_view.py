"""The connect page: what a client of the API needs, and how far connecting has come."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from .border import is_ingress, peer_of
from .doctor import LINKS, examine
from .keys import API, SERVICES
from .page import render, render_part
from .settings_fields import GOOD_LANGUAGES

CLIENTS = ("llama_cpp", "litellm", "hacs")
"""Integrations of Home Assistant that speak OpenAI's language, the recommended one first."""
MODEL = "HA-Assist"
routes = web.RouteTableDef()


@routes.get("/connect")
async def show(request: web.Request) -> web.Response:
    """Address, key and steps, and how far it has come."""
    api = request.app[API]
    context = {"clients": CLIENTS, "base_url": base_url(request.app), "api_key": api.key, "model": MODEL}
    return render(request, "connect.html", "connect", {**context, **await _state(request)})


@routes.get("/connect/state")
async def state(request: web.Request) -> web.Response:
    """The checked steps alone."""
    return render_part(request, "connect_state.html", await _state(request))


def base_url(app: web.Application) -> str:
    """Where Home Assistant reaches the API: an add-on's hostname is its name in Home Assistant's network."""
    return f"http://{socket.gethostname()}:{app[API].port}/v1"


async def _state(request: web.Request) -> Mapping[str, Any]:
    # Outside of Home Assistant its pages are nowhere to link to.
    links = LINKS if is_ingress(peer_of(request)) else {}
    return {"diagnosis": await examine(request.app[SERVICES], GOOD_LANGUAGES), "links": links}
