"""A running API with a scripted pipeline behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.scripted import Scripted
from tests.support.serving import Running, running


@pytest.fixture
async def pipeline() -> Scripted:
    """What answers in the place of the pipeline."""
    return Scripted()


@pytest.fixture
async def server(tmp_path: Path, pipeline: Scripted) -> AsyncIterator[Running]:
    """The API, without any language model."""
    async with running(tmp_path, pipeline) as up:
        yield up
