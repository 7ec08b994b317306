"""`GET /health`: the server is up. It says nothing of models, because the panel must open without one."""

from __future__ import annotations

from aiohttp import web

from .. import __version__
from .errors import json_response


async def health(_request: web.Request) -> web.Response:
    """Answer without a key."""
    return json_response({"status": "ok", "version": __version__})
