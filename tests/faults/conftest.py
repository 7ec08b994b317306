"""The real server with a real upstream backend, whose server does what a test tells it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ha_assist_addon.language.grammar import GrammarLibrary
from tests.support.fake_upstream import FakeUpstream
from tests.support.serving import Running, running

MODEL = "small"
GRAMMARS = GrammarLibrary()
"""Loaded once for all tests."""


@pytest.fixture
async def upstream() -> AsyncIterator[FakeUpstream]:
    """The language model's server."""
    async with FakeUpstream().running() as up:
        yield up


@pytest.fixture
async def server(tmp_path: Path, upstream: FakeUpstream) -> AsyncIterator[Running]:
    """HA-Assist, whose model is there and has a queue of four."""
    async with running(tmp_path, settings=settings_for(upstream), drain=0.2, grammars=GRAMMARS) as up:
        yield up


def settings_for(upstream: FakeUpstream) -> str:
    """A file of settings that names this server."""
    return (
        "settings:\n  ha_assist_languages: [en]\n  ha_assist_verify_delay: 0\n"
        f"models:\n  upstream:\n    enabled: true\n    base_url: {upstream.url}\n    model: {MODEL}\n"
        "    api_key: the-upstream-key\n"
    )
