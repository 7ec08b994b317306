"""The placeholder page: for Ingress and this machine only, and nothing in it is taken for markup."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from ha_assist_addon.app import listening
from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.diagnostics.trace import Trace
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.panel import app as panel
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore


@pytest.fixture
def services(tmp_path: Path) -> Services:
    store = SettingsStore(tmp_path, environ={})
    return Services(store, GrammarLibrary(), BackendRegistry(store), TraceStore())


@pytest.fixture
async def url(services: Services) -> AsyncIterator[str]:
    async with listening(panel.create_panel(services, 8090, "the-key"), "127.0.0.1", 0, drain=0.1) as port:
        yield f"http://127.0.0.1:{port}/"


async def test_it_shows_the_last_requests(services: Services, url: str) -> None:
    trace = Trace("HA-Assist", sentence="<script>alert(1)</script> & lights", why="Because of <b>this</b>.")
    trace.finish("answered", "Done.")
    services.traces.add(trace)
    services.traces.add(Trace("HA-Assist"))
    async with aiohttp.ClientSession() as http, http.get(url) as response:
        page = await response.text()
        assert response.status == 200
        assert "X-Frame-Options" not in response.headers
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; lights" in page
    assert "<script>alert" not in page
    assert '<meta charset="utf-8">' in page
    assert ":8090/v1" in page
    assert not re.search(r"(src|href|action)=[\"']/", page), "absolute paths break behind Ingress"


async def test_it_says_what_of_the_settings_cannot_be_used(tmp_path: Path, services: Services, url: str) -> None:
    (tmp_path / "settings.yaml").write_text("settings: {ha_assist_queue: <b>}\nmodels: {upstream: {enabled: true}}")
    services.settings.load()
    async with aiohttp.ClientSession() as http, http.get(url) as response:
        page = await response.text()
    assert "settings.ha_assist_queue is &#39;&lt;b&gt;&#39;, but should be a whole number." in page
    assert "gave no token" in page

    (tmp_path / "settings.yaml").write_text("models: {upstream: {enabled: true}}")
    services.settings.load()
    async with aiohttp.ClientSession() as http, http.get(url) as response:
        page = await response.text()
    assert "ha_assist_queue" not in page
    assert "models.upstream is enabled and has no address" in page


@pytest.mark.parametrize(
    ("peer", "trusted"),
    [
        (("127.0.0.1", 1), True),
        (("::1", 1, 0, 0), True),
        (("::ffff:127.0.0.1", 1, 0, 0), True),
        (("172.30.32.2", 1), True),
        (("::ffff:172.30.32.2", 1, 0, 0), True),
        (("172.30.32.1", 1), False),
        (("172.30.33.2", 1), False),
        (("192.168.1.5", 1), False),
        (("fe80::1%eth0", 1, 0, 0), False),
        (("::ffff:192.168.1.5", 1, 0, 0), False),
        ("", False),
        (None, False),
        (("nonsense", 1), False),
    ],
)
async def test_only_ingress_and_this_machine_may_see_it(peer: object, trusted: bool) -> None:
    assert panel.is_trusted(peer) is trusted


async def test_others_are_refused_whatever_their_headers_say(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "is_trusted", lambda peer: False)
    headers = {"X-Forwarded-For": "172.30.32.2", "X-Ingress-Path": "/api/hassio_ingress/x"}
    async with aiohttp.ClientSession() as http, http.get(url, headers=headers) as response:
        assert response.status == 403
        assert "HA-Assist" not in await response.text()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8099", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1:8099", 200),
        ("[::1]:8099", 200),
        (socket.gethostname(), 200),
        ("rebound.example:8099", 403),
        ("localhost.example", 403),
        ("127.0.0.1.example", 403),
        ("192.168.1.5:8099", 403),
        ("[", 403),
    ],
)
async def test_another_sites_name_for_this_machine_is_refused(url: str, host: str, status: int) -> None:
    async with aiohttp.ClientSession() as http, http.get(url, headers={"Host": host}) as response:
        assert response.status == status


async def test_ingress_may_use_any_name(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel, "INGRESS", ipaddress.ip_address("127.0.0.1"))
    async with aiohttp.ClientSession() as http, http.get(url, headers={"Host": "my.home.example"}) as response:
        assert response.status == 200
