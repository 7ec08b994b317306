"""The long run of clients: `script/fuzz crowd` lets 64 of them talk for two minutes and prints what became of it."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import aiohttp

from tests.api.test_process import started
from tests.support.fake_upstream import FakeUpstream, Scripted, delta, events
from tests.support.house import House, body, thing

_KEY = "crowd"
_STORY = Scripted([0.4, *events(delta(content="A story."), delta("stop"))])


class _Crowd:
    def __init__(self, url: str, seconds: float) -> None:
        self.url = url
        self.until = time.monotonic() + seconds
        self.times: defaultdict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def client(self, number: int, http: aiohttp.ClientSession) -> None:
        """One person at home: nine commands in ten, and now and then a chat or a hasty leave."""
        rng = random.Random(number)
        name = f"Lamp {number}"
        house = House((thing(name, "light", "Office"),))
        while time.monotonic() < self.until:
            kind = rng.choices(("direct", "model", "leaves"), (8, 2, 1))[0]
            sentence = "tell me a story" if kind == "model" else f"turn on the {name}"
            request = body(house, sentence, stream=rng.random() < 0.5)
            if kind == "leaves":
                await self._leave(request, http)
                continue
            began = time.perf_counter()
            async with http.post(self.url, json=request) as response:
                text = await response.text()
            self.times[kind].append(time.perf_counter() - began)
            self.statuses[f"{kind} {response.status}"] += 1
            self._judge(kind, name, response, text)

    def _judge(self, kind: str, name: str, response: aiohttp.ClientResponse, text: str) -> None:
        if kind == "direct":
            right = response.status == 200 and json.dumps({"name": name}, separators=(",", ":"))[1:-1] in text.replace(
                "\\", ""
            )
        elif response.status == 503:
            right = "Retry-After" in response.headers and '"busy"' in text
        else:
            right = response.status == 200 and "A story." in text
        if not right:
            self.wrong.append(f"{kind} {response.status} {text[:200]}")

    async def _leave(self, request: object, http: aiohttp.ClientSession) -> None:
        try:
            async with asyncio.timeout(0.01):
                async with http.post(self.url, json=request) as response:
                    await response.read()
        except (TimeoutError, aiohttp.ClientError):
            self.statuses["left"] += 1


async def _run(url: str, clients: int, seconds: float) -> _Crowd:
    crowd = _Crowd(url, seconds)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers={"Authorization": f"Bearer {_KEY}"}) as http:
        await asyncio.gather(*(crowd.client(number, http) for number in range(clients)))
    return crowd


async def _whole(clients: int, seconds: float) -> int:
    upstream = FakeUpstream()
    async with upstream.running() as up:
        up.default = _STORY
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "settings.yaml").write_text(
                "settings:\n  ha_assist_languages: [en]\n"
                f"models:\n  upstream:\n    enabled: true\n    base_url: {up.url}\n    model: small\n",
                encoding="utf-8",
            )
            with started(Path(folder), "--api-key", _KEY) as (process, port):
                url = f"http://127.0.0.1:{port}/v1/chat/completions"
                await _run(url, 1, 2)
                memory = [_memory(process.pid)]
                watch = asyncio.create_task(_watch(process.pid, seconds / 4, memory))
                crowd = await _run(url, clients, seconds)
                watch.cancel()
                memory.append(_memory(process.pid))
    print(f"{clients} clients, {seconds:.0f} s; memory of the server by quarters: {memory} MB")
    for kind, times in sorted(crowd.times.items()):
        print(f"{kind}: {len(times)} answers, median {_ms(times, 0.5)}, p95 {_ms(times, 0.95)}, p99 {_ms(times, 0.99)}")
    print(", ".join(f"{name}: {count}" for name, count in sorted(crowd.statuses.items())))
    print(f"{len(crowd.wrong)} wrong", *crowd.wrong[:5], sep="\n")
    return 1 if crowd.wrong else 0


def _ms(times: Sequence[float], share: float) -> str:
    return f"{statistics.quantiles(times, n=1000)[int(share * 1000) - 1] * 1000:.0f} ms"


async def _watch(pid: int, every: float, found: list[int]) -> None:
    while True:
        await asyncio.sleep(every)
        found.append(_memory(pid))


def _memory(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // (1024 * 1024)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status is 1 where an answer was wrong."""
    parser = argparse.ArgumentParser(prog="script/fuzz crowd", description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=120)
    known = parser.parse_args(arguments)
    return asyncio.run(_whole(known.clients, known.seconds))
