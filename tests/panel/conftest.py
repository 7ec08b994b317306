"""The real panel on a free port, with whatever a test puts behind it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ha_assist_addon.app import listening
from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.panel.app import create_panel
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.trace.trace import Trace

KEY = "the-key-of-this-home"
GRAMMARS = GrammarLibrary()
"""Loaded once for all tests."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel that is up; paths are relative to its root."""

    url: str
    http: aiohttp.ClientSession
    services: Services

    async def get(self, path: str = "", headers: Mapping[str, str] | None = None, *, status: int = 200) -> str:
        """A page's text."""
        async with self.http.get(self.url + path, headers=headers) as response:
            assert response.status == status, await response.text()
            return await response.text()

    async def token(self) -> str:
        """What the pages hand back with a change."""
        found = re.search(r'name="token" value="([^"]+)"', await self.get("settings"))
        assert found is not None
        return found[1]

    async def post(self, path: str, fields: Any = (), *, status: int = 200, follow: bool = True) -> str:
        """Send a form with the token."""
        data = [("token", await self.token()), *(fields.items() if isinstance(fields, dict) else fields)]
        async with self.http.post(self.url + path, data=data, allow_redirects=follow) as response:
            text = await response.text()
            assert response.status == status, text
            return text if follow else response.headers["Location"]


@pytest.fixture
def environ() -> dict[str, str]:
    """Environment variables of the settings; tests parametrize it."""
    return {}


@pytest.fixture
def services(tmp_path: Path, environ: dict[str, str]) -> Services:
    store = SettingsStore(tmp_path, environ=environ)
    return Services(store, GRAMMARS, BackendRegistry(store), TraceStore(keep=lambda: store.current.diagnostics))


@pytest.fixture
async def panel(services: Services) -> AsyncIterator[Panel]:
    async with (
        listening(create_panel(services, 8090, KEY), "127.0.0.1", 0, drain=0.1) as port,
        # Who comes by a link of the panel sees the page that the link names.
        aiohttp.ClientSession(headers={"Referer": f"http://127.0.0.1:{port}/"}) as http,
    ):
        yield Panel(f"http://127.0.0.1:{port}/", http, services)
    await services.backends.close()


Add = Callable[..., Trace]


@pytest.fixture
def add(services: Services) -> Add:
    """Put a finished request into the store."""

    def put(
        sentence: str = "Turn on the light",
        *,
        reply: str = "Done.",
        outcome: str = "answered",
        hours_ago: float = 0,
        **more: Any,
    ) -> Trace:
        trace = Trace(
            "HA-Assist",
            sentence=sentence,
            started_at=datetime.now(UTC) - timedelta(hours=hours_ago),
            reason=more.pop("reason", "exact_match"),
            why=more.pop("why", "The sentence matches."),
            language=more.pop("language", "en"),
            **more,
        )
        trace.finish(outcome, reply)
        services.traces.add(trace)
        return trace

    return put
