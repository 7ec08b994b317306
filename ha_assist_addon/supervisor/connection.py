"""One connection to Home Assistant's WebSocket API: one command at a time, and the events that come meanwhile."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp


class TokenRefused(Exception):
    """Home Assistant does not accept the token; asking again soon is of no use."""


class ConnectionLost(Exception):
    """The connection ended, or what came over it is not Home Assistant's protocol; the message is one sentence."""


class CommandRefused(Exception):
    """Home Assistant does not know a command, or does not allow it; the others may still be answered."""


class Connection:
    """Not for concurrent use: one task owns it. `hear` gets each event with the id that subscribed to it."""

    def __init__(
        self,
        socket: aiohttp.ClientWebSocketResponse,
        patience: float,
        hear: Callable[[int, object], None] = lambda _subscription, _event: None,
    ) -> None:
        self.changed = False
        """Whether a subscribed event came since the flag was last taken down."""
        self.last_id = 0
        """Of the last command: what it subscribed to comes under this id."""
        self._socket = socket
        self._patience = patience
        self._hear = hear

    async def authenticate(self, token: str) -> None:
        """Raises TokenRefused."""
        async with asyncio.timeout(self._patience):
            message = await self._receive()
            if message.get("type") == "auth_required":
                await self._send({"type": "auth", "access_token": token})
                message = await self._receive()
        match message.get("type"):
            case "auth_ok":
                return
            case "auth_invalid":
                raise TokenRefused
            case _:
                raise ConnectionLost("What answers is not Home Assistant.")

    async def ask(self, command: str, **arguments: Any) -> Any:
        """The result of a command. Raises CommandRefused, and TimeoutError where the answer does not come."""
        self.last_id += 1
        async with asyncio.timeout(self._patience):
            await self._send({"id": self.last_id, "type": command, **arguments})
            while True:
                message = await self._receive()
                if (
                    not self._is_event(message)
                    and message.get("type") == "result"
                    and message.get("id") == self.last_id
                ):
                    break
        if message.get("success") is not True:
            raise CommandRefused(command)
        return message.get("result")

    async def wait_for_change(self) -> None:
        """Wait for the next subscribed event, unless one came already."""
        while not self.changed:
            self._is_event(await self._receive())

    async def listen(self) -> None:
        """Take in what comes next."""
        self._is_event(await self._receive())

    def _is_event(self, message: Mapping[str, Any]) -> bool:
        if message.get("type") != "event":
            return False
        self.changed = True
        subscription = message.get("id")
        if isinstance(subscription, int):
            self._hear(subscription, message.get("event"))
        return True

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self._socket.send_str(json.dumps(message))

    async def _receive(self) -> Mapping[str, Any]:
        received = await self._socket.receive()
        if received.type is not aiohttp.WSMsgType.TEXT:
            raise ConnectionLost("Home Assistant ended the connection.")
        try:
            message = json.loads(received.data)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise ConnectionLost("What answers is not Home Assistant.")
        return message
