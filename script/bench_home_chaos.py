"""Many actions while the events go wrong in every way, and an hour's flood of events at once."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.verification.states import StateEvents
from tests.support.chaotic_events import switch_lamps
from tests.support.house import Pipeline

SPEED = 0.04
"""All times are so much shorter than in a home: ten thousand waits take minutes, not hours."""
PER_SECOND = 500
ENTITIES = 300


async def chaos(actions: int, seed: int) -> dict[str, Any]:
    """With the usual patience, as often without events as with them."""
    found: dict[str, Any] = {"seed": seed, "false_confirmations": 0}
    for with_events in (True, False):
        with TemporaryDirectory() as folder:
            pipeline = Pipeline(Path(folder), "en")
            environ = {
                "HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": "en",
                "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_DELAY": str(0.5 * SPEED),
            }
            store = SettingsStore(Path(folder), environ=environ)
            pipeline.services = Services(store, GrammarLibrary(), BackendRegistry(store), TraceStore())
            outcome = await switch_lamps(pipeline, actions, seed=seed, speed=SPEED, with_events=with_events)
        for line in outcome.false_confirmations[:5]:
            print(f"falsely confirmed: {line}")
        counted = {**asdict(outcome), "false_confirmations": len(outcome.false_confirmations)}
        found["with_events" if with_events else "without_events"] = counted
        found["false_confirmations"] += counted["false_confirmations"]
    return found


def flood(seconds: int) -> dict[str, Any]:
    """As many events as 500 a second would be in this time, one right after the other."""
    events = StateEvents()
    ids = [f"light.lamp_{number}" for number in range(ENTITIES)]
    events.begin(ids)
    events.take({"a": {one: {"s": "off", "a": {"brightness": 1}, "lc": 1.0} for one in ids}})
    began, stamp = time.process_time(), time.time()

    def send(count: int) -> None:
        nonlocal stamp
        for number in range(count):
            stamp += 1 / PER_SECOND
            state = "on" if number // ENTITIES % 2 else "off"
            more = {"s": state, "a": {"brightness": number % 255}, "lc": stamp}
            events.take({"c": {ids[number % ENTITIES]: {"+": more}}})

    total = seconds * PER_SECOND
    send(min(total, 50_000))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    send(total)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    spent = time.process_time() - began
    return {"events": total, "grown_kb": round(grown / 1024, 1), "microseconds_each": round(spent / total * 1e6, 1)}
