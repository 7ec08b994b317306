"""The boot list: what HA-Assist is made of, in the order in which it starts and ends."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.log import server_logger

from .api.app import create_api
from .api.stops import STOPS
from .backends.registry import BackendRegistry
from .connections import KEEP_ALIVE_SECONDS, LINGER_SECONDS, LimitedSite, Limits
from .diagnostics.database import FILE_NAME
from .diagnostics.store import TraceStore
from .language.grammar import GrammarLibrary
from .log_limit import limit_log
from .meaning.guard import guards
from .panel.app import create_panel
from .retrieval.finder import Finder
from .services import Services
from .settings.api_key import ensure_api_key
from .settings.bootstrap import Bootstrap
from .settings.profiles import check_profile
from .settings.store import SettingsStore
from .supervisor.discovery import start_announcing
from .supervisor.mcp import create_real_home
from .supervisor.watcher import create_state_stream, create_watcher
from .taught.store import LessonStore
from .verification.evidence import Evidence

LOGGER = logging.getLogger(__name__)
DRAIN_SECONDS = 2.0
"""How long running requests may take after the signal to stop: with CLOSE_SECONDS, a stop takes less than 5 seconds."""
CLOSE_SECONDS = 2.0
COLLECTED_AT = (5_000, 20, 50)
"""A request makes some thousand objects, nearly none of them in cycles: to look for those as often as Python does by
itself takes a tenth of its time."""
SWITCH_SECONDS = 0.001
"""How long a thread that loads a grammar may keep the interpreter from the event loop, at each of its turns."""
LATEST_REQUESTS, MOST_WARM, SELDOM = 100, 4, 20
"""Of how many requests the languages are loaded at the next start, of how many languages at most, and what is seldom:
one in so many."""
REGISTRY_SECONDS = 10.0
"""How long the warm-up waits for Home Assistant to tell its language."""


class CannotListen(Exception):
    """A port cannot be had; the message is one sentence."""


async def serve(bootstrap: Bootstrap) -> None:
    """Run until SIGTERM or SIGINT; what runs then has DRAIN_SECONDS to finish. Raises CannotListen."""
    stop = _stop_signal()
    gc.set_threshold(*COLLECTED_AT)
    sys.setswitchinterval(SWITCH_SECONDS)
    limit_log()
    services = build_services(bootstrap)
    api_key = ensure_api_key(bootstrap).value
    services.traces.start()
    runners: list[web.AppRunner] = []
    background: list[asyncio.Task[None]] = []
    try:
        runners.append(await _listen(create_api(services, api_key), bootstrap.host, bootstrap.port))
        api_port = _port(runners[0])
        LOGGER.info("HA-Assist listens on port %s", api_port)
        runners.append(await _listen(create_panel(services, api_port, api_key), bootstrap.host, bootstrap.panel_port))
        LOGGER.info("The panel listens on port %s, for Home Assistant and this machine only", _port(runners[1]))
        services.backends.start()
        for link in (services.registry, services.states):
            if link is not None:
                link.start()
        background.append(asyncio.create_task(warm_up(services), name="warm-up"))
        background.append(asyncio.create_task(recall_settle_times(services), name="settle-times"))
        if (announcing := start_announcing(api_port, api_key, os.environ)) is not None:
            background.append(announcing)
        await stop.wait()
        LOGGER.info("HA-Assist stops")
    finally:
        for task in background:
            task.cancel()
        # Together: the time to finish what runs is there once, not once for each.
        await asyncio.gather(*(runner.cleanup() for runner in runners))
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                closing = [services.backends.close(), services.traces.close(), services.finder.close()]
                closing += [link.close() for link in (services.registry, services.states) if link is not None]
                await asyncio.gather(*closing)


def build_services(bootstrap: Bootstrap) -> Services:
    """What the requests share; nothing here waits for a network or a model."""
    settings = SettingsStore(bootstrap.data_dir)
    for objection in check_profile(settings.current):
        LOGGER.warning("%s", objection.sentence)
    traces = TraceStore(bootstrap.data_dir / FILE_NAME, lambda: settings.current.diagnostics)
    settings.subscribe(lambda _before, _after: traces.settings_changed())
    url, secret = bootstrap.home_assistant_url, bootstrap.home_assistant_token
    token = secret.get_secret_value() if secret else None
    stream = create_state_stream(url, token, os.environ)
    evidence = Evidence(events=stream[1] if stream is not None else None)
    evidence.settle.keep = traces.keep_settling
    return Services(
        settings=settings,
        grammars=GrammarLibrary(
            personal=bootstrap.data_dir / "sentences", on_load=set_aside, compiled=bootstrap.data_dir / "compiled"
        ),
        backends=BackendRegistry(settings),
        traces=traces,
        taught=LessonStore(bootstrap.data_dir),
        finder=Finder(lambda: settings.current.settings.ha_assist_embeddings),
        registry=create_watcher(url, token, os.environ),
        states=stream[0] if stream is not None else None,
        evidence=evidence,
        real_home=create_real_home(url, token, os.environ),
    )


def set_aside() -> None:
    """Keep what is loaded for long out of the garbage collector's rounds: going through it holds up every request.

    Only what is young is looked through first; a look at all of it would stop everybody for half a second.
    """
    gc.collect(1)
    gc.freeze()


async def recall_settle_times(services: Services) -> None:
    """Take over what was learned before the start of how long devices take."""
    services.evidence.settle.load(await services.traces.settling())


async def warm_up(services: Services) -> None:
    """Load what the first request needs, so that it is as fast as the second; never a condition for answering."""
    enabled = services.settings.current.settings.ha_assist_languages
    if len(enabled) != 1:
        _in_background(services.grammars.detector, enabled)
    spoken = await languages_spoken(services, enabled)
    _in_background(_load, services.grammars, spoken)
    told = await services.registry.first(REGISTRY_SECONDS) if services.registry is not None else None
    if told is not None and told.language and (not enabled or told.language in enabled):
        _in_background(_load, services.grammars, (told.language,))
    elif not spoken:
        _in_background(_load, services.grammars, (enabled or ("en",))[:1])


async def languages_spoken(services: Services, enabled: Sequence[str]) -> tuple[str, ...]:
    """The languages of the last requests before the start, those that were seldom or are not enabled left out."""
    latest = await services.traces.newest(limit=LATEST_REQUESTS)
    spoken = Counter(request.language for request in latest if request.language)
    often = [language for language, times in spoken.most_common(MOST_WARM) if times * SELDOM >= len(latest)]
    return tuple(language for language in often if not enabled or language in enabled)


def _load(grammars: GrammarLibrary, languages: Sequence[str]) -> None:
    loaded = [grammar for language in languages if (grammar := grammars.get(language)) is not None]
    for grammar in loaded:
        guards(grammar.language)
    for grammar in loaded:
        grammar.prepare()


def _in_background(load: Callable[..., object], *arguments: object) -> None:
    """In a thread that the process does not wait for when it ends, as it would with asyncio.to_thread."""

    def work() -> None:
        try:
            load(*arguments)
        except Exception:
            LOGGER.exception("The warm-up failed; the first request takes a little longer")

    threading.Thread(target=work, name="warm-up", daemon=True).start()


def _stop_signal() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


@asynccontextmanager
async def listening(
    app: web.Application, host: str, port: int, *, drain: float = DRAIN_SECONDS, limits: Limits | None = None
) -> AsyncIterator[int]:
    """Serve one application while the context lasts; leaving lets running requests end. Yields the port."""
    runner = await _listen(app, host, port, drain, limits)
    try:
        yield _port(runner)
    finally:
        await runner.cleanup()


async def _listen(
    app: web.Application, host: str, port: int, drain: float = DRAIN_SECONDS, limits: Limits | None = None
) -> web.AppRunner:
    server_logger.addFilter(_may_be_logged)
    stops = app.get(STOPS)
    if stops is not None:
        app.on_shutdown.append(lambda _: stops.stop(drain * 3 / 4))
    runner = web.AppRunner(
        app,
        handler_cancellation=True,
        # aiohttp waits that long for a running request, and once more before it cancels it.
        shutdown_timeout=drain / 2 if stops is None else drain / 8,
        access_log=None,
        handle_signals=False,
        # Unpacking would happen as the bytes come, before anybody has looked at the key.
        auto_decompress=False,
        keepalive_timeout=KEEP_ALIVE_SECONDS,
        lingering_time=LINGER_SECONDS,
    )
    await runner.setup()
    try:
        await LimitedSite(runner, host, port, limits).start()
    except OSError as error:
        await runner.cleanup()
        # asyncio's own text wraps the reason in a sentence about addresses.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror or error)
        raise CannotListen(
            f"HA-Assist cannot listen on {host} port {port}: {reason.lower()}. "
            "Is it running already, or does another program use this port?"
        ) from error
    return runner


def _may_be_logged(record: logging.LogRecord) -> bool:
    """A broken request is its client's fault, and the traceback quotes it, key and sentence: for debugging only."""
    error = record.exc_info[1] if record.exc_info else None
    return LOGGER.isEnabledFor(logging.DEBUG) or not isinstance(error, HttpProcessingError | web.RequestPayloadError)


def _port(runner: web.AppRunner) -> int:
    port: int = runner.addresses[0][1]
    return port
