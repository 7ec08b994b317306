"""One page: its frame, its language, and the way from it to the panel's root."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp_jinja2
from aiohttp import web
from markupsafe import Markup

from .. import __version__
from .guard import TOKEN
from .keys import DICTIONARY, SERVICES
from .problems import problems_of
from .reader import words_for

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the panel's bar; its address is relative to the panel's root."""

    name: str
    address: str


TABS = (
    Tab("requests", "./"),
    Tab("try", "try"),
    Tab("overview", "overview"),
    Tab("models", "models"),
    Tab("settings", "settings"),
    Tab("connect", "connect"),
)


def render(
    request: web.Request, template: str, tab: str, context: Mapping[str, Any], *, status: int = 200
) -> web.Response:
    """Answer with a template in the reader's language; within it every address begins with `root`."""
    return aiohttp_jinja2.render_template(template, request, {**frame(request, tab), **context}, status=status)


def frame(request: web.Request, tab: str) -> dict[str, Any]:
    """What every template finds."""
    words = words_for(request)
    return {
        "root": root_of(request),
        "tab": tab,
        "tabs": TABS,
        "t": words,
        "language": words.language,
        "languages": " ".join(request.app[DICTIONARY].languages),
        "version": __version__,
        "token": request.app[TOKEN],
        "problems": problems(request),
    }


def render_part(request: web.Request, template: str, context: Mapping[str, Any]) -> web.Response:
    """Answer with a part that a page at the root puts in itself."""
    return aiohttp_jinja2.render_template(template, request, {**frame(request, ""), "root": "./", **context})


def render_text(request: web.Request, template: str, context: Mapping[str, Any]) -> str:
    """A part of a page at the root, for pushing it there."""
    return aiohttp_jinja2.render_string(template, request, {"root": "./", "t": words_for(request), **context})


def root_of(request: web.Request) -> str:
    """From this page to the panel's root: Ingress puts a prefix before both that is not ours to know."""
    return "../" * (request.path.count("/") - 1) or "./"


def go(request: web.Request, address: str) -> web.HTTPSeeOther:
    """A redirect to an address below the panel's root."""
    return web.HTTPSeeOther(f"{root_of(request)}{address}")


def comes_from_panel(request: web.Request) -> bool:
    """Whether a link of the panel led here, rather than Home Assistant's sidebar or an address."""
    referrer = urlsplit(request.headers.get("Referer", ""))
    prefix = request.headers.get("X-Ingress-Path")
    # Through Ingress the host is Home Assistant's address, which nothing here knows.
    return referrer.netloc == request.host if prefix is None else referrer.path.startswith(f"{prefix}/")


def problems(request: web.Request) -> list[str]:
    """What of the settings cannot be used or cannot work, each in its sentence."""
    return problems_of(request.app[SERVICES].settings, words_for(request))


@cache
def asset(name: str) -> str:
    """A static file's address below the root; it changes with the content, so browsers may keep it."""
    return f"static/{name}?v={hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


@cache
def icon(name: str) -> Markup:
    """One of Material Design's icons; always beside a word, so a screen reader passes over it."""
    path = _outlines()[name]
    return Markup(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="{}"/></svg>'
    ).format(path)


@cache
def _outlines() -> Mapping[str, str]:
    outlines: dict[str, str] = json.loads((STATIC / "vendor" / "mdi.json").read_text(encoding="utf-8"))
    return outlines
