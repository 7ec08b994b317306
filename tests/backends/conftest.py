"""A scripted server, and a backend that asks it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from ha_assist_addon.backends.upstream import UpstreamBackend
from tests.support.fake_upstream import FakeUpstream


@pytest.fixture
async def upstream() -> AsyncIterator[FakeUpstream]:
    """A server whose answers a test queues."""
    async with FakeUpstream().running() as fake:
        yield fake


@pytest.fixture
async def backend(upstream: FakeUpstream) -> AsyncIterator[UpstreamBackend]:
    """The backend of that server."""
    made = UpstreamBackend(base_url=upstream.url, model="small", api_key="sk-upstream", timeout=5, queue=2)
    yield made
    await made.close()
