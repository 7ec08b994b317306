"""Home Assistant's events on a bad day: cut, delayed, doubled, out of order, and begun anew after a restart."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from ha_assist_addon.conversation import CallEvent
from ha_assist_addon.verification.actions import OPEN_SECONDS, RecentActions
from ha_assist_addon.verification.evidence import Evidence
from ha_assist_addon.verification.states import StateEvents

from .house import Pipeline
from .simulated_home import Lamp, SimulatedHome, falsely_confirmed, falsely_doubted


class ChaoticEvents:
    """Stands between the lamps and what listens; `speed` shortens all times."""

    def __init__(self, events: StateEvents, random: Random, speed: float) -> None:
        self._events = events
        self._random = random
        self._speed = speed
        self._lamps: Mapping[str, Lamp] = {}
        self._stamps: dict[str, float] = {}
        self._delay = 0.0
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, lamps: Mapping[str, Lamp]) -> None:
        """The first connection."""
        self._lamps = {lamp.entity_id: lamp for lamp in lamps.values()}
        self._connect()

    async def report(self, entity_id: str, state: str, at: float) -> None:
        """What a lamp reports reaches the listener somehow, or not."""
        self._stamps[entity_id] = at
        event = {"c": {entity_id: {"+": {"s": state, "lc": at}}}}
        for _ in range(self._random.choice((1, 1, 1, 2))):
            delay = self._delay + self._random.choice((0, 0, 0, self._random.uniform(0, 2)))
            if delay:
                self._later(event, delay * self._speed)
            elif self._events.connected:
                self._events.take(event)

    async def misbehave(self) -> None:
        """For ever: one thing after the other goes wrong with the connection."""
        while True:
            await asyncio.sleep(self._random.uniform(0.2, 3) * self._speed)
            match self._random.choice(("cut", "restart", "slow", "fast")):
                case "cut":
                    self._events.end()
                    await asyncio.sleep(self._random.uniform(0, 2) * self._speed)
                    self._connect()
                case "restart":
                    self._events.end()
                    await asyncio.sleep(self._random.uniform(0, 2) * self._speed)
                    now = time.time()
                    self._stamps = dict.fromkeys(self._lamps, now)
                    self._connect(unavailable=self._random.random() < 0.5)
                case "slow":
                    self._delay = self._random.uniform(0, 2)
                case "fast":
                    self._delay = 0.0

    def _connect(self, *, unavailable: bool = False) -> None:
        self._events.begin(self._lamps)
        told = {
            entity_id: {
                "s": "unavailable" if unavailable else lamp.state,
                "a": {"friendly_name": lamp.name, "brightness": 10},
                "lc": self._stamps.get(entity_id, 1.0),
            }
            for entity_id, lamp in self._lamps.items()
        }
        self._events.take({"a": told})
        if unavailable:
            # Restored: the state of before the restart, written anew.
            now = time.time()
            self._stamps = dict.fromkeys(self._lamps, now)
            self._events.take({"c": {e: {"+": {"s": lamp.state, "lc": now}} for e, lamp in self._lamps.items()}})

    def _later(self, event: Mapping[str, Any], seconds: float) -> None:
        async def tell() -> None:
            await asyncio.sleep(seconds)
            if self._events.connected:
                self._events.take(event)

        task = asyncio.create_task(tell())
        self._running.add(task)
        task.add_done_callback(self._running.discard)


@dataclass(slots=True)
class Outcome:
    """What came of many actions."""

    actions: int = 0
    confirmed: int = 0
    doubted: int = 0
    false_doubts: int = 0
    reads: int = 0
    false_confirmations: list[str] = field(default_factory=list)


async def switch_lamps(
    pipeline: Pipeline, actions: int, *, seed: int, lamps: int = 40, speed: float = 0.04, with_events: bool = True
) -> Outcome:
    """So many turns, with lamps that are often told the opposite before they have reported; seeded."""
    random = Random(seed)
    events = StateEvents() if with_events else None
    evidence = Evidence(actions=RecentActions(OPEN_SECONDS * speed), events=events)
    pipeline.services = replace(pipeline.services, evidence=evidence)
    names = [f"Lamp {chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(lamps)]

    async def silent(_entity_id: str, _state: str, _at: float) -> None:
        return

    chaotic = ChaoticEvents(events, random, speed) if events is not None else None
    home = SimulatedHome([Lamp(n) for n in names], asker(pipeline), chaotic.report if chaotic is not None else silent)
    background = []
    if chaotic is not None:
        chaotic.begin(home.lamps)
        background.append(asyncio.create_task(chaotic.misbehave()))
    outcome = Outcome()
    left = iter(range(actions))

    async def work(lamp: Lamp) -> None:
        for _ in left:
            lag = random.choice((0.0, 0.02, 0.1, 0.3, 1.0, 3.0, None))
            lamp.lag = None if lag is None else lag * speed
            spoken = await home.say(f"turn {random.choice(('on', 'off'))} {lamp.name}")
            assert spoken.command is not None, spoken
            outcome.actions += 1
            outcome.reads += spoken.reads
            outcome.confirmed += spoken.verification == "confirmed"
            outcome.doubted += spoken.verification == "unconfirmed"
            outcome.false_doubts += falsely_doubted(spoken, lamp)
            if falsely_confirmed(spoken, lamp):
                outcome.false_confirmations.append(f"{lamp.name}: {spoken}, {lamp.state}, {lamp.commands[-5:]}")
            await asyncio.sleep(random.choice((0, 0, 0.3, 3)) * speed)

    await asyncio.gather(*(work(lamp) for lamp in home.lamps.values()))
    for task in background:
        task.cancel()
    await home.settle()
    return outcome


def asker(pipeline: Pipeline) -> Callable[[Mapping[str, Any]], Awaitable[tuple[Mapping[str, Any], Mapping[str, Any]]]]:
    """Asks the pipeline as a client would, without HTTP."""

    async def ask(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        decision = await pipeline.decide_async(body)
        calls = [
            {
                "id": event.call.id,
                "type": "function",
                "function": {"name": event.call.name, "arguments": json.dumps(dict(event.call.arguments))},
            }
            for event in decision.events
            if isinstance(event, CallEvent)
        ]
        message = {"role": "assistant", "content": decision.text or None, **({"tool_calls": calls} if calls else {})}
        return message, decision.trace.metrics()

    return ask
