"""Round trips, one row for each kind of request; the contestants take turns, so that a busy machine is busy for all."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench_homes import HITS, MISSES, QUESTIONS, REPAIRS, Request, Scene, scene_of
from bench_servers import OURS, Contestant, Server

BLOCK = 10
"""Requests to one contestant before the next one's turn: who is always interrupted never has its data in the caches."""

Timed = Callable[[Request], Awaitable[tuple[float, bytes]]]
Row = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many requests each row is measured with, and after how many seconds it is cut short."""

    warm: int = 200
    other: int = 60
    cold: int = 20
    clients: int = 320
    mixed: int = 10_000
    starts: int = 5
    row_seconds: float = 25.0
    entities: tuple[int, ...] = (10, 60, 300, 1000, 5000)
    loop_entities: tuple[int, ...] = (1000, 5000, 20_000)


QUICK = Sizes(40, 10, 3, 64, 400, 1, 2.5, (60, 1000), (1000,))


def summary(values: Sequence[float], cpu_seconds: float | None = None) -> dict[str, float]:
    """Median and percentiles in milliseconds, and the processor time of one request."""
    ordered = sorted(values)
    found = {"requests": len(ordered), "median_ms": round(statistics.median(ordered), 2)}
    for share in (95, 99):
        found[f"p{share}_ms"] = round(ordered[min(len(ordered) - 1, share * len(ordered) // 100)], 2)
    if cpu_seconds is not None:
        found["cpu_ms"] = round(cpu_seconds * 1000 / len(ordered), 2)
    return found


async def row(
    contestants: Sequence[Contestant], requests: Sequence[Request], seconds: float, block: int = BLOCK
) -> Row:
    """Send the requests to every contestant in turn, block by block, the first one changing."""
    return await timed_row([(c, c.post) for c in contestants], requests, seconds, block)


async def timed_row(
    ways: Sequence[tuple[Contestant, Timed]], requests: Sequence[Request], seconds: float, block: int = BLOCK
) -> Row:
    """The same with any way to time a request."""
    spent: dict[Contestant, list[float]] = {contestant: [] for contestant, _ in ways}
    before = {contestant: contestant.cpu_seconds() for contestant, _ in ways}
    order = list(ways)
    end = time.perf_counter() + seconds
    for start in range(0, len(requests), block):
        for contestant, post in order:
            for request in requests[start : start + block]:
                spent[contestant].append((await post(request))[0])
        order.reverse()
        if time.perf_counter() > end:
            break
    return {c.name: summary(values, c.cpu_seconds() - before[c]) for c, values in spent.items()}


async def calls(servers: Sequence[Server], requests: Sequence[Request]) -> dict[str, float]:
    """The share of requests that become a call, so that nobody is fast by saying nothing."""
    share = {}
    for server in servers:
        answers = [(await server.post(request))[1] for request in requests]
        share[server.name] = round(sum(b'"tool_calls":' in a for a in answers) / len(answers), 3)
    return share


async def round_trips(
    servers: Sequence[Server], contestants: Sequence[Contestant], entities: int, sizes: Sizes
) -> dict[str, Any]:
    """All rows of one size of home; only the first contestants are servers."""
    scene = scene_of(entities)
    both = scene.requests(HITS, 20 + sizes.warm)
    sample, hits = both[:20], both[20:]
    misses = scene.requests(MISSES, sizes.other + 1)
    questions = scene.requests(QUESTIONS, sizes.other)
    for contestant in contestants:
        for warming in (*sample, misses[-1]):
            await contestant.post(warming)

    async def rows_of(requests: Sequence[Request], block: int = BLOCK) -> Row:
        return await row(contestants, requests, sizes.row_seconds, block)

    rows: dict[str, Row] = {
        "command": await rows_of(hits),
        "command, said again": await rows_of([hits[0]] * sizes.other),
        "command, repaired": await rows_of(scene.requests(REPAIRS, sizes.other)),
        "question": await rows_of(questions),
        "miss": await rows_of(misses[:-1]),
        "changed catalogue": await rows_of(scene.changed(HITS, sizes.cold), 1),
    }
    found = {
        "entities": entities,
        "request_kb": round(len(hits[0].raw) / 1024, 1),
        "calls": await calls(servers, sample),
    }
    ours = next(server for server in servers if server.name == OURS)
    for name, first, rounds in (("question, its answer", questions, 1), ("verification", hits[: sizes.other], 2)):
        later = [r for request in first[: sizes.other] if (r := await later_round(ours, scene, request, rounds))]
        if later:
            rows[name] = await row(servers, later, sizes.row_seconds)
    streamed = scene.requests(HITS, sizes.other, stream=True)
    rows["first byte of a stream"] = await timed_row(
        [(server, server.first_byte) for server in servers], streamed, sizes.row_seconds
    )
    return {**found, "rows": rows}


async def later_round(server: Server, scene: Scene, request: Request, rounds: int) -> Request | None:
    """The request that follows after so many rounds of calls, as the server makes them."""
    said: Any = [request.sentence]
    for _ in range(rounds):
        _, reply = await server.post(scene.request(said))
        said = scene.after(said, reply)
        if said is None:
            return None
    return scene.request(said)


async def at_once(servers: Sequence[Server], entities: int, sizes: Sizes) -> dict[str, Any]:
    """Commands from 1, 8 and 32 clients at the same time."""
    requests = scene_of(entities).requests(HITS, sizes.clients)
    found: dict[str, Any] = {"entities": entities}
    for clients in (1, 8, 32):
        found[str(clients)] = {}
        for server in servers:
            share = requests if server.name == OURS else requests[: max(clients * 2, sizes.clients // 4)]
            cpu, start = server.cpu_seconds(), time.perf_counter()
            spent = await _by_clients(server, share, clients)
            took = time.perf_counter() - start
            figures = summary(spent, server.cpu_seconds() - cpu)
            found[str(clients)][server.name] = {**figures, "per_second": round(len(spent) / took, 1)}
    return found


async def _by_clients(server: Server, requests: Sequence[Request], clients: int) -> list[float]:
    waiting = list(requests)
    spent: list[float] = []

    async def client() -> None:
        while waiting:
            spent.append((await server.post(waiting.pop()))[0])

    await asyncio.gather(*(client() for _ in range(clients)))
    return spent
