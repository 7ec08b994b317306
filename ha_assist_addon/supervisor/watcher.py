"""Keeps what Home Assistant's registries tell up to date, in the background and without ever being waited for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress

from ..home.ha_context import HaContext
from ..verification.states import StateEvents
from .connection import CommandRefused, Connection
from .link import USUAL_PACE, HomeAssistantLink, Link, LinkStatus, Pace
from .registries import Registries, build_context, read_registries
from .state_stream import StateStream

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
_PARTS = {
    "get_config": "its language",
    "config/floor_registry/list": "floors",
    "config/area_registry/list": "areas",
    "config/device_registry/list": "devices",
    "get_states": "entities",
    "config/entity_registry/get_entries": "aliases of entities",
}
_LOGGER = logging.getLogger(__name__)


NO_TOKEN = LinkStatus(Link.OFF, "Home Assistant gave no token, so floors and its language are not read from it.")


class RegistryWatcher(HomeAssistantLink):
    """Connects, reads, waits for changes, reads again; `current` is the last thing that was read."""

    name = "registries"
    refused = (
        "Home Assistant refuses the token of HA-Assist, so floors and its language are not read from it. "
        "Everything else works. Check the token, or restart the app: each start gives it a new one."
    )
    failed = "Home Assistant's registries could not be read; the log says why."

    def __init__(self, address: str, token: str, pace: Pace = USUAL_PACE) -> None:
        super().__init__(address, token, pace)
        self._current: HaContext | None = None
        self._read = asyncio.Event()

    @property
    def current(self) -> HaContext | None:
        """The same object as long as nothing changed; it outlives the connection. None before the first reading."""
        return self._current

    async def first(self, patience: float) -> HaContext | None:
        """What was read first, or None where that takes longer than a request could wait anyway."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._read.wait()
        return self._current

    async def _follow(self, connection: Connection) -> None:
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
        self._connected(sentence)
        self._read.set()

    def _kept(self) -> str:
        return " What was read before stays in use." if self._current is not None else ""


def create_watcher(url: str | None, token: str | None, environ: Mapping[str, str]) -> RegistryWatcher | None:
    """A watcher of the Home Assistant that was named with a token, else of the Supervisor's; None without a token."""
    if bool(url) != bool(token):
        _LOGGER.warning(
            "HA_ASSIST_HOME_ASSISTANT_URL and HA_ASSIST_HOME_ASSISTANT_TOKEN belong together; "
            "only one is set, so it is left out"
        )
    where = websocket_of(url, token, environ)
    return RegistryWatcher(*where) if where is not None else None


def create_state_stream(
    url: str | None, token: str | None, environ: Mapping[str, str]
) -> tuple[StateStream, StateEvents] | None:
    """A listener to the same Home Assistant and what it fills; None without a token."""
    where = websocket_of(url, token, environ)
    if where is None:
        return None
    # The Supervisor's Home Assistant runs on this machine.
    events = StateEvents(same_clock=where[0] == SUPERVISOR_ADDRESS)
    return StateStream(*where, events), events


def websocket_of(url: str | None, token: str | None, environ: Mapping[str, str]) -> tuple[str, str] | None:
    """Address and token of the Home Assistant that was named, else of the Supervisor's."""
    if url and token:
        return websocket_address(url), token
    supervisor = environ.get("SUPERVISOR_TOKEN", "").strip()
    return (SUPERVISOR_ADDRESS, supervisor) if supervisor else None


def websocket_address(url: str) -> str:
    """`http://homeassistant.local:8123` as the address of its WebSocket API; one that is that already stays."""
    address = url.strip().rstrip("/")
    scheme, _, rest = address.rpartition("://")
    scheme = {"": "ws", "http": "ws", "https": "wss"}.get(scheme.lower(), scheme)
    return f"{scheme}://{rest}" if "/" in rest else f"{scheme}://{rest}/api/websocket"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number or 'no'} {one if number == 1 else many or one + 's'}"
