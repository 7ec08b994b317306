"""A home whose lamps report late, never or wrongly, and a Home Assistant that carries out calls and reads states."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ha_assist_addon.home.toolbox import plain_name

from .house import House, body, result, thing

Report = Callable[[str, str, float], Awaitable[None]]


@dataclass(slots=True)
class Command:
    """What a lamp was told to be, and when it reported that."""

    wanted: str
    sent: float
    reported: float | None = None
    lost: bool = False


@dataclass(slots=True)
class Lamp:
    """A lamp: `lag` in seconds until it reports, None where it never does; `wrong` where it does the opposite."""

    name: str
    lag: float | None = 0.0
    wrong: bool = False
    state: str = "off"
    commands: list[Command] = field(default_factory=list)
    busy_until: float = 0.0
    """It does one thing after the other."""

    @property
    def entity_id(self) -> str:
        """As Home Assistant names it."""
        return f"light.{self.name.lower().replace(' ', '_')}"


@dataclass(frozen=True, slots=True)
class Spoken:
    """The end of a turn: what was said, how it was verified, and what it took."""

    text: str
    verification: str | None
    seconds: float
    """From the result of the action to the answer."""
    reads: int
    command: Command | None
    answered: float
    requests: int


class SimulatedHome:
    """Says sentences by `ask`, which posts a body and returns message and metrics, and carries out what comes back.

    `report` tells whoever listens that a lamp has reported.
    """

    def __init__(
        self,
        lamps: Sequence[Lamp],
        ask: Callable[[Mapping[str, Any]], Awaitable[tuple[Mapping[str, Any], Mapping[str, Any]]]],
        report: Report,
    ) -> None:
        self.lamps = {lamp.name: lamp for lamp in lamps}
        self.house = House(tuple(thing(lamp.name, "light", "Attic") for lamp in lamps))
        self._ask = ask
        self._report = report
        self._running: set[asyncio.Task[None]] = set()
        self._body = body(self.house)

    async def say(self, sentence: str) -> Spoken:
        """One turn, to its end."""
        messages: list[Any] = [{"role": "user", "content": sentence}]
        reads = requests = 0
        command: Command | None = None
        acted = time.time()
        while True:
            message, metrics = await self._ask({**self._body, "messages": [*self._body["messages"], *messages]})
            requests += 1
            calls = message.get("tool_calls") or ()
            if not calls:
                now = time.time()
                verification = metrics["ha_route"]["verification"]
                return Spoken(message["content"] or "", verification, now - acted, reads, command, now, requests)
            messages.append(message)
            for call in calls:
                name = plain_name(call["function"]["name"])
                arguments = json.loads(call["function"]["arguments"])
                if name == "GetLiveContext":
                    reads += 1
                    data: Any = self.overview()
                else:
                    command = await self.carry_out(arguments["name"], "on" if name == "HassTurnOn" else "off")
                    data = self.done(arguments["name"])
                    acted = time.time()
                messages.append(result({"data": data, "error": False}, call["id"]))

    async def carry_out(self, name: str, wanted: str) -> Command:
        """Tell a lamp; one that reports at once has done so when this returns, as a service call does."""
        lamp = self.lamps[name]
        command = Command(wanted, time.time(), lost=lamp.lag is None)
        lamp.commands.append(command)
        if lamp.lag is None:
            return command
        becomes = wanted if not lamp.wrong else {"on": "off", "off": "on"}[wanted]
        lamp.busy_until = max(lamp.busy_until, command.sent + lamp.lag)
        if lamp.busy_until <= time.time():
            await self._become(lamp, becomes, command)
        else:
            task = asyncio.create_task(self._later(lamp, becomes, command, lamp.busy_until))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return command

    async def _later(self, lamp: Lamp, becomes: str, command: Command, at: float) -> None:
        await asyncio.sleep(max(0.0, at - time.time()))
        await self._become(lamp, becomes, command)

    async def _become(self, lamp: Lamp, state: str, command: Command) -> None:
        command.reported = time.time()
        if lamp.state != state:
            lamp.state = state
            await self._report(lamp.entity_id, state, command.reported)

    def overview(self) -> dict[str, Any]:
        """What GetLiveContext tells."""
        listed = "".join(
            f"- names: {one.name}\n  domain: light\n  state: '{one.state}'\n  areas: Attic\n"
            for one in self.lamps.values()
        )
        return {"result": f"Live Context: An overview of the areas and the devices in this smart home:\n{listed}"}

    def done(self, name: str) -> dict[str, Any]:
        """What Home Assistant says of an action."""
        entity = {"name": name, "type": "entity", "id": self.lamps[name].entity_id}
        return {"speech": {}, "response_type": "action_done", "data": {"success": [entity], "failed": []}}

    async def settle(self) -> None:
        """Let every lamp report what it still has to."""
        while self._running:
            await asyncio.wait(set(self._running))


def falsely_confirmed(spoken: Spoken, lamp: Lamp) -> bool:
    """Whether it was said to be done while the state was another, or before an earlier command had ended it."""
    command = spoken.command
    if command is None or spoken.verification not in ("confirmed", "known"):
        return False
    if command.reported is not None and command.reported <= spoken.answered and not lamp.wrong:
        return False
    before = [
        one
        for one in lamp.commands
        if one.sent < command.sent
        and not one.lost
        and (one.reported is None or one.reported > spoken.answered)
        and one.wanted != command.wanted
    ]
    return bool(before) or lamp.state != command.wanted


def falsely_doubted(spoken: Spoken, lamp: Lamp) -> bool:
    """Whether it was doubted although the lamp had reported."""
    command = spoken.command
    return (
        command is not None
        and spoken.verification in ("unconfirmed", "pending")
        and command.reported is not None
        and command.reported < spoken.answered
        and not lamp.wrong
        and lamp.state == command.wanted
    )
