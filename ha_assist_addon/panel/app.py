"""The panel's application: its pages, and what guards them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp_jinja2
import jinja2
from aiohttp import web

from ..services import Services
from . import (
    connect_view,
    detail_view,
    home_view,
    live,
    models_view,
    overview_view,
    requests_view,
    settings_view,
    static_view,
    taught_view,
    teach_view,
    try_view,
    week_view,
)
from .border import only_ingress
from .compression import compressed
from .guard import TOKEN, new_token, only_own_pages, secure_headers
from .keys import API, DICTIONARY, SERVICES, Api
from .page import FOLDER, asset, icon
from .words import Dictionary

LARGEST_BODY = 16 * 1024 * 1024
"""A whole request with its home and its tools may come from the page that tries it."""
PAGES = (
    requests_view,
    detail_view,
    live,
    try_view,
    home_view,
    overview_view,
    week_view,
    teach_view,
    taught_view,
    models_view,
    settings_view,
    connect_view,
    static_view,
)


def create_panel(services: Services, api_port: int, api_key: str) -> web.Application:
    """Build the panel; it tells its reader, who is an administrator, where the API is and with which key."""
    app = web.Application(
        middlewares=[compressed, secure_headers, only_ingress, only_own_pages], client_max_size=LARGEST_BODY
    )
    app[SERVICES] = services
    app[API] = Api(api_port, api_key)
    app[DICTIONARY] = Dictionary()
    app[TOKEN] = new_token()
    app[live.SOCKETS] = set()
    app[home_view.FINDINGS] = home_view.Findings()
    environment = aiohttp_jinja2.setup(
        app,
        loader=jinja2.FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals.update(icon=icon, asset=asset)
    environment.filters.update(
        pretty=detail_view.pretty,
        compact=detail_view.compact,
        readable=detail_view.readable,
        without_shown=detail_view.without_shown,
    )
    for page in PAGES:
        app.router.add_routes(page.routes)
    app.cleanup_ctx.append(_compile_templates)
    app.on_shutdown.append(live.close_sockets)
    return app


async def _compile_templates(app: web.Application) -> AsyncIterator[None]:
    """In the background, or the first page of all would wait for it."""
    environment = aiohttp_jinja2.get_env(app)

    async def work() -> None:
        for name in environment.list_templates():
            await asyncio.to_thread(environment.get_template, name)

    compiling = asyncio.create_task(work(), name="panel-templates")
    yield
    compiling.cancel()
