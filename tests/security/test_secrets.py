"""Keys and sentences: who has none gets nothing, and none is written where others read."""

from __future__ import annotations

import contextlib
import hmac
import http.client
import json
import signal
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from ha_assist_addon.api import auth
from ha_assist_addon.app import listening
from ha_assist_addon.backends.upstream import UpstreamBackend
from ha_assist_addon.conversation import ChatRequest, Message, Role
from ha_assist_addon.errors import BackendFailed
from tests.api.test_process import started
from tests.fuzz.target import Trap
from tests.support.house import House, body, thing
from tests.support.serving import KEY, running

SENTENCE, NAME, WORD = "turn on the Zanzibar Lamp", "Zanzibar Lamp", "Zanzibar"
PASSWORD, UPSTREAM_KEY, OWN_KEY = "hunter2-password", "sk-upstream-key", "the-key-of-this-home"
HOUSE = House((thing(NAME, "light", "Office"),))
FORGED = {
    "X-Ingress-Path": "/api/hassio_ingress/x",
    "X-Forwarded-For": "172.30.32.2",
    "X-Real-IP": "127.0.0.1",
    "X-Remote-User-Id": "admin",
    "X-Hass-Source": "core.ingress",
    "X-Supervisor-Token": "x",
    "Cookie": "ingress_session=x",
}
PATHS = [
    ("GET", "/v1/models"),
    ("GET", "/v1/models/HA-Assist"),
    ("GET", "/v1/openapi.json"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/responses"),
    ("POST", "/v1/ha-assist/diagnose"),
    ("POST", "/chat/completions"),
    ("GET", "/health/"),
    ("GET", "/health/../v1/models"),
    ("GET", "//v1/models"),
]


@pytest.mark.parametrize(
    "headers", [{}, FORGED, {"Authorization": "Bearer " + KEY[:-1]}], ids=["none", "forged", "near"]
)
async def test_without_the_key_every_path_tells_nothing(tmp_path: Path, headers: dict[str, str]) -> None:
    async with running(tmp_path) as server, aiohttp.ClientSession() as session:
        for method, path in PATHS:
            url = f"http://127.0.0.1:{server.port}{path}"
            async with session.request(method, url, json=body(HOUSE, SENTENCE), headers=headers) as response:
                text = await response.text()
                assert response.status == 401, path
                assert json.loads(text)["error"]["code"] == "invalid_api_key"
                assert WORD not in text
        assert await server.services.traces.count() == 0


async def test_keys_are_compared_whole_and_in_constant_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(given: Any, expected: Any) -> bool:
        compared.append((given, expected))
        return hmac.compare_digest(given, expected)

    monkeypatch.setattr(auth, "hmac", type("Hmac", (), {"compare_digest": staticmethod(compare)}))
    async with running(tmp_path) as server, aiohttp.ClientSession() as session:
        for key in ("", "x", KEY[:-1], KEY + "x", "ü" * len(KEY)):
            headers = {"Authorization": f"Bearer {key}"}
            async with session.get(server.url + "/models", headers=headers) as response:
                assert response.status == 401
    assert [given.decode() for given, _ in compared] == ["", "x", KEY[:-1], KEY + "x", "ü" * len(KEY)]
    assert all(expected == KEY.encode() for _, expected in compared)


UPSTREAM = (
    f"models:\n  upstream:\n    enabled: true\n    base_url: http://127.0.0.1:1/{PASSWORD}/v1\n"
    f"    model: small\n    api_key: {UPSTREAM_KEY}\n"
)


@pytest.mark.parametrize("key", [True, False], ids=["with a key", "without"])
async def test_the_address_of_the_models_server_is_in_no_answer(tmp_path: Path, key: bool) -> None:
    settings = UPSTREAM if key else UPSTREAM.replace(f"    api_key: {UPSTREAM_KEY}\n", "")
    async with running(tmp_path, settings=settings) as server:
        told = []
        for model in ("HA-Assist", "small"):
            for stream in (False, True):
                request = {**body(HOUSE, "tell me a story", stream=stream), "model": model}
                async with server.http.post(f"{server.url}/chat/completions", json=request) as response:
                    told.append(await response.text())
        request = {**body(HOUSE, "tell me a story"), "generate": True}
        async with server.http.post(f"{server.url}/ha-assist/diagnose", json=request) as response:
            told.append(await response.text())
        for path in ("/models", "/models/small"):
            async with server.http.get(server.url + path) as response:
                told.append(await response.text())
        told += [repr(await backend.status()) for backend in server.services.backends.backends()]
        told += [repr(record) for record in server.services.traces.newest_first()]
    for text in told:
        assert PASSWORD not in text
        assert UPSTREAM_KEY not in text


def test_a_mixed_session_leaves_no_secret_and_no_sentence_in_the_log(tmp_path: Path) -> None:
    """The real server at its usual level, with what goes well, what goes wrong and what is broken."""
    (tmp_path / "settings.yaml").write_text(UPSTREAM, encoding="utf-8")
    with started(tmp_path, "--log-level", "info", "--api-key", OWN_KEY) as (process, port):
        _session(port)
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        log = process.stdout.read()
    for secret in (WORD, "Zanz", PASSWORD, UPSTREAM_KEY, OWN_KEY, "story", "Traceback"):
        assert secret not in log, log
    assert "HA-Assist stops" in log


def _session(port: int) -> None:
    def post(path: str, data: bytes, *, key: str = OWN_KEY, **headers: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        with contextlib.closing(connection):
            connection.request("POST", path, data, {"Authorization": f"Bearer {key}", **headers})
            connection.getresponse().read()

    good = json.dumps(body(HOUSE, SENTENCE)).encode()
    for path in ("/v1/chat/completions", "/v1/responses", "/v1/ha-assist/diagnose"):
        post(path, good)
        post(path, good[:-10])
        post(path, good, key="Zanzibar-wrong-key")
        post(path, json.dumps(body(HOUSE, "tell me a story about Zanzibar")).encode())
        post(path, json.dumps({**body(HOUSE, SENTENCE), "messages": {"role": "Zanzibar"}}).encode())
        post(path, b"\x1f\x8bZanzibar", **{"Content-Encoding": "gzip"})
    post("/v1/Zanzibar", good)
    post("/v1/chat/completions", good, **{"X-Broken": "\x01Zanzibar", "Content-Type": "Zanzibar/x; charset=Zanzibar"})
    post("/v1/chat/completions", json.dumps({**body(HOUSE, SENTENCE), "stream": True}).encode())
    post("/v1/chat/completions", json.dumps({**body(HOUSE, "Zanzibar story"), "model": "small"}).encode())


async def test_no_redirect_of_a_models_server_is_followed() -> None:
    """It would carry the sentence, and perhaps the key, to wherever that server says."""

    async def elsewhere(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(f"{trap.url}{request.path}")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", elsewhere)
    async with Trap().running() as trap, listening(app, "127.0.0.1", 0, drain=0.1) as port:
        backend = UpstreamBackend(
            base_url=f"http://127.0.0.1:{port}/v1", model="small", api_key=UPSTREAM_KEY, timeout=5, queue=1
        )
        await backend.status()
        await backend.traits()
        await backend.count_tokens(["some words"])
        with pytest.raises(BackendFailed):
            async for _ in backend.generate(ChatRequest("small", (Message(Role.USER, "hi"),))):
                pass
        await backend.close()
        assert trap.visits == 0
