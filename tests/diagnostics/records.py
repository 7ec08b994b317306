"""Finished requests to keep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from ha_assist_addon.diagnostics.query import EVERYTHING, Filter
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.trace.trace import Exchange, Trace


def finished(
    sentence: str = "turn on the lamp",
    *,
    reply: str = "",
    outcome: str = "answered",
    reason: str = "exact_match",
    ago: timedelta = timedelta(),
    ms: float | None = None,
    rounds: int = 0,
    calls: tuple[tuple[str, dict[str, Any]], ...] = (),
    area: str | None = None,
    intent: str | None = None,
    **fields: Any,
) -> Trace:
    """A trace as a request leaves it behind."""
    trace = Trace("HA-Assist", sentence=sentence, started_at=datetime.now(UTC) - ago, reason=reason, **fields)
    trace.why = f"Because of {sentence}."
    trace.note("ha_history", rounds=rounds)
    trace.note("ha_plan", original=sentence, area=area, name=sentence.rsplit(" ", 1)[-1])
    trace.note("ha_intent", exact=intent)
    trace.calls = tuple({"name": name, "arguments": arguments} for name, arguments in calls)
    with trace.stage("history"):
        pass
    trace.finish(outcome, reply)
    if ms is not None:
        trace.total_ms = ms
    return trace


def private(word: str) -> Trace:
    """A request that has `word` in each of its parts."""
    trace = finished(
        f"turn on {word}",
        reply=f"{word} is on.",
        calls=(("HassTurnOn", {"name": word}),),
        area=word,
        conversation=word,
        request=f'{{"messages": "{word}"}}'.encode(),
        exchange=Exchange(({"role": "user", "content": word},), word),
    )
    trace.note("ha_verify", targets=[{"name": word}])
    trace.note("ha_validation", verdict="accepted", calls=[{"arguments": {"name": word}}])
    return trace


async def written(store: TraceStore, count: int, wanted: Filter = EVERYTHING) -> None:
    """Wait until the store has so many."""
    async with asyncio.timeout(20):
        while await store.count(wanted) != count:  # noqa: ASYNC110 - another thread writes
            await asyncio.sleep(0.01)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what another thread does."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
