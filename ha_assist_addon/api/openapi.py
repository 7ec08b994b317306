"""`GET /v1/openapi.json`: the description of this API."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from aiohttp import web

from .. import __version__
from .errors import json_response


async def openapi(_request: web.Request) -> web.Response:
    """The description as JSON."""
    return json_response(document())


@cache
def document() -> dict[str, Any]:
    """The description with the version of this server."""
    text = files(__package__).joinpath("openapi.yaml").read_text(encoding="utf-8")
    described: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    described["info"]["version"] = __version__
    return described
