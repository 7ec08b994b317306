"""Whole HTTP round trips of HA-Assist, beside an exact matcher that answers the same requests in the same run.

Both run as processes of their own on 127.0.0.1; their requests alternate, so that a busy machine is busy for both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import cycle, islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp

from tests.support.house import House, Thing, body
from tests.support.shared import ROOT, SHARED

KEY = "a-key-for-the-bench"
OURS, THEIRS = "HA-Assist", "exact matcher"
SAMPLE = 20
"""Requests that show how many are answered with a call, before any are timed."""
ROOMS = ("Kitchen", "Hall", "Bedroom", "Office", "Attic", "Garage", "Pantry", "Study", "Nursery", "Library")
PLACES = ("Window", "Corner", "Desk", "Shelf", "Wall", "Door", "Sofa", "Table", "Bed", "Stove")
DEVICES = (
    ("Lamp", "light"),
    ("Spot", "light"),
    ("Plug", "switch"),
    ("Blind", "cover"),
    ("Sensor", "sensor"),
    ("Fan", "fan"),
)
BLOCK = 10
"""Requests to one server before the other's turn."""

HITS = (
    "turn on the {name}",
    "turn off the {name}",
    "switch on the {name}",
    "switch off the {name}",
    "please turn on the {name}",
    "turn {name} on",
    "turn {name} off",
    "turn off the lights in the {area}",
    "turn on the {area} lights",
    "is the {name} on?",
)
MISSES = (
    "make everything feel a little nicer for number {n} please",
    "what would you do about the {name} if you were number {n}",
    "tell me a story in which {n} dragons live in the {area}",
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many requests each row is measured with."""

    warm: int = 200
    misses: int = 60
    cold: int = 30


@dataclass(slots=True)
class Server:
    """One process under test."""

    name: str
    process: subprocess.Popen[bytes]
    url: str
    healthy_ms: float
    first_answer_ms: float = 0.0
    resident_start: float | None = None
    http: aiohttp.ClientSession = field(init=False)

    def resident(self) -> float | None:
        """Resident memory in MB, where the system tells it."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return None
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        return round(int(found[1]) / 1024, 1) if found else None

    async def post(self, raw: bytes) -> tuple[float, bytes]:
        """Milliseconds until the whole answer is there, and the answer."""
        start = time.perf_counter()
        async with self.http.post(f"{self.url}/chat/completions", data=raw) as response:
            answer = await response.read()
        spent = (time.perf_counter() - start) * 1000
        if response.status != 200:
            raise SystemExit(f"{self.name} answered {response.status}: {answer[:300]!r}")
        return spent, answer


def home(count: int, extra: str = "") -> House:
    """A home of `count` entities; `extra` makes it another catalogue."""
    whole = ((f"{place} {device}", domain, room) for place, (device, domain), room in product(PLACES, DEVICES, ROOMS))
    things = []
    for number, (name, domain, room) in enumerate(islice(cycle(whole), count)):
        room_number = number // (len(ROOMS) * len(PLACES) * len(DEVICES))
        area = f"{room} {room_number + 1}" if room_number else room
        things.append(Thing((f"{area} {name}",), domain, (area,)))
    if extra:
        things.append(Thing((extra,), "light", (things[0].areas[0],)))
    return House(tuple(things))


def sentences(templates: Sequence[str], house: House, count: int) -> list[str]:
    """Distinct sentences about the home, spread over all of it."""
    lights = [t for t in house.things if t.domain in {"light", "switch"}]
    pairs = list(product(templates, lights))
    random.Random(count).shuffle(pairs)  # noqa: S311 - the same order at every run
    made = dict.fromkeys(
        template.format(name=thing.name.lower(), area=thing.areas[0].lower(), n=number)
        for number, (template, thing) in enumerate(pairs)
    )
    if len(made) < count:
        raise SystemExit(f"The home is too small for {count} distinct sentences.")
    return list(made)[:count]


def serialise(house: House, said: Sequence[str]) -> list[bytes]:
    """Requests ready to send."""
    whole = body(house, "")
    made = []
    for sentence in said:
        whole["messages"][-1]["content"] = sentence
        made.append(json.dumps(whole, ensure_ascii=False).encode())
    return made


@asynccontextmanager
async def started(name: str, command: Sequence[str], port: int, health: str, folder: Path) -> AsyncIterator[Server]:
    """Start a server and wait until it is healthy; ends it with the context."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HA_ASSIST_")}
    log = folder.joinpath(f"{name}.log").open("wb")
    start = time.perf_counter()
    process = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs while it starts
        command, cwd=ROOT, env=environment, stdout=log, stderr=log
    )
    url = f"http://127.0.0.1:{port}/v1"
    try:
        async with aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
        ) as http:
            while True:
                if process.poll() is not None or time.perf_counter() - start > 60:
                    raise SystemExit(f"{name} did not start: {folder.joinpath(f'{name}.log').read_text()[-800:]}")
                try:
                    async with http.get(f"http://127.0.0.1:{port}{health}") as response:
                        if response.status == 200:
                            break
                except aiohttp.ClientError:
                    await asyncio.sleep(0.01)
            server = Server(name, process, url, round((time.perf_counter() - start) * 1000, 1))
            server.http = http
            server.resident_start = server.resident()
            yield server
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


async def row(servers: Sequence[Server], bodies: Sequence[bytes]) -> dict[str, dict[str, float]]:
    """Send the requests to every server in turn, block by block, the first one changing.

    In blocks, since a server whose every request follows one of the other's never finds its data in the CPU's caches.
    """
    spent: dict[str, list[float]] = {server.name: [] for server in servers}
    for number, start in enumerate(range(0, len(bodies), BLOCK)):
        for server in servers if number % 2 else reversed(servers):
            for raw in bodies[start : start + BLOCK]:
                spent[server.name].append((await server.post(raw))[0])
    return {name: summary(values) for name, values in spent.items()}


def summary(values: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(values)
    return {
        "requests": len(ordered),
        "median_ms": round(statistics.median(ordered), 2),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 2),
    }


async def answered(servers: Sequence[Server], bodies: Sequence[bytes]) -> dict[str, float]:
    """The share of requests that become a call, so that nobody is fast by saying nothing."""
    share = {}
    for server in servers:
        calls = [
            b'"tool_calls": [' in answer or b'"tool_calls":[' in answer
            for _, answer in [await server.post(raw) for raw in bodies]
        ]
        share[server.name] = round(sum(calls) / len(calls), 3)
    return share


async def measure(servers: Sequence[Server], entities: int, sizes: Sizes) -> dict[str, Any]:
    """All rows of one size of home."""
    house = home(entities)
    both = serialise(house, sentences(HITS, house, SAMPLE + sizes.warm))
    sample, hits = both[:SAMPLE], both[SAMPLE:]
    misses = serialise(house, sentences(MISSES, house, sizes.misses + 1))
    cold = [
        serialise(other, sentences(HITS, other, 1))[0]
        for other in (home(entities, f"New Lamp {n}") for n in range(sizes.cold))
    ]
    warming = (sample[0], misses.pop())
    for server in servers:
        for raw in warming:
            await server.post(raw)
    return {
        "entities": len(house.things),
        "request_kb": round(len(hits[0]) / 1024, 1),
        "calls": await answered(servers, sample),
        "warm hit": await row(servers, hits),
        "warm miss": await row(servers, misses),
        "changed catalogue": await row(servers, cold),
    }


async def run(sizes: Sizes, languages: str) -> dict[str, Any]:
    """Start both, measure, and gather the figures."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        ours_port, theirs_port, panel = free_ports(3)
        ours = [
            sys.executable,
            "-m",
            "ha_assist_addon",
            "serve",
            "--data-dir",
            str(folder / "data"),
            "--host",
            "127.0.0.1",
        ]
        ours += ["--port", str(ours_port), "--panel-port", str(panel), "--api-key", KEY]
        if languages:
            folder.joinpath("data").mkdir()
            settings = f"settings:\n  ha_assist_languages: [{languages}]\n"
            folder.joinpath("data", "settings.yaml").write_text(settings, encoding="utf-8")
        servers = [await stack.enter_async_context(started(OURS, ours, ours_port, "/health", folder))]
        skipped = None
        baseline = SHARED / "eval" / "baseline_server.py" if SHARED else None
        if baseline is not None and baseline.is_file():
            theirs = [sys.executable, str(baseline), "--port", str(theirs_port), "--languages", languages or "en"]
            servers.append(await stack.enter_async_context(started(THEIRS, theirs, theirs_port, "/v1/models", folder)))
        else:
            skipped = "there is no ../shared/eval/baseline_server.py; HA_ASSIST_SHARED can name its folder"
        first = serialise(home(60), ["turn on the kitchen window lamp"])[0]
        for server in servers:
            server.first_answer_ms = round((await server.post(first))[0], 1)
        homes = [await measure(servers, entities, sizes) for entities in (60, 1000)]
        return {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            "load": [round(value, 2) for value in os.getloadavg()],
            "languages": languages or "default",
            "baseline_skipped": skipped,
            "processes": {
                s.name: {
                    "healthy_ms": s.healthy_ms,
                    "first_answer_ms": s.first_answer_ms,
                    "resident_start_mb": s.resident_start,
                    "resident_end_mb": s.resident(),
                }
                for s in servers
            },
            "homes": homes,
        }


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def table(figures: Mapping[str, Any]) -> str:
    """The figures for a person."""
    names = list(figures["processes"])
    lines = [f"{figures['at']}  {figures['machine']}  load {figures['load'][0]}  languages {figures['languages']}", ""]
    lines.append(f"{'process':<16}{'healthy':>12}{'first answer':>16}{'memory at start':>18}{'after the run':>16}")
    for name, process in figures["processes"].items():
        lines.append(
            f"{name:<16}{process['healthy_ms']:>9.0f} ms{process['first_answer_ms']:>13.0f} ms"
            f"{process['resident_start_mb'] or 0:>15.0f} MB{process['resident_end_mb'] or 0:>13.0f} MB"
        )
    for measured in figures["homes"]:
        shares = ", ".join(f"{name} {share:.0%}" for name, share in measured["calls"].items())
        lines += [
            "",
            f"{measured['entities']} entities, {measured['request_kb']} kB a request; answered with a call: {shares}",
        ]
        lines.append(f"{'median / p95 (ms)':<20}" + "".join(f"{name:>22}" for name in names) + f"{'ratio':>16}")
        for kind in ("warm hit", "warm miss", "changed catalogue"):
            found = measured[kind]
            cells = "".join(f"{found[name]['median_ms']:>13.2f} /{found[name]['p95_ms']:>7.2f}" for name in names)
            lines.append(f"{kind:<20}{cells}{ratio(found, names):>16}")
        slower = measured["warm miss"][OURS]["p95_ms"] / measured["warm hit"][OURS]["p95_ms"]
        lines.append(f"p95 of a miss / p95 of a hit, {OURS}: {slower:.2f}")
    if figures["baseline_skipped"]:
        lines += ["", f"Without the exact matcher: {figures['baseline_skipped']}."]
    return "\n".join(lines)


def ratio(found: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> str:
    """Ours against theirs: median, then p95."""
    if len(names) < 2:
        return "-"
    ours, theirs = found[names[0]], found[names[1]]
    return f"{ours['median_ms'] / theirs['median_ms']:.2f} / {ours['p95_ms'] / theirs['p95_ms']:.2f}"


def main() -> int:
    """Measure, print, and write the JSON file."""
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "bench.json", help="where the figures go")
    parser.add_argument("--languages", default="", help="enable only these, such as en or en,de (default: as shipped)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the requests")
    given = parser.parse_args()
    figures = asyncio.run(run(Sizes(20, 6, 3) if given.quick else Sizes(), given.languages))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(table(figures))
    print(f"\nThe figures as JSON: {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
