"""A Home Assistant to read from, and a watcher that has no time to lose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from ha_assist_addon.supervisor.link import Pace
from ha_assist_addon.supervisor.watcher import RegistryWatcher, websocket_address
from tests.supervisor.fake_home_assistant import TOKEN, FakeHomeAssistant

FAST = Pace(first_retry=0.02, last_retry=0.1, refused_retry=0.3, settle=0.05, answer=1.0, steady=60.0)


@pytest.fixture
async def home_assistant() -> AsyncIterator[FakeHomeAssistant]:
    """It has floors, areas and a few entities."""
    async with FakeHomeAssistant().running() as running:
        yield running


@asynccontextmanager
async def watching(url: str, token: str = TOKEN, pace: Pace = FAST) -> AsyncIterator[RegistryWatcher]:
    """A watcher that was started."""
    watcher = RegistryWatcher(websocket_address(url), token, pace)
    watcher.start()
    try:
        yield watcher
    finally:
        await watcher.close()


async def until(true: Callable[[], object], seconds: float = 5.0) -> None:
    """Wait for something that happens in the background."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - what is waited for knows nothing of tests
            await asyncio.sleep(0.01)
