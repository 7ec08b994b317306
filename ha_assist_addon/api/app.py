"""The API's application: its paths, its limits and its border."""

from __future__ import annotations

from aiohttp import web

from ..pipeline.run import run
from ..services import Services
from .auth import require_key
from .body import MAX_BODY_BYTES
from .chat import chat_completions
from .diagnose import diagnose
from .errors import error_middleware
from .health import health
from .keys import ANSWER, PACE, SERVICES, Answer, Pace
from .models import list_models, one_model
from .openapi import openapi
from .responses import responses
from .stops import STOPS, Stops


def create_api(
    services: Services, api_key: str, answer: Answer | None = None, pace: Pace | None = None
) -> web.Application:
    """Build the API; every path exists with and without `/v1`, because people type both as the base URL."""
    app = web.Application(middlewares=[error_middleware, require_key(api_key)], client_max_size=MAX_BODY_BYTES)
    app[SERVICES] = services
    app[ANSWER] = answer or run
    app[PACE] = pace or Pace()
    app[STOPS] = Stops()
    app.router.add_get("/health", health)
    for prefix in ("/v1", ""):
        app.router.add_get(f"{prefix}/openapi.json", openapi)
        app.router.add_get(f"{prefix}/models", list_models)
        app.router.add_get(f"{prefix}/models/{{model:.+}}", one_model)
        app.router.add_post(f"{prefix}/chat/completions", chat_completions)
        app.router.add_post(f"{prefix}/responses", responses)
        app.router.add_post(f"{prefix}/ha-assist/diagnose", diagnose)
    return app
