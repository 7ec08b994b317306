"""The boot list: what HA-Assist is made of, in the order in which it starts and ends."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web

from .api.app import create_api
from .backends.registry import BackendRegistry
from .diagnostics.store import TraceStore
from .language.grammar import GrammarLibrary
from .panel.app import create_panel
from .services import Services
from .settings.api_key import ensure_api_key
from .settings.bootstrap import Bootstrap
from .settings.store import SettingsStore

LOGGER = logging.getLogger(__name__)
DRAIN_SECONDS = 25.0
"""How long running requests may take after the signal to stop; the Supervisor kills after 30."""


class CannotListen(Exception):
    """A port cannot be had; the message is one sentence."""


async def serve(bootstrap: Bootstrap) -> None:
    """Run until SIGTERM or SIGINT; what runs then is finished. Raises CannotListen."""
    stop = _stop_signal()
    async with AsyncExitStack() as stack:
        services = build_services(bootstrap)
        stack.push_async_callback(services.backends.close)
        api_key = ensure_api_key(bootstrap).value
        api = create_api(services, api_key)
        api_port = await stack.enter_async_context(listening(api, bootstrap.host, bootstrap.port))
        LOGGER.info("HA-Assist listens on port %s", api_port)
        panel = create_panel(services, api_port, api_key)
        panel_port = await stack.enter_async_context(listening(panel, bootstrap.host, bootstrap.panel_port))
        LOGGER.info("The panel listens on port %s, for Home Assistant and this machine only", panel_port)
        await stop.wait()
        LOGGER.info("HA-Assist stops")


def build_services(bootstrap: Bootstrap) -> Services:
    """What the requests share; nothing here waits for a network or a model."""
    settings = SettingsStore(bootstrap.data_dir)
    return Services(
        settings=settings, grammars=GrammarLibrary(), backends=BackendRegistry(settings), traces=TraceStore()
    )


def _stop_signal() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


@asynccontextmanager
async def listening(app: web.Application, host: str, port: int, *, drain: float = DRAIN_SECONDS) -> AsyncIterator[int]:
    """Serve an application while the context lasts; leaving lets running requests end. Yields the port."""
    runner = web.AppRunner(
        app, handler_cancellation=True, shutdown_timeout=drain, access_log=None, handle_signals=False
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            # asyncio's own text wraps the reason in a sentence about addresses.
            reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror or error)
            raise CannotListen(
                f"HA-Assist cannot listen on {host} port {port}: {reason.lower()}. "
                "Is it running already, or does another program use this port?"
            ) from error
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()
