"""`GET /v1/models`: HA-Assist first, because the clients' setup probes the first model of the list."""

from __future__ import annotations

import time
from typing import Any

from aiohttp import web

from ..backends.base import ModelInfo
from ..errors import ModelNotFound
from .errors import json_response
from .keys import SERVICES, VIRTUAL_MODEL

CREATED = int(time.time())


async def list_models(request: web.Request) -> web.Response:
    """The virtual model and the physical ones that are enabled."""
    return json_response({"object": "list", "data": [_shape(model) for model in _models(request)]})


async def one_model(request: web.Request) -> web.Response:
    """One of them by its id."""
    for model in _models(request):
        if model.id == request.match_info["model"]:
            return json_response(_shape(model))
    raise ModelNotFound(param="model")


def _models(request: web.Request) -> tuple[ModelInfo, ...]:
    return ModelInfo(VIRTUAL_MODEL, "ha-assist"), *request.app[SERVICES].backends.models()


def _shape(model: ModelInfo) -> dict[str, Any]:
    return {"id": model.id, "object": "model", "created": CREATED, "owned_by": model.owned_by}
