"""Keeps other sites from acting through a person's browser, and pages from loading or running what is not ours."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from .border import Handler, is_ingress, peer_of
from .reader import words_for

TOKEN_FIELD = "token"  # noqa: S105 - the name of a form's field
FORM_SECONDS = 60.0
SAFE_METHODS = frozenset({"GET", "HEAD"})
# Ingress shows the panel in a frame of Home Assistant's own origin.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_FOR_EVER = "private, max-age=31536000, immutable"
VERSION = "v"
TOKEN = web.AppKey("token", str)
STALE = web.RequestKey("stale", bool)
"""Set in a request whose page is from before a restart: its handler shows what was typed again and does nothing."""
SHOWS_AGAIN = frozenset({"/", "/settings", "/try", "/teach"})


def new_token() -> str:
    """What a page must hand back with a change; it holds until the process ends, and no other site can read it."""
    return secrets.token_urlsafe(32)


def is_token(app: web.Application, given: object) -> bool:
    """Whether this is the token of our own pages."""
    # Bytes, because the comparison in constant time refuses text beyond ASCII.
    return isinstance(given, str) and hmac.compare_digest(given.encode("utf-8", "replace"), app[TOKEN].encode())


@web.middleware
async def only_own_pages(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a change, or a live connection, that another site's page asks for."""
    connects = request.headers.get("Upgrade", "").lower() == "websocket"
    if request.method not in SAFE_METHODS or connects:
        if not _from_own_page(request):
            raise web.HTTPForbidden(text=words_for(request)("guard.other_site"))
        if connects and not request.headers.get("Sec-WebSocket-Key", "").isascii():
            raise web.HTTPBadRequest(text=words_for(request)("guard.not_live"))
        # A connection cannot bring the token before it stands: it is its first message.
        if not connects and not is_token(request.app, await _token_of(request)):
            if request.path not in SHOWS_AGAIN:
                raise web.HTTPForbidden(text=words_for(request)("guard.stale"))
            request[STALE] = True
    return await handler(request)


@web.middleware
async def secure_headers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say on every answer what a page may load, and that no cache may keep it."""
    try:
        response = await handler(request)
    except web.HTTPException as refusal:
        refusal.headers.update({**_HEADERS, "Cache-Control": "no-store"})
        raise
    if not response.prepared:
        # The address of a file of ours changes with its content.
        keep = request.path.startswith("/static/") and VERSION in request.query
        response.headers.update({**_HEADERS, "Cache-Control": _FOR_EVER if keep else "no-store"})
    return response


async def _token_of(request: web.Request) -> object:
    try:
        async with asyncio.timeout(FORM_SECONDS):
            return (await request.post()).get(TOKEN_FIELD)
    except TimeoutError as error:
        raise web.HTTPRequestTimeout(text=words_for(request)("guard.late")) from error
    except (ValueError, LookupError, AssertionError, web.RequestPayloadError, HttpProcessingError) as error:
        raise web.HTTPBadRequest(text=words_for(request)("guard.no_form")) from error


def _from_own_page(request: web.Request) -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    # Through Ingress the origin is Home Assistant's address, which nothing here knows.
    return origin is None or (origin != "null" and (is_ingress(peer_of(request)) or _host(origin) == request.host))


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
