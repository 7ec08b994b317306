"""What a server process costs besides its answers: its start, its memory, and how long others wait for its loop."""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench_homes import HITS, MISSES, QUESTIONS, REPAIRS, Request, scene_of
from bench_rows import Sizes, summary
from bench_servers import Server, baseline, ours, theirs

from ha_assist_addon.app import COLLECTED_AT, set_aside
from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.pipeline.run import run
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.wire.chat import parse_chat
from ha_assist_addon.wire.json_body import parse_json_object
from tests.support.fake_upstream import FakeUpstream

SENTENCES = {
    "en": "turn on the kitchen window lamp",
    "de": "schalte kitchen window lamp ein",
    "fr": "allume kitchen window lamp",
    "es": "enciende kitchen window lamp",
    "nl": "zet kitchen window lamp aan",
}
TICK_SECONDS = 0.001


async def starts(folder: Path, language: str, times: int) -> dict[str, dict[str, float]]:
    """Milliseconds from the start of a process to its first healthy answer, and its processor time until then."""
    spent: dict[str, list[float]] = {}
    used: dict[str, float] = {}
    makers = [partial(ours, folder), *([partial(theirs, folder, language)] if baseline() else [])]
    for _ in range(times):
        for make in makers:
            async with make() as server:
                spent.setdefault(server.name, []).append(server.healthy_ms)
                used[server.name] = used.get(server.name, 0.0) + server.cpu_seconds()
    return {name: summary(values, used[name]) for name, values in spent.items()}


async def memory(folder: Path) -> dict[str, float]:
    """Resident megabytes when just healthy, and with languages in use."""
    found = {}
    for name, languages in (("one language", ["en"]), ("five languages", list(SENTENCES)), ("as shipped", [])):
        async with ours(folder, f"settings:\n  ha_assist_languages: [{', '.join(languages)}]\n") as server:
            if not languages:
                found["empty, just healthy"] = server.resident()
            for language in languages or ["en"]:
                await server.post(scene_of(60).request([SENTENCES[language]]))
            await asyncio.sleep(2)  # what a start does in the background is over
            found[name] = server.resident()
    return found


async def growth(server: Server, count: int) -> dict[str, float]:
    """Resident megabytes of a server in use, after a tenth and after all of `count` mixed requests by eight clients."""
    scenes = [scene_of(60), scene_of(120)]
    mixed = [r for scene in scenes for r in scene.requests((*HITS, *QUESTIONS, *REPAIRS, *MISSES), 400)]
    mixed += [r for scene in scenes for r in scene.changed(HITS, 50)]
    found = {"before": server.resident()}
    start, cpu = time.perf_counter(), server.cpu_seconds()
    for first, last in ((0, count // 10), (count // 10, count // 2), (count // 2, count)):
        numbers = iter(range(first, last))
        await asyncio.gather(*(_send(server, mixed, numbers) for _ in range(8)))
        found[f"after {last}"] = server.resident()
    found["requests_per_second"] = round(count / (time.perf_counter() - start), 1)
    found["cpu_ms"] = round((server.cpu_seconds() - cpu) * 1000 / count, 2)
    return found


async def _send(server: Server, requests: Sequence[Request], numbers: Any) -> None:
    for number in numbers:
        await server.post(requests[number * 7 % len(requests)])


async def with_model(folder: Path, entities: int, sizes: Sizes) -> dict[str, Any]:
    """What is done before a model is asked, by the stages of the trace; the model answers at once."""
    scene = scene_of(entities)
    upstream = FakeUpstream()
    async with upstream.running():
        settings = (
            "settings:\n  ha_assist_languages: [en]\n  ha_assist_embeddings: true\n"
            f"models:\n  upstream:\n    enabled: true\n    base_url: {upstream.url}\n    model: quick\n"
            "    context_tokens: 8192\n    tool_form: json\n"
        )
        async with ours(folder, settings) as server:
            requests = scene.requests(MISSES, sizes.other + 2)
            for request in requests[:2]:
                await server.post(request)
            await asyncio.sleep(3 + entities / 200)  # vectors of the home are made in the background
            stages: dict[str, list[float]] = {}
            spent = []
            for request in requests[2:]:
                took, answer = await server.post(request)
                spent.append(took)
                for stage, ms in json.loads(answer)["metrics"]["ha_stages_ms"].items():
                    stages.setdefault(stage, []).append(ms)
            return {
                "entities": entities,
                "round trip": summary(spent),
                "stages": {stage: summary(values) for stage, values in stages.items()},
                "resident_mb": server.resident(),
            }


async def loop_blocked(entities: int, times: int) -> dict[str, float]:
    """How long the event loop is held up by a home that it has not seen, at most, in milliseconds.

    `cpu_ms` is the processor time of the loop's thread between two of its turns: another process does not lengthen it.
    """
    scene = scene_of(entities)
    with TemporaryDirectory() as folder:
        store = SettingsStore(Path(folder), environ={"HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": "en"})
        services = Services(store, GrammarLibrary(), BackendRegistry(store), TraceStore())
        services.grammars.get("en")
        changed = scene.changed(HITS, times)
        gc.set_threshold(*COLLECTED_AT)
        set_aside()
        for request in scene.requests(HITS, 20):
            await _answer(request, services)
        walls, cpus, whole = [], [], []
        for request in changed:
            start = time.perf_counter()
            wall, cpu = await _longest_wait(request, services)
            whole.append((time.perf_counter() - start) * 1000)
            walls.append(wall)
            cpus.append(cpu)
    return {
        "entities": entities,
        "request_ms": round(statistics.median(whole), 1),
        "wall_ms": round(statistics.median(walls), 1),
        "cpu_ms": round(statistics.median(cpus), 1),
        "most_cpu_ms": round(max(cpus), 1),
    }


async def _longest_wait(request: Request, services: Services) -> tuple[float, float]:
    answered = asyncio.create_task(_answer(request, services))
    wall = cpu = 0.0
    seen, used = time.perf_counter(), time.thread_time()
    while not answered.done():
        await asyncio.sleep(TICK_SECONDS)
        now, now_used = time.perf_counter(), time.thread_time()
        wall, cpu = max(wall, now - seen - TICK_SECONDS), max(cpu, now_used - used)
        seen, used = now, now_used
    await answered
    return wall * 1000, cpu * 1000


async def _answer(request: Request, services: Services) -> None:
    parsed = parse_chat(parse_json_object(request.raw)).chat
    async for _ in run(parsed, services, Trace("HA-Assist")):
        pass
