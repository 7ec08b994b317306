"""A store on disk that is up and written."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ha_assist_addon.diagnostics.store import TraceStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "diagnostics.sqlite"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[TraceStore]:
    store = TraceStore(path)
    store.start()
    yield store
    await store.close()
