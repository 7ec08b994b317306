"""What is measured: server processes, and plain hassil within this one."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from bench_homes import Request
from hassil import Intents, TextSlotList, recognize_best
from hassil.intents import SlotList
from home_assistant_intents import get_intents

from tests.support.shared import ROOT, SHARED

KEY = "a-key-for-the-bench"
OURS, THEIRS, PLAIN = "HA-Assist", "exact matcher", "plain hassil"
START_SECONDS = 60
_TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """One process under test."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], url: str, http: aiohttp.ClientSession) -> None:
        self.name = name
        self.url = url
        self.http = http
        self._pid = process.pid
        self.healthy_ms = 0.0

    def resident(self) -> float:
        """Resident memory in MB."""
        status = Path(f"/proc/{self._pid}/status").read_text(encoding="ascii")
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        return round(int(found[1]) / 1024, 1) if found else 0.0

    def cpu_seconds(self) -> float:
        """Processor time that the process has used."""
        fields = Path(f"/proc/{self._pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    async def post(self, request: Request) -> tuple[float, bytes]:
        """Milliseconds until the whole answer is there, and the answer."""
        start = time.perf_counter()
        async with self.http.post(f"{self.url}/chat/completions", data=request.raw) as response:
            answer = await response.read()
        spent = (time.perf_counter() - start) * 1000
        self._check(response.status, answer)
        return spent, answer

    async def first_byte(self, request: Request) -> tuple[float, bytes]:
        """Milliseconds until the first piece of a streamed answer is there, and the whole."""
        start = time.perf_counter()
        async with self.http.post(f"{self.url}/chat/completions", data=request.raw) as response:
            first = await response.content.readany()
            spent = (time.perf_counter() - start) * 1000
            answer = first + await response.read()
        self._check(response.status, answer)
        return spent, answer

    def _check(self, status: int, answer: bytes) -> None:
        if status != 200:
            raise SystemExit(f"{self.name} answered {status}: {answer[:300]!r}")


class PlainHassil:
    """Home Assistant's sentences matched in this process: no server, no body to read, no tool call to make."""

    name = PLAIN

    def __init__(self, language: str) -> None:
        self._intents = Intents.from_dict(get_intents(language) or {})
        self._lists: tuple[Sequence[Any], dict[str, SlotList]] = ((), {})
        self._used = 0.0

    def cpu_seconds(self) -> float:
        """Processor time that matching has used."""
        return self._used

    async def post(self, request: Request) -> tuple[float, bytes]:
        """Milliseconds of matching one sentence, with the lists of another home made first; no answer."""
        start, used = time.perf_counter(), time.thread_time()
        if self._lists[0] is not request.things:
            self._lists = (request.things, self._lists_of(request.things))
        recognize_best(request.sentence, self._intents, slot_lists=self._lists[1], best_slot_name="name")
        self._used += time.thread_time() - used
        return (time.perf_counter() - start) * 1000, b""

    @staticmethod
    def _lists_of(things: Sequence[Any]) -> dict[str, SlotList]:
        names = [(name, name, {"domain": thing.domain}) for thing in things for name in thing.names]
        areas = dict.fromkeys(area for thing in things for area in thing.areas)
        return {
            "name": TextSlotList.from_tuples(names, name="name"),
            "area": TextSlotList.from_strings(list(areas), name="area"),
            "floor": TextSlotList.from_strings([], name="floor"),
        }


Contestant = Server | PlainHassil


@asynccontextmanager
async def started(name: str, command: Sequence[str], url: str, health: str, log: Path) -> AsyncIterator[Server]:
    """Start a server and wait until it is healthy; ends it with the context."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HA_ASSIST_")}
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    start = time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs while it starts
            command, cwd=ROOT, env=environment, stdout=output, stderr=output
        )
        try:
            async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=0)) as http:
                server = Server(name, process, url, http)
                while True:
                    if process.poll() is not None or time.perf_counter() - start > START_SECONDS:
                        raise SystemExit(f"{name} did not start: {_end_of(log)}")
                    try:
                        async with http.get(health) as response:
                            if response.status == 200:
                                break
                    except aiohttp.ClientError:
                        await asyncio.sleep(0.005)
                server.healthy_ms = round((time.perf_counter() - start) * 1000, 1)
                yield server
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _end_of(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-800:]


@asynccontextmanager
async def ours(folder: Path, settings: str = "", data: Path | None = None) -> AsyncIterator[Server]:
    """HA-Assist with these settings (YAML) and a data folder of its own, unless one is named."""
    data = data or folder / f"data-{time.monotonic_ns()}"
    data.mkdir(exist_ok=True)
    data.joinpath("settings.yaml").write_text(settings, encoding="utf-8")
    port, panel = free_ports(2)
    command = [sys.executable, "-m", "ha_assist_addon", "serve", "--data-dir", str(data), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--panel-port", str(panel), "--api-key", KEY]
    base = f"http://127.0.0.1:{port}"
    async with started(OURS, command, f"{base}/v1", f"{base}/health", data / "log") as server:
        yield server


@asynccontextmanager
async def theirs(folder: Path, language: str) -> AsyncIterator[Server]:
    """The server that matches exactly and does nothing else."""
    (port,) = free_ports(1)
    command = [sys.executable, str(baseline()), "--port", str(port), "--languages", language]
    url = f"http://127.0.0.1:{port}/v1"
    async with started(THEIRS, command, url, f"{url}/models", folder / f"baseline-{port}.log") as server:
        yield server


def baseline() -> Path | None:
    """Where the other server is, if it is there."""
    path = SHARED / "eval" / "baseline_server.py" if SHARED else None
    return path if path is not None and path.is_file() else None


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
