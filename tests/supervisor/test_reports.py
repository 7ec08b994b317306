"""A device's report ends the wait, through the real server: with events, without, and when they fail in the middle."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import build_services, listening
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.bootstrap import Bootstrap
from tests.supervisor.conftest import until
from tests.supervisor.fake_home_assistant import TOKEN, FakeHomeAssistant
from tests.support.house import body, result
from tests.support.simulated_home import Command, Lamp, SimulatedHome

KEY = "a-key-for-tests"
PATIENT = "settings:\n  ha_assist_languages: [en]\n  ha_assist_verify_delay: 30\n"
"""Nobody waits that long: where it is waited, only a report can have ended it."""
SECRET = "light.secret_lamp"
"""Exposed too, but in no request."""
QUICK = PATIENT.replace("30", "0.05")


@cache
def library() -> GrammarLibrary:
    """Loaded once for all tests."""
    return GrammarLibrary()


class Home(SimulatedHome):
    """What was told of the last answer."""

    metrics: Mapping[str, Any]
    services: Services
    fake: FakeHomeAssistant
    stream: Callable[[Mapping[str, Any]], Coroutine[Any, Any, str]]

    @property
    def told(self) -> Mapping[str, Any]:
        """The only target."""
        (target,) = self.metrics["ha_verify"]["targets"]
        return dict(target)


@pytest.fixture(autouse=True)
def _no_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SUPERVISOR_TOKEN", "HA_ASSIST_HOME_ASSISTANT_URL", "HA_ASSIST_HOME_ASSISTANT_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@asynccontextmanager
async def home(folder: Path, lamp: Lamp, settings: str, *, events: bool = True) -> AsyncIterator[Home]:
    """A server that hears of one lamp."""
    (folder / "settings.yaml").write_text(settings)
    async with FakeHomeAssistant().running() as fake:
        fake.exposed = {lamp.entity_id, SECRET}
        fake.live = {
            lamp.entity_id: {"s": lamp.state, "a": {"friendly_name": lamp.name}, "c": "", "lc": 1.0},
            SECRET: {"s": "on", "a": {"friendly_name": "Secret Lamp"}, "c": "", "lc": 1.0},
        }
        where = {"home_assistant_url": fake.url, "home_assistant_token": TOKEN} if events else {}
        services = replace(build_services(Bootstrap.load(data_dir=folder, **where)), grammars=library())
        async with (
            listening(create_api(services, KEY), "127.0.0.1", 0, drain=1) as port,
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http,
        ):

            async def ask(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
                async with http.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=body) as response:
                    answer = await response.json()
                simulated.metrics = answer["metrics"]
                return answer["choices"][0]["message"], answer["metrics"]

            async def stream(body: Mapping[str, Any]) -> str:
                async with http.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=body) as response:
                    return await response.text()

            simulated = Home([lamp], ask, fake.report)
            simulated.stream = stream
            simulated.services, simulated.fake = services, fake
            if services.states is not None:
                services.states.start()
                heard = services.evidence.events
                assert heard is not None
                await until(lambda: heard.follows(lamp.entity_id))
            yield simulated
            await simulated.settle()
            if services.states is not None:
                await services.states.close()
        await services.backends.close()


@pytest.mark.parametrize("lag", [0.0, 0.05, 0.3])
async def test_a_report_ends_the_wait_and_nothing_is_read(tmp_path: Path, lag: float) -> None:
    async with home(tmp_path, Lamp("Attic Lamp", lag), PATIENT) as simulated:
        spoken = await simulated.say("turn on the attic lamp")
        assert (spoken.text, spoken.verification) == ("Turned on the light", "confirmed")
        assert spoken.reads == 0 or lag == 0, "a report that overtakes the event is read"
        assert (simulated.told["verdict"], simulated.metrics["ha_verify"]["events"]) == ("reached", True)
        if not spoken.reads:
            assert simulated.told["source"] == "event"
            assert simulated.metrics["ha_route"]["reason"] == "verify_state"


async def test_without_events_the_state_is_read(tmp_path: Path) -> None:
    async with home(tmp_path, Lamp("Attic Lamp", 0.0), QUICK, events=False) as simulated:
        spoken = await simulated.say("turn on the attic lamp")
        assert (spoken.verification, spoken.reads) == ("confirmed", 1)
        assert (simulated.told["source"], simulated.metrics["ha_verify"]["events"]) == ("read", False)


async def test_what_is_so_already_is_read_once_and_confirmed(tmp_path: Path) -> None:
    async with home(tmp_path, Lamp("Attic Lamp", 0.0), PATIENT) as simulated:
        spoken = await simulated.say("turn off the attic lamp")
        assert (spoken.verification, spoken.reads) == ("confirmed", 1)


async def test_the_answer_streams_as_soon_as_the_device_has_reported(tmp_path: Path) -> None:
    lamp = Lamp("Attic Lamp", None)
    async with home(tmp_path, lamp, PATIENT) as simulated:
        message, _ = await simulated._ask(body(simulated.house, "turn on the attic lamp"))
        (call,) = message["tool_calls"]
        told = result({"data": simulated.done("Attic Lamp"), "error": False}, call["id"])
        request = body(simulated.house, "turn on the attic lamp", message, told, stream=True)
        streaming = asyncio.create_task(simulated.stream(request))
        events = simulated.services.evidence.events
        assert events is not None
        await until(lambda: events._waiting)
        assert not streaming.done()
        lamp.lag = 0.0
        await simulated.carry_out("Attic Lamp", "on")
        async with asyncio.timeout(10):
            assert "Turned on the light" in await streaming


@pytest.mark.parametrize("events", [True, False])
async def test_a_state_from_before_confirms_nothing(tmp_path: Path, events: bool) -> None:
    lamp = Lamp("Attic Lamp", None)
    async with home(tmp_path, lamp, QUICK, events=events) as simulated:
        assert (await simulated.say("turn on the attic lamp")).verification == "unconfirmed"
        off = await simulated.say("turn off the attic lamp")
        assert off.verification == "unconfirmed", "it is off because it has not even come on"
        assert "has not yet reported" in off.text
        assert simulated.told["stale"] is True


async def test_once_it_has_reported_everything_its_state_counts_again(tmp_path: Path) -> None:
    lamp = Lamp("Attic Lamp", None)
    async with home(tmp_path, lamp, QUICK) as simulated:
        for wanted in ("on", "off"):
            assert (await simulated.say(f"turn {wanted} the attic lamp")).verification == "unconfirmed"
        for state in ("on", "off"):
            await simulated.fake.report(lamp.entity_id, state)
        heard = simulated.services.evidence.events
        assert heard is not None
        await until(lambda: len(heard.changes(lamp.entity_id)) == 2)
        assert (await simulated.say("turn off the attic lamp")).verification == "confirmed"


async def test_the_report_of_an_earlier_action_is_not_taken_for_this_ones(tmp_path: Path) -> None:
    lamp = Lamp("Attic Lamp", None)
    async with home(tmp_path, lamp, QUICK) as simulated:
        for wanted in ("on", "off"):
            await simulated.say(f"turn {wanted} the attic lamp")
        # The report of the first comes now, and is what is asked for again.
        lamp.lag = 0.0
        assert (await simulated.say("turn on the attic lamp")).verification == "unconfirmed"


async def test_a_lost_connection_in_the_middle_falls_back_to_reading(tmp_path: Path) -> None:
    lamp = Lamp("Attic Lamp", None)
    async with home(tmp_path, lamp, QUICK) as simulated:
        carry_out = simulated.carry_out

        async def and_hang_up(name: str, wanted: str) -> Command:
            command = await carry_out(name, wanted)
            lamp.state = wanted
            await simulated.fake.hang_up()
            return command

        simulated.carry_out = and_hang_up  # type: ignore[method-assign]
        spoken = await simulated.say("turn on the attic lamp")
        assert (spoken.verification, simulated.told["source"]) == ("confirmed", "read")


async def test_events_that_are_late_are_not_waited_for_twice(tmp_path: Path) -> None:
    lamp = Lamp("Attic Lamp", 0.0)
    async with home(tmp_path, lamp, QUICK) as simulated:
        told: list[tuple[str, str, float]] = []

        async def kept_back(entity_id: str, state: str, at: float) -> None:
            told.append((entity_id, state, at))

        simulated._report = kept_back
        assert (await simulated.say("turn on the attic lamp")).verification == "confirmed"
        events = simulated.services.evidence.events
        assert events is not None
        assert not events.follows(lamp.entity_id), "a read showed what no event had told"
        spoken = await simulated.say("turn off the attic lamp")
        assert (spoken.verification, spoken.reads) == ("confirmed", 1)
        for report in told:
            await simulated.fake.report(*report)
        await until(lambda: len(events.changes(lamp.entity_id)) == 2)
        await simulated.fake.report(lamp.entity_id, "on", time.time())
        await until(lambda: events.follows(lamp.entity_id))


async def test_how_long_a_device_takes_is_learned_and_a_silent_one_is_named(tmp_path: Path) -> None:
    lamp = Lamp("Attic Lamp", 0.2)
    async with home(tmp_path, lamp, PATIENT) as simulated:
        await simulated.say("turn on the attic lamp")
        settle = simulated.services.evidence.settle
        (known,) = settle.all()
        assert (known.entity, known.name) == (lamp.entity_id, "Attic Lamp")
        assert known.seconds is not None
        assert known.seconds >= 0.19
        simulated.services.settings.save({"settings.ha_assist_verify_delay": 0.01})
        lamp.lag = None
        for number in range(3):
            await simulated.say(f"turn {'on' if number % 2 else 'off'} the attic lamp")
        assert [one.is_silent for one in settle.all()] == [False], "what may be a state from before is no silence"


@pytest.mark.parametrize("name", ["Secret Lamp", "Attic Lamp"])
async def test_nobody_is_told_of_what_the_request_does_not_offer(tmp_path: Path, name: str) -> None:
    async with home(tmp_path, Lamp("Attic Lamp", None), QUICK) as simulated:
        message, _ = await simulated._ask(body(simulated.house, "turn on the attic lamp"))
        (call,) = message["tool_calls"]
        heard = simulated.services.evidence.events
        assert heard is not None
        await simulated.fake.report(SECRET, "off")
        await simulated.fake.report(SECRET, "on")
        await until(lambda: len(heard.changes(SECRET)) == 2)
        lie = simulated.done("Attic Lamp")
        lie["data"]["success"] = [{"name": name, "type": "entity", "id": SECRET}]
        told = result({"data": lie, "error": False}, call["id"])
        answer, metrics = await simulated._ask(body(simulated.house, "turn on the attic lamp", message, told))
        assert answer.get("tool_calls"), "it is read, with what the client itself offers"
        assert {(t["state"], t["source"]) for t in metrics["ha_verify"]["targets"]} == {(None, None)}


async def test_many_that_wait_for_a_report_hold_up_nobody(tmp_path: Path) -> None:
    lamp = Lamp("Attic Lamp", None)
    async with home(tmp_path, lamp, PATIENT) as simulated:
        waiting = [asyncio.create_task(simulated.say("turn on the attic lamp")) for _ in range(30)]
        await until(lambda: len(lamp.commands) == 30, 20)
        lamp.lag = 0.0
        events = simulated.services.evidence.events
        assert events is not None
        await until(lambda: sum(map(len, events._waiting.values())) == 30, 20)
        assert not any(task.done() for task in waiting)
        await simulated.carry_out("Attic Lamp", "on")
        spoken = await asyncio.gather(*waiting)
        assert {one.verification for one in spoken} <= {"confirmed", "unconfirmed"}
        assert not events._waiting
