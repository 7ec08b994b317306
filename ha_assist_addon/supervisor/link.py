"""Keeps one connection to Home Assistant's WebSocket API: connects, follows, and tries again when it ends."""

from __future__ import annotations

import asyncio
import logging
import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus

import aiohttp

from .connection import Connection, ConnectionLost, TokenRefused

LARGEST_ANSWER = 64 * 1024 * 1024
_LOGGER = logging.getLogger(__name__)


class Link(StrEnum):
    """How it stands between HA-Assist and Home Assistant."""

    OFF = "off"
    CONNECTING = "connecting"
    CONNECTED = "connected"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """A word, and a sentence for a person."""

    word: Link
    sentence: str


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


USUAL_PACE = Pace()


class HomeAssistantLink(ABC):
    """In the background, and never waited for; `_follow` says what is done with a connection."""

    name = "link"
    """Of the task."""
    refused = "Home Assistant refuses the token of HA-Assist."
    failed = "Home Assistant could not be understood; the log says why."

    def __init__(self, address: str, token: str, pace: Pace = USUAL_PACE) -> None:
        self._address = address
        self._token = token
        self._pace = pace
        self._status = LinkStatus(Link.CONNECTING, "HA-Assist connects to Home Assistant.")
        self._task: asyncio.Task[None] | None = None
        self._told = ""

    @property
    def status(self) -> LinkStatus:
        """For the panel."""
        return self._status

    def start(self) -> None:
        """Begin in the background; needs a running loop, and waits for nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=self.name)

    async def close(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            self._task = None
        self._status = LinkStatus(Link.OFF, "HA-Assist stops.")

    @abstractmethod
    async def _follow(self, connection: Connection) -> None:
        """What is done with a connection; ends with it."""

    def _hear(self, subscription: int, event: object) -> None:  # noqa: B027 - most only want to know that there was one
        """Take in an event that came."""

    def _ended(self) -> None:  # noqa: B027 - most have nothing to put away
        """A connection is over."""

    def _kept(self) -> str:
        """A sentence on what goes on without a connection."""
        return ""

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
            await self._connect(session)
        except TokenRefused:
            self._refuse()
            return True
        except aiohttp.WSServerHandshakeError as error:
            if error.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
                self._refuse()
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
            _LOGGER.exception("%s", self.failed)
            self._lost(self.failed)
        finally:
            self._ended()
        return False

    async def _connect(self, session: aiohttp.ClientSession) -> None:
        async with asyncio.timeout(self._pace.answer):
            socket = await session.ws_connect(
                self._address,
                heartbeat=30,
                max_msg_size=LARGEST_ANSWER,
                timeout=aiohttp.ClientWSTimeout(ws_close=1),
            )
        async with socket:
            connection = Connection(socket, self._pace.answer, self._hear)
            await connection.authenticate(self._token)
            await self._follow(connection)

    def _connected(self, sentence: str) -> None:
        self._status = LinkStatus(Link.CONNECTED, sentence)
        self._say(logging.INFO)

    def _refuse(self) -> None:
        self._status = LinkStatus(Link.REFUSED, self.refused)
        self._say(logging.WARNING)

    def _lost(self, why: str) -> None:
        self._status = LinkStatus(Link.UNREACHABLE, f"{why}{self._kept()} HA-Assist tries again by itself.")
        self._say(logging.INFO)

    def _say(self, level: int) -> None:
        """Log the status, unless it was the last thing logged."""
        if self._told != self._status.sentence:
            self._told = self._status.sentence
            _LOGGER.log(level, "%s", self._status.sentence)
