"""The panel's files, from memory: they are few and small, and a browser that leaves must leave none of them open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from aiohttp import web

from .page import STATIC

routes = web.RouteTableDef()

_TYPES = {".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}


@routes.get("/static/{name:.+}")
async def static_file(request: web.Request) -> web.Response:
    """One of the files, by its name below the folder; nothing else is ever read."""
    name = request.match_info["name"]
    content = _files().get(name)
    if content is None:
        raise web.HTTPNotFound
    return web.Response(body=content, content_type=_TYPES[f".{name.rpartition('.')[2]}"], charset="utf-8")


@cache
def _files() -> Mapping[str, bytes]:
    return {str(p.relative_to(STATIC)): p.read_bytes() for p in STATIC.rglob("*") if p.suffix in _TYPES}
