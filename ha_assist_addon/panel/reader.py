"""The language of whoever reads a page."""

from __future__ import annotations

from aiohttp import web

from .keys import DICTIONARY, SERVICES
from .words import Words, accepted

LANGUAGE_COOKIE = "ha_assist_language"


def words_for(request: web.Request) -> Words:
    """The language of Home Assistant's own page around this one, else the browser's, else the home's."""
    registry = request.app[SERVICES].registry
    home = registry.current.language if registry is not None and registry.current is not None else None
    wanted = (
        request.cookies.get(LANGUAGE_COOKIE),
        *accepted(request.headers.get("Accept-Language", "")),
        home,
    )
    return request.app[DICTIONARY].best(code for code in wanted if code)
