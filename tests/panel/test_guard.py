"""No other site acts through a person's browser, and no page runs or loads what is not ours."""

from __future__ import annotations

import ipaddress
import re

import pytest
from yarl import URL

from ha_assist_addon.panel import border
from ha_assist_addon.settings.store import values_of

from .conftest import KEY, Add, Panel

PAGES = ("", "try", "home", "week", "overview", "models", "settings", "connect", "requests/none")
CHANGES = (
    "settings",
    "settings/clear",
    "models/download",
    "models/test",
    "models/check",
    "try",
    "home/checkup",
    "week/replay",
)


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize("token", [None, "", "wrong", "ü", "x" * 43])
async def test_a_change_needs_the_token_of_our_own_pages(panel: Panel, add: Add, path: str, token: str | None) -> None:
    add()
    async with panel.http.post(panel.url + path, data={} if token is None else {"token": token}) as response:
        assert response.status == 403
    assert await panel.services.traces.count() == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
    ],
)
async def test_a_change_from_another_site_is_refused_even_with_the_token(
    panel: Panel, headers: dict[str, str], status: int
) -> None:
    revision = panel.services.settings.revision
    data = {"token": await panel.token(), "revision": revision, "settings.ha_assist_verify_attempts": "3"}
    async with panel.http.post(panel.url + "settings", data=data, headers=headers) as response:
        assert response.status == status
    after = values_of(panel.services.settings.current)["settings.ha_assist_verify_attempts"]
    assert after == (3 if status == 200 else 2)


async def test_through_ingress_the_origin_is_home_assistants(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(border, "INGRESS", ipaddress.ip_address("127.0.0.1"))
    headers = {"Origin": "https://my.home.example"}
    data = {"token": await panel.token()}
    async with panel.http.post(panel.url + "settings/clear", data=data, headers=headers) as response:
        assert response.status == 200


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_says_what_it_may_load_and_is_kept_by_no_cache(panel: Panel, path: str) -> None:
    async with panel.http.get(panel.url + path) as response:
        policy = dict(part.split(" ", 1) for part in response.headers["Content-Security-Policy"].split("; "))
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "X-Frame-Options" not in response.headers
        page = await response.text()
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'self'", "Ingress shows it in a frame"
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", page), "the policy forbids them"
    assert '<meta charset="utf-8">' in page, "Ingress strips it from the header"
    assert not re.search(r"(?:src|href|action|hx-get)=[\"'](?:/|https?:)", page), "absolute addresses break in Ingress"


async def test_a_page_that_is_not_there_is_no_exception(panel: Panel) -> None:
    async with panel.http.get(panel.url + "nothing-here") as response:
        assert response.status == 404
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_files_of_ours_are_kept_as_long_as_they_are_the_same(panel: Panel) -> None:
    addresses = re.findall(r'(?:src|href)="\./(static/[^"]+)"', await panel.get("settings"))
    assert len(addresses) >= 4
    for address in addresses:
        async with panel.http.get(panel.url + address) as response:
            assert response.status == 200
            assert "immutable" in response.headers["Cache-Control"]
    async with panel.http.get(panel.url + "static/panel.css") as response:
        assert response.headers["Cache-Control"] == "no-store"
        assert response.content_type == "text/css"


@pytest.mark.parametrize("name", ["nothing.css", "../app.py", "%2e%2e/app.py", "..%2fapp.py", "vendor", "vendor/"])
async def test_no_other_file_is_served(panel: Panel, name: str) -> None:
    address = URL(f"{panel.url}static/{name}?v=1", encoded=True)
    async with panel.http.get(address) as response:
        assert response.status == 404
        assert response.headers["Cache-Control"] == "no-store"


async def test_the_key_stands_on_the_page_that_shows_it_and_nowhere_else(panel: Panel, add: Add) -> None:
    detail = f"requests/{add().id}"
    for path in (*PAGES, detail, f"{detail}/export", f"{detail}/export?names=real"):
        page = await panel.get(path, status=404 if path == "requests/none" else 200)
        assert (KEY in page) is (path == "connect")


async def test_a_restart_makes_old_pages_powerless_but_says_so(panel: Panel) -> None:
    async with panel.http.post(panel.url + "settings/clear", data={"token": "of-another-process"}) as response:
        assert "reload the page" in await response.text()


async def test_pages_and_files_are_compressed_but_not_the_one_with_the_key(panel: Panel, add: Add) -> None:
    for number in range(30):
        add(str(number))
    for path, is_compressed in (("", True), ("settings", True), ("static/panel.css", True), ("connect", False)):
        async with panel.http.get(panel.url + path, headers={"Accept-Encoding": "gzip"}) as response:
            text = await response.text()
            assert (response.headers.get("Content-Encoding") == "gzip") is is_compressed, path
            if is_compressed:
                assert int(response.headers["Content-Length"]) < len(text) / 3
        async with panel.http.get(panel.url + path, headers={"Accept-Encoding": "identity"}) as response:
            assert "Content-Encoding" not in response.headers
