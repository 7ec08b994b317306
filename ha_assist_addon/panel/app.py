"""The panel's application: for Home Assistant's Ingress and this machine alone."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp_jinja2
import jinja2
from aiohttp import web

from .. import __version__
from ..services import Services
from ..settings.profiles import check_profile
from ..supervisor.watcher import NO_TOKEN

INGRESS = ipaddress.ip_address("172.30.32.2")
TEMPLATES = Path(__file__).parent / "templates"
TRACES_SHOWN = 50

SERVICES = web.AppKey("services", Services)
API_PORT = web.AppKey("api_port", int)
API_KEY = web.AppKey("api_key", str)


def create_panel(services: Services, api_port: int, api_key: str) -> web.Application:
    """Build the panel; it tells its reader, who is an administrator, where the API is and with which key."""
    app = web.Application(middlewares=[only_ingress])
    app[SERVICES] = services
    app[API_PORT] = api_port
    app[API_KEY] = api_key
    aiohttp_jinja2.setup(app, loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True)
    app.router.add_get("/", index)
    return app


@web.middleware
async def only_ingress(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse every peer but Ingress and loopback; the peer's address alone proves origin, headers can be forged."""
    peer = request.transport.get_extra_info("peername") if request.transport is not None else None
    # A browser on this machine can be led here by a site whose name points to it: the name is then the site's.
    if not is_trusted(peer) or (_address(peer) != INGRESS and not names_this_machine(request.host)):
        raise web.HTTPForbidden(text="The panel is open through Home Assistant only.")
    return await handler(request)


def is_trusted(peer: Any) -> bool:
    """Whether a socket's peer is Ingress or this machine."""
    address = _address(peer)
    return address is not None and (address.is_loopback or address == INGRESS)


def names_this_machine(host: str) -> bool:
    """Whether a Host header is an address of loopback or this machine's own name."""
    name = re.sub(r":\d*$", "", host).strip("[]").lower()
    return name in {"localhost", socket.gethostname().lower()} or is_trusted((name,))


def _address(peer: Any) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    if not isinstance(peer, tuple) or not peer:
        return None
    try:
        address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


async def index(request: web.Request) -> web.Response:
    """What HA-Assist is, where clients find it, and what it did last."""
    services = request.app[SERVICES]
    context = {
        "version": __version__,
        "base_url": f"http://{socket.gethostname()}:{request.app[API_PORT]}/v1",
        "api_key": request.app[API_KEY],
        "problems": _problems(services),
        "registry": services.registry.status if services.registry is not None else NO_TOKEN,
        "models": services.backends.models(),
        "traces": services.traces.newest_first()[:TRACES_SHOWN],
    }
    response = aiohttp_jinja2.render_template("index.html", request, context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _problems(services: Services) -> list[str]:
    """What of the settings cannot be used or cannot work, each in its sentence."""
    problem = services.settings.problem
    objections = [objection.sentence for objection in check_profile(services.settings.current)]
    return [problem.sentence, *objections] if problem is not None else objections
