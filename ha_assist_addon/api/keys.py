"""What the handlers find in the application."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from aiohttp import web

from ..conversation import ChatRequest, ReplyEvent
from ..services import Services
from ..trace.trace import Trace

VIRTUAL_MODEL = "HA-Assist"

Answer = Callable[[ChatRequest, Services, Trace], AsyncIterator[ReplyEvent]]
"""How `pipeline.run.run` looks from here; tests put a scripted one in its place."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a stream may be silent, in seconds."""

    first_event: float = 8.0
    """Until then an error still gets a status of its own; later the stream has begun."""
    ping: float = 10.0
    """After so long a comment is sent, so that no one on the way gives up."""


SERVICES = web.AppKey("services", Services)
ANSWER = web.AppKey[Answer]("answer")
PACE = web.AppKey("pace", Pace)
