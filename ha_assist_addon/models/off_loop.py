"""Blocking work beside the event loop, which is never left behind when its task is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def off_loop(work: Callable[..., T], *arguments: object, on_cancel: Callable[[], None] | None = None) -> T:
    """Run in a thread; a cancelled caller still waits for its end, so that nobody closes a file that is being used.

    `on_cancel` tells long work to end early.
    """
    running = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        if on_cancel is not None:
            on_cancel()
        await asyncio.wait({running})
        if not running.cancelled():
            running.exception()  # seen, so that nobody warns of it
        raise
