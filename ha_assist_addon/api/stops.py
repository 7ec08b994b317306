"""What runs when the server is told to stop: it may end by itself for a moment, then it is told to end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

from aiohttp import web

from ..errors import ShuttingDown


class Stops:
    """The answers that are being given."""

    def __init__(self) -> None:
        self._running: dict[object, Callable[[], None]] = {}
        self._changed = asyncio.Event()

    @contextmanager
    def calling(self, end: Callable[[], None]) -> Iterator[None]:
        """While the context lasts, `end` is called once the server has waited for long enough."""
        key = object()
        self._running[key] = end
        try:
            yield
        finally:
            del self._running[key]
            self._changed.set()

    @asynccontextmanager
    async def interrupting(self) -> AsyncIterator[None]:
        """The same for what awaits something else: it ends with ShuttingDown."""
        limit = asyncio.timeout(None)
        try:
            async with limit:
                with self.calling(lambda: limit.reschedule(asyncio.get_running_loop().time())):
                    yield
        except TimeoutError as error:
            if limit.expired():
                raise ShuttingDown from error
            raise

    async def stop(self, seconds: float) -> None:
        """Wait for so long at most, then end what still runs."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._running:
                    self._changed.clear()
                    await self._changed.wait()
        for end in tuple(self._running.values()):
            end()


STOPS = web.AppKey("stops", Stops)
