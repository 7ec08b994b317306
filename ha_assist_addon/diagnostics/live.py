"""Finished requests as they come, for whoever watches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from types import TracebackType
from typing import Self

from .summary import Summary

MOST_WAITING = 200


class Subscription:
    """An iterator over the summaries of requests that finish from its creation on; to be used as a context.

    None among them says that the set of running requests has changed.

    A watcher that does not keep up loses the oldest; `missed` counts them, and the store still has them.
    """

    def __init__(self, leave: Callable[[Subscription], None]) -> None:
        self.missed = 0
        self._leave = leave
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Summary | None] = deque()
        self._ready = asyncio.Event()
        self._open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __aiter__(self) -> AsyncIterator[Summary | None]:
        return self

    async def __anext__(self) -> Summary | None:
        while not self._waiting:
            if not self._open:
                raise StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()
        return self._waiting.popleft()

    def close(self) -> None:
        """End the iteration; may be called more than once."""
        self._leave(self)
        self._open = False
        self._ready.set()

    def publish(self, summaries: Sequence[Summary | None]) -> None:
        """Hand them over, from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._take, summaries)
        except RuntimeError:
            # The loop has ended, and with it the watcher.
            self._leave(self)

    def _take(self, summaries: Sequence[Summary | None]) -> None:
        self._waiting.extend(summaries)
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()
            self.missed += 1
        self._ready.set()
