"""Keeps what Home Assistant's registries tell up to date, in the background and without ever being waited for."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus

import aiohttp

from ..home.ha_context import HaContext
from .connection import CommandRefused, Connection, ConnectionLost, TokenRefused
from .registries import Registries, build_context, read_registries

SUPERVISOR_ADDRESS = "ws://supervisor/core/websocket"
EVENTS = (
    "area_registry_updated",
    "floor_registry_updated",
    "entity_registry_updated",
    "device_registry_updated",
    "core_config_updated",
    "homeassistant_started",
)
"""After the start there are names and classes that were not there before; an entity is where its device is."""
LARGEST_ANSWER = 64 * 1024 * 1024
_PARTS = {
    "get_config": "its language",
    "config/floor_registry/list": "floors",
    "config/area_registry/list": "areas",
    "config/device_registry/list": "devices",
    "get_states": "entities",
    "config/entity_registry/get_entries": "aliases of entities",
}
_LOGGER = logging.getLogger(__name__)


class Link(StrEnum):
    """How it stands between HA-Assist and Home Assistant's registries."""

    OFF = "off"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RegistryStatus:
    """A word, and a sentence for a person."""

    word: Link
    sentence: str


NO_TOKEN = RegistryStatus(Link.OFF, "Home Assistant gave no token, so floors and its language are not read from it.")


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds."""

    first_retry: float = 2.0
    last_retry: float = 300.0
    refused_retry: float = 600.0
    """Home Assistant can be set to ban an address that tries a wrong token too often."""
    settle: float = 2.0
    """How long changes are gathered before everything is read again."""
    answer: float = 30.0
    steady: float = 60.0
    """After a connection that lasted so long the next try comes soon again."""


class RegistryWatcher:
    """Connects, reads, waits for changes, reads again; `current` is the last thing that was read."""

    def __init__(self, address: str, token: str, pace: Pace = Pace()) -> None:
        self._address = address
        self._token = token
        self._pace = pace
        self._current: HaContext | None = None
        self._status = RegistryStatus(Link.CONNECTING, "HA-Assist connects to Home Assistant.")
        self._read = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._told = ""

    @property
    def current(self) -> HaContext | None:
        """The same object as long as nothing changed; it outlives the connection. None before the first reading."""
        return self._current

    @property
    def status(self) -> RegistryStatus:
        """For the panel."""
        return self._status

    def start(self) -> None:
        """Begin in the background; needs a running loop, and waits for nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="registries")

    async def close(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None
        self._status = RegistryStatus(Link.OFF, "HA-Assist stops.")

    async def first(self, patience: float) -> HaContext | None:
        """What was read first, or None where that takes longer than a request could wait anyway."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._read.wait()
        return self._current

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        delay = self._pace.first_retry
        async with aiohttp.ClientSession() as session:
            while True:
                began = clock()
                refused = await self._attempt(session)
                if clock() - began > self._pace.steady:
                    delay = self._pace.first_retry
                wait = self._pace.refused_retry if refused else delay
                delay = min(2 * delay, self._pace.last_retry)
                await asyncio.sleep(wait * random.uniform(0.8, 1.2))  # noqa: S311 - spreads load, guards nothing

    async def _attempt(self, session: aiohttp.ClientSession) -> bool:
        """One connection until it ends; whether the token was refused."""
        try:
            await self._follow(session)
        except TokenRefused:
            self._refused()
            return True
        except aiohttp.WSServerHandshakeError as error:
            if error.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
                self._refused()
                return True
            self._lost(f"What answers at {self._address} is not ready (status {error.status}).")
        except ConnectionLost as error:
            self._lost(str(error))
        except TimeoutError:
            self._lost("Home Assistant does not answer.")
        except (aiohttp.ClientError, OSError):
            self._lost(f"Home Assistant cannot be reached at {self._address}.")
        except Exception:
            # A fault of ours in something optional: said, and tried again.
            _LOGGER.exception("Home Assistant's registries could not be read")
            self._lost("Home Assistant's registries could not be read; the log says why.")
        return False

    async def _follow(self, session: aiohttp.ClientSession) -> None:
        async with asyncio.timeout(self._pace.answer):
            socket = await session.ws_connect(
                self._address,
                heartbeat=30,
                max_msg_size=LARGEST_ANSWER,
                timeout=aiohttp.ClientWSTimeout(ws_close=1),
            )
        async with socket:
            connection = Connection(socket, self._pace.answer)
            await connection.authenticate(self._token)
            for event in EVENTS:
                with suppress(CommandRefused):
                    await connection.ask("subscribe_events", event_type=event)
            while True:
                registries = await read_registries(connection)
                self._take(await build_context(registries), registries)
                await connection.wait_for_change()
                await asyncio.sleep(self._pace.settle)

    def _take(self, context: HaContext, registries: Registries) -> None:
        if self._current is None or context != self._current:
            self._current = context
        sentence = (
            f"Home Assistant tells {_count(len(context.floors), 'floor')}, {_count(len(context.areas), 'area')} and "
            f"{_count(len(registries.named), 'entity', 'entities')}"
        )
        sentence += f"; its language is {context.language}." if context.language else "."
        if missing := [_PARTS.get(command, command) for command in registries.untold]:
            sentence += f" It did not tell: {', '.join(missing)}."
        self._status = RegistryStatus(Link.CONNECTED, sentence)
        self._say(logging.INFO)
        self._read.set()

    def _refused(self) -> None:
        self._status = RegistryStatus(
            Link.REFUSED,
            "Home Assistant refuses the token of HA-Assist, so floors and its language are not read from it. "
            "Everything else works. Check the token, or restart the app: each start gives it a new one.",
        )
        self._say(logging.WARNING)

    def _lost(self, why: str) -> None:
        kept = " What was read before stays in use." if self._current is not None else ""
        self._status = RegistryStatus(Link.UNREACHABLE, f"{why}{kept} HA-Assist tries again by itself.")
        self._say(logging.INFO)

    def _say(self, level: int) -> None:
        """Log the status, unless it was the last thing logged."""
        if self._told != self._status.sentence:
            self._told = self._status.sentence
            _LOGGER.log(level, "%s", self._status.sentence)


def create_watcher(url: str | None, token: str | None, environ: Mapping[str, str]) -> RegistryWatcher | None:
    """A watcher of the Home Assistant that was named with a token, else of the Supervisor's; None without a token."""
    if url and token:
        return RegistryWatcher(websocket_address(url), token)
    if url or token:
        _LOGGER.warning(
            "HA_ASSIST_HOME_ASSISTANT_URL and HA_ASSIST_HOME_ASSISTANT_TOKEN belong together; "
            "only one is set, so it is left out"
        )
    supervisor = environ.get("SUPERVISOR_TOKEN", "").strip()
    return RegistryWatcher(SUPERVISOR_ADDRESS, supervisor) if supervisor else None


def websocket_address(url: str) -> str:
    """`http://homeassistant.local:8123` as the address of its WebSocket API; one that is that already stays."""
    address = url.strip().rstrip("/")
    scheme, _, rest = address.rpartition("://")
    scheme = {"": "ws", "http": "ws", "https": "wss"}.get(scheme.lower(), scheme)
    return f"{scheme}://{rest}" if "/" in rest else f"{scheme}://{rest}/api/websocket"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number or 'no'} {one if number == 1 else many or one + 's'}"
