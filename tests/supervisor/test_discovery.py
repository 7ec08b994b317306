"""The announcement to the Supervisor: sent until it is taken, given up when refused, and never in the way."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
import yaml
from aiohttp import web

from ha_assist_addon import __version__
from ha_assist_addon.app import listening
from ha_assist_addon.supervisor import discovery
from ha_assist_addon.supervisor.discovery import SERVICE, Announcement, Patience, announce, start_announcing
from tests.support.shared import ROOT

TOKEN = "a-token-for-tests"
ANNOUNCEMENT = Announcement("http://local-ha-assist:8090", "a-key-for-tests")
FAST = Patience(answer=1.0, first_retry=0.01, last_retry=0.02)


class Supervisor:
    """Answers each announcement with the next of its statuses, and with the last one from then on."""

    def __init__(self) -> None:
        self.statuses = [200]
        self.heard: list[tuple[str | None, Any]] = []
        self.url = ""

    async def serve(self, request: web.Request) -> web.Response:
        self.heard.append((request.headers.get("Authorization"), await request.json()))
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        answer = {"result": "ok"} if status == 200 else {"result": "error", "message": "It is not for you."}
        return web.json_response(answer, status=status)


@pytest.fixture
async def supervisor() -> AsyncIterator[Supervisor]:
    made, app = Supervisor(), web.Application()
    app.router.add_post("/discovery", made.serve)
    async with listening(app, "127.0.0.1", 0, drain=0.1) as port:
        made.url = f"http://127.0.0.1:{port}"
        yield made


async def test_tells_where_it_is_and_with_which_key(supervisor: Supervisor) -> None:
    await announce(supervisor.url, TOKEN, ANNOUNCEMENT, FAST)
    config = {"url": "http://local-ha-assist:8090", "api_key": "a-key-for-tests", "version": __version__}
    assert supervisor.heard == [(f"Bearer {TOKEN}", {"service": "ha_assist", "config": config})]


@pytest.mark.parametrize("not_ready", [408, 429, 500, 502, 503])
async def test_waits_for_a_supervisor_that_is_not_ready(supervisor: Supervisor, not_ready: int) -> None:
    supervisor.statuses = [not_ready, not_ready, 200]
    await announce(supervisor.url, TOKEN, ANNOUNCEMENT, FAST)
    assert len(supervisor.heard) == 3


async def test_waits_for_a_supervisor_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    waiting = asyncio.create_task(announce(f"http://127.0.0.1:{port}", TOKEN, ANNOUNCEMENT, FAST))
    done, _ = await asyncio.wait({waiting}, timeout=0.2)
    assert not done
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting


@pytest.mark.parametrize("refusal", [400, 401, 403, 404])
async def test_gives_up_what_is_refused(supervisor: Supervisor, refusal: int, caplog: pytest.LogCaptureFixture) -> None:
    supervisor.statuses = [refusal]
    await announce(supervisor.url, TOKEN, ANNOUNCEMENT, FAST)
    assert len(supervisor.heard) == 1
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert warnings == ["The Supervisor does not offer HA-Assist to Home Assistant: It is not for you."]


@pytest.mark.parametrize("statuses", [[200], [403], [503, 200]])
async def test_log_holds_neither_key_nor_token(
    supervisor: Supervisor, statuses: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    supervisor.statuses = list(statuses)
    await announce(supervisor.url, TOKEN, ANNOUNCEMENT, FAST)
    assert ANNOUNCEMENT.api_key not in caplog.text + repr(ANNOUNCEMENT)
    assert TOKEN not in caplog.text


@pytest.mark.parametrize("environ", [{}, {"SUPERVISOR_TOKEN": ""}, {"SUPERVISOR_TOKEN": "  "}])
async def test_is_silent_outside_of_the_supervisor(environ: dict[str, str]) -> None:
    assert start_announcing(8090, "a-key-for-tests", environ) is None


async def test_app_is_announced_under_its_host_name(supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "SUPERVISOR", supervisor.url)
    monkeypatch.setattr(socket, "gethostname", lambda: "a0d7b954-ha-assist")
    announcing = start_announcing(8090, "a-key-for-tests", {"SUPERVISOR_TOKEN": TOKEN})
    assert announcing is not None
    await announcing
    assert supervisor.heard[0][1]["config"]["url"] == "http://a0d7b954-ha-assist:8090"


def test_supervisor_and_integration_know_the_service() -> None:
    assert yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["discovery"] == [SERVICE]
    manifest = json.loads((ROOT / "custom_components" / SERVICE / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["domain"] == SERVICE
