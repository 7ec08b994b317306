"""What the panel's handlers find in the application."""

from __future__ import annotations

from dataclasses import dataclass, field

from aiohttp import web

from ..services import Services
from .words import Dictionary


@dataclass(frozen=True, slots=True)
class Api:
    """Where clients reach the API; its reader is an administrator, so the panel tells the key."""

    port: int
    key: str = field(repr=False)


SERVICES = web.AppKey("services", Services)
API = web.AppKey("api", Api)
DICTIONARY = web.AppKey("dictionary", Dictionary)
