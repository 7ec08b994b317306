"""Runs a reply's generator in a task of its own, so that waiting for its next event can time out without ending it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from types import TracebackType
from typing import Self

from ..conversation import ReplyEvent
from ..errors import HaAssistError
from .errors import as_client_error


class Pump:
    """The events of one reply; leaving the context closes the generator, which cancels a running generation.

    A generator's timeouts and context variables need one task from its first step to its last: hence the task.
    """

    def __init__(self, events: AsyncGenerator[ReplyEvent]) -> None:
        self._events = events
        self._queue: asyncio.Queue[ReplyEvent | HaAssistError] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def ready(self) -> ReplyEvent | None:
        """The next event if it is there already."""
        return None if self._queue.empty() else _unwrap(self._queue.get_nowait())

    async def next(self, seconds: float) -> ReplyEvent | None:
        """The next event, or None when it takes longer; raises a client's error for whatever the generator raised."""
        try:
            async with asyncio.timeout(seconds):
                item = await self._queue.get()
        except TimeoutError:
            return None
        return _unwrap(item)

    def stop(self, error: HaAssistError) -> None:
        """Let the reader get this error behind what is there already."""
        self._queue.put_nowait(error)

    async def _run(self) -> None:
        try:
            async with aclosing(self._events):
                async for event in self._events:
                    self._queue.put_nowait(event)
        except Exception as error:  # noqa: BLE001 - carried to the reader, who raises it
            self._queue.put_nowait(as_client_error(error))


def _unwrap(item: ReplyEvent | HaAssistError) -> ReplyEvent:
    if isinstance(item, HaAssistError):
        raise item
    return item
