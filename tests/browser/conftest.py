"""A real browser before the real API and the real panel, which stands behind a proxy like Ingress."""

from __future__ import annotations

import asyncio
import ipaddress
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
import pytest_asyncio

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import listening
from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.diagnostics.summary import Summary
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.panel import border
from ha_assist_addon.panel.app import create_panel
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from tests.support.house import House, body, thing

from .ingress import PREFIX, Ingress

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

KEY = "the-key-of-this-home"
HOME = House(
    (
        thing("Ceiling Light", "light", "Kitchen"),
        thing("<b>Bold</b> Lamp", "light", "Study"),
        thing("Heating", "climate", "Living Room"),
        thing("Front Door", "lock", "Hall"),
    ),
    satellite="Kitchen",
)
GRAMMARS = GrammarLibrary()
WIDE, PHONE, SMALL = {"width": 1280, "height": 900}, {"width": 390, "height": 844}, {"width": 320, "height": 640}


@dataclass(slots=True)
class Home:
    """A home with HA-Assist in it, and a browser in front of it."""

    services: Services
    ingress: Ingress
    api: str
    origin: str
    http: aiohttp.ClientSession
    browser: Browser
    complaints: list[str] = field(default_factory=list)
    """What the browser's console said that it should not."""
    outside: list[str] = field(default_factory=list)
    """Requests to anywhere else."""
    contexts: list[BrowserContext] = field(default_factory=list)
    panel_up: AsyncExitStack = field(default_factory=AsyncExitStack)
    """The panel's server, for stopping it."""

    @property
    def panel(self) -> str:
        """The panel's address as Ingress gives it."""
        return self.origin + PREFIX

    async def stop_panel(self) -> None:
        """The app stops; the proxy stays, as Home Assistant does."""
        await self.panel_up.aclose()

    async def start_panel(self) -> None:
        """The app starts, perhaps anew: with another token and another port."""
        app = create_panel(self.services, int(self.api.rpartition(":")[2]), KEY)
        port = await self.panel_up.enter_async_context(listening(app, "127.0.0.1", 0, drain=0.1))
        self.ingress.target = f"http://127.0.0.1:{port}/"

    async def page(self, path: str | None = "", *, size: dict[str, int] = WIDE, **options: Any) -> Page:
        """A fresh page of the panel, or of Home Assistant around it where the path is None."""
        options.setdefault("color_scheme", "light")
        options.setdefault("locale", "en-GB")
        context = await self.browser.new_context(viewport=size, **options)  # type: ignore[arg-type]
        self.contexts.append(context)
        context.set_default_timeout(10_000)
        page = await context.new_page()
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda r: None if r.url.startswith(self.origin) else self.outside.append(r.url))
        await page.goto(
            self.origin if path is None else self.panel + path, referer=self.panel if path is not None else None
        )
        return page

    def forgive(self, *words: str) -> None:
        """Forget what the browser says by itself of a status or a connection that the test asked for."""
        self.complaints = [text for text in self.complaints if not any(word in text for word in words)]

    async def kept(self, number: int) -> tuple[Summary, ...]:
        """The newest requests, as soon as so many are written."""
        for _ in range(1000):
            found = await self.services.traces.newest()
            if len(found) >= number:
                return found
            await asyncio.sleep(0.01)
        raise AssertionError("the requests were not kept")

    async def say(self, *messages: Any, **more: Any) -> dict[str, Any]:
        """A request as Home Assistant sends it."""
        headers = {"Authorization": f"Bearer {KEY}"}
        async with self.http.post(
            f"{self.api}/v1/chat/completions", json=body(HOME, *messages, **more), headers=headers
        ) as response:
            answer: dict[str, Any] = await response.json()
            assert response.status == 200, answer
            return answer


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for all tests; each has windows of its own."""
    async_api = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("no chromium is installed")
    async with async_api.async_playwright() as driver:
        running = await driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        await running.close()


@pytest_asyncio.fixture(loop_scope="session")
async def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> AsyncIterator[Home]:
    """Everything up; at the end nothing may have left the origin, and the console must be clean."""
    monkeypatch.setattr(border, "INGRESS", ipaddress.ip_address("127.0.0.1"))
    store = SettingsStore(tmp_path, environ={})
    traces = TraceStore(tmp_path / "requests.db", lambda: store.current.diagnostics)
    services = Services(store, GRAMMARS, BackendRegistry(store), traces)
    traces.start()
    async with (
        listening(create_api(services, KEY), "127.0.0.1", 0, drain=0.1) as api_port,
        aiohttp.ClientSession() as http,
    ):
        ingress = Ingress("", http)
        async with listening(ingress.app(), "127.0.0.1", 0, drain=0.1) as port:
            running = Home(services, ingress, f"http://127.0.0.1:{api_port}", f"http://127.0.0.1:{port}", http, browser)
            await running.start_panel()
            yield running
            for context in running.contexts:
                await context.close()
            await running.stop_panel()
    await traces.close()
    await services.backends.close()
    assert running.outside == []
    assert running.complaints == []
    assert ingress.refused == []
