"""The real API on a free port, with whatever pipeline a test brings."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from openai import AsyncOpenAI

from ha_assist_addon.api.app import create_api
from ha_assist_addon.api.keys import Answer, Pace
from ha_assist_addon.app import listening
from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore

KEY = "a-key-for-tests"


@dataclass(frozen=True, slots=True)
class Running:
    """A server that is up, and what belongs to it."""

    services: Services
    port: int
    http: aiohttp.ClientSession
    """A plain client that sends the right key."""

    @property
    def url(self) -> str:
        """The base URL as a person would type it."""
        return f"http://127.0.0.1:{self.port}/v1"

    def openai(self, *, strict: bool = True, key: str = KEY) -> AsyncOpenAI:
        """The client that Home Assistant uses; strict, it refuses an answer that breaks the API's own schema."""
        return AsyncOpenAI(base_url=self.url, api_key=key, max_retries=0, _strict_response_validation=strict)

    async def post(
        self, body: Any, path: str = "/chat/completions", **headers: str
    ) -> tuple[int, Any, Mapping[str, str]]:
        """Post JSON, or bytes just as they are; returns status, parsed answer and headers."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers.setdefault("Content-Type", "application/json")
        async with self.http.post(self.url + path, data=io.BytesIO(data), headers=headers) as response:
            return response.status, json.loads(await response.read()), response.headers


@asynccontextmanager
async def running(
    data_dir: Path,
    answer: Answer | None = None,
    *,
    settings: str = "",
    pace: Pace | None = None,
    drain: float = 1.0,
    grammars: GrammarLibrary | None = None,
) -> AsyncIterator[Running]:
    """Serve with these settings (YAML) until the context ends."""
    if settings:
        (data_dir / "settings.yaml").write_text(settings, encoding="utf-8")
    store = SettingsStore(data_dir, environ={})
    assert store.problem is None, store.problem
    services = Services(store, grammars or GrammarLibrary(), BackendRegistry(store), TraceStore())
    services.backends.start()
    app = create_api(services, KEY, answer, pace)
    async with (
        listening(app, "127.0.0.1", 0, drain=drain) as port,
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http,
    ):
        yield Running(services, port, http)
    await services.backends.close()
