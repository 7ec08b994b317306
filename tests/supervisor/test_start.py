"""The start and the end of the real process: what it says once, and that nothing in the background holds it up."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.supervisor.fake_home_assistant import TOKEN, FakeHomeAssistant
from tests.support.shared import ROOT

ENVIRONMENT = {n: v for n, v in os.environ.items() if not n.startswith("HA_ASSIST_") and n != "SUPERVISOR_TOKEN"}
QUICK = 5.0
"""Seconds; without care the process would wait for all that is loaded in the background."""


class Process:
    """The server and the lines that it logged so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.lines: list[str] = []

    async def line(self, pattern: str) -> re.Match[str]:
        """The next line that holds the pattern."""
        assert self._process.stdout is not None
        while raw := await self._process.stdout.readline():
            self.lines.append(raw.decode().rstrip())
            if found := re.search(pattern, self.lines[-1]):
                return found
        raise AssertionError(self.lines)

    async def stop(self) -> tuple[int, float]:
        """The exit status, and how long the end took."""
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        rest, _ = await self._process.communicate()
        self.lines += rest.decode().splitlines()
        return await self._process.wait(), time.monotonic() - began


@asynccontextmanager
async def started(data_dir: Path, environ: Mapping[str, str] | None = None) -> AsyncIterator[Process]:
    """The server on free ports; it ends with the context if the test did not end it."""
    arguments = ("--data-dir", str(data_dir), "--host", "127.0.0.1", "--port", "0", "--panel-port", "0")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ha_assist_addon", "serve", *arguments),
        cwd=ROOT,
        env={**ENVIRONMENT, **(environ or {})},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(60):
            yield Process(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("seconds", [0, 0.2, 1])
async def test_it_stops_at_once_during_the_warm_up(tmp_path: Path, seconds: float) -> None:
    async with started(tmp_path) as server:
        await server.line("The panel listens")
        await asyncio.sleep(seconds)
        status, took = await server.stop()
    assert (status, [line for line in server.lines if "Traceback" in line or "rror" in line]) == (0, [])
    assert took < QUICK


async def test_health_answers_during_the_warm_up(tmp_path: Path) -> None:
    async with started(tmp_path) as server:
        port = (await server.line(r"HA-Assist listens on port (\d+)"))[1]
        async with aiohttp.ClientSession() as http:
            for _ in range(10):
                began = time.monotonic()
                async with http.get(f"http://127.0.0.1:{port}/health") as response:
                    assert response.status == 200
                assert time.monotonic() - began < 2
                await asyncio.sleep(0.1)
        assert (await server.stop())[0] == 0


async def test_home_assistant_is_read_and_left(tmp_path: Path, home_assistant: FakeHomeAssistant) -> None:
    environ = {"HA_ASSIST_HOME_ASSISTANT_URL": home_assistant.url, "HA_ASSIST_HOME_ASSISTANT_TOKEN": TOKEN}
    async with started(tmp_path, environ) as server:
        await server.line("Home Assistant tells 2 floors, 3 areas")
        status, took = await server.stop()
    assert status == 0
    assert took < QUICK
    assert TOKEN not in "\n".join(server.lines)


async def test_a_supervisor_that_is_not_there_holds_nothing_up(tmp_path: Path) -> None:
    async with started(tmp_path, {"SUPERVISOR_TOKEN": "not-a-token"}) as server:
        await server.line("The panel listens")
        status, took = await server.stop()
    assert status == 0
    assert took < QUICK
    assert "not-a-token" not in "\n".join(server.lines)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("models: {upstream: {enabled: true}}", "models.upstream is enabled and has no address"),
        ("settings: {ha_assist_queue: many}", "ha_assist_queue"),
    ],
)
async def test_what_is_wrong_with_the_settings_is_said_once(tmp_path: Path, settings: str, sentence: str) -> None:
    (tmp_path / "settings.yaml").write_text(settings)
    async with started(tmp_path) as server:
        await server.line("The panel listens")
        await server.stop()
    assert len([line for line in server.lines if sentence in line]) == 1
