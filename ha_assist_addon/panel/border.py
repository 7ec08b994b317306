"""Who may see the panel: Home Assistant's Ingress and this machine."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

INGRESS = ipaddress.ip_address("172.30.32.2")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def only_ingress(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse every peer but Ingress and loopback; the peer's address alone proves origin, headers can be forged."""
    peer = peer_of(request)
    # A browser on this machine can be led here by a site whose name points to it: the name is then the site's.
    if not is_trusted(peer) or (not is_ingress(peer) and not names_this_machine(request.host)):
        raise web.HTTPForbidden(text="The panel is open through Home Assistant only.")
    return await handler(request)


def peer_of(request: web.Request) -> Any:
    """The socket's peer, None where there is none."""
    return request.transport.get_extra_info("peername") if request.transport is not None else None


def is_trusted(peer: Any) -> bool:
    """Whether a socket's peer is Ingress or this machine."""
    address = _address(peer)
    return address is not None and (address.is_loopback or address == INGRESS)


def is_ingress(peer: Any) -> bool:
    """Whether a socket's peer is Home Assistant's Ingress."""
    return _address(peer) == INGRESS


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
