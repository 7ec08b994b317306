"""The line before a server that says how many generations it has room for: in order of arrival, and not endless."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from ..errors import BackendTimeout, Busy


class Line:
    """At most `limit` requests wait; before a server of which nobody knows its room, at most so many run at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._slots: int | None = None
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._empty = asyncio.Event()
        self._empty.set()

    @asynccontextmanager
    async def place(self, slots: int | None, seconds: float) -> AsyncGenerator[float]:
        """Room for one generation; gives the seconds that are left. Raises Busy, and BackendTimeout after `seconds`."""
        self._slots = slots
        began = time.monotonic()
        if self._running < (self._limit if slots is None else slots) and not self._waiting:
            self._running += 1
        elif slots is None or len(self._waiting) >= self._limit:
            raise Busy
        else:
            await self._wait(seconds)
        self._empty.clear()
        try:
            yield max(0.001, seconds - (time.monotonic() - began))
        finally:
            self._leave()

    async def empty(self) -> None:
        """Wait until nothing runs and nobody waits."""
        await self._empty.wait()

    async def _wait(self, seconds: float) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:
            if turn in self._waiting:
                self._waiting.remove(turn)
            elif turn.done() and not turn.cancelled():  # its turn came while it was given up
                self._leave()
            if isinstance(error, TimeoutError):
                raise BackendTimeout from error
            raise

    def _leave(self) -> None:
        self._running -= 1
        while self._waiting and (self._slots is None or self._running < self._slots):
            turn = self._waiting.popleft()
            if not turn.done():
                self._running += 1
                turn.set_result(None)
        if not self._running and not self._waiting:
            self._empty.set()
