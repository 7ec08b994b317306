"""Whatever happens to a runtime's process: one clear error, a server that goes on, and a fresh process."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from ha_assist_addon.backends.base import ToolForm, Traits
from ha_assist_addon.backends.native import NativeBackend
from ha_assist_addon.conversation import Message, Role, TextDelta
from ha_assist_addon.errors import (
    BackendFailed,
    BackendTimeout,
    Busy,
    ContextLengthExceeded,
    InvalidRequest,
    ModelNotReady,
)
from ha_assist_addon.models.status import ModelState, ModelStatus
from tests.backends.native.asking import ask, request
from tests.backends.native.conftest import FAST, Present, noticed, running, settled
from tests.backends.native.engine import obedient

MEMORY = "memory did not suffice|not enough memory"


async def recovers(backend: NativeBackend) -> None:
    status = await settled(backend)
    assert status.state is ModelState.READY, status
    assert (await ask(backend, "say again"))[0] == "again"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("signal SIGKILL", MEMORY),
        ("signal SIGSEGV", "crashed .SIGSEGV."),
        ("late signal SIGABRT", "crashed .SIGABRT."),
        ("memory", MEMORY),
        ("exit 0", "ended unexpectedly"),
        ("exit 7", "ended unexpectedly"),
        ("raise hell", "ended unexpectedly"),
        ("broken The connection is lost.", "The connection is lost."),
        ("garbage", "cannot be understood"),
        ("huge 3000000", "cannot be understood"),
    ],
)
async def test_an_end_costs_one_request(command: str, sentence: str) -> None:
    async with running(obedient()) as backend:
        with pytest.raises(BackendFailed, match=sentence):
            await ask(backend, command)
        await recovers(backend)


async def test_kill_9_from_outside_and_a_request_that_waits() -> None:
    async with running(obedient()) as backend:
        pid = int((await ask(backend, "tell pid"))[0])
        first = asyncio.create_task(ask(backend, "late sleep 60"))
        waiting = asyncio.create_task(ask(backend, "say waited"))
        await asyncio.sleep(0.1)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(BackendFailed, match=MEMORY):
            await first
        assert (await waiting)[0] == "waited"


async def test_an_end_while_nobody_asks() -> None:
    async with running(obedient()) as backend:
        pid = int((await ask(backend, "tell pid"))[0])
        os.kill(pid, signal.SIGKILL)
        await noticed(backend)
        await recovers(backend)
        assert int((await ask(backend, "tell pid"))[0]) != pid


async def test_a_processor_that_cannot_run_it() -> None:
    async with running(obedient("signal SIGILL")) as backend:
        status = await backend.status()
        assert (status.state, "lacks instructions" in status.detail) == (ModelState.FAILED, True)
        with pytest.raises(ModelNotReady, match="lacks instructions"):
            await ask(backend, "say x")
        await asyncio.sleep(0.2)
        assert (await backend.status()).state is ModelState.FAILED, "it must not be started again and again"


@pytest.mark.parametrize(
    ("load", "sentence"),
    [
        ("refuse The driver is too old.", "The driver is too old."),
        ("memory", MEMORY),
        ("signal SIGKILL", MEMORY),
        ("exit 1", "ended unexpectedly"),
        ("raise hell", "ended unexpectedly"),
    ],
)
async def test_loading_that_fails(load: str, sentence: str) -> None:
    async with running(obedient(load), limits=replace(FAST, pause=60)) as backend:
        with pytest.raises(ModelNotReady, match=sentence):
            await ask(backend, "say x")
        facts = (await backend.status()).facts
        assert facts == ({"Driver": "1.2.3"} if load.startswith("refuse") else {})


async def test_loading_that_hangs() -> None:
    async with running(obedient("hold 60"), limits=replace(FAST, load=1, pause=60)) as backend:
        assert "too long to load" in (await backend.status()).detail


@pytest.mark.parametrize(("command", "first", "between"), [("hold 60", 1, 20), ("late hold 60", 20, 1)])
async def test_silence_is_ended_by_force(command: str, first: float, between: float) -> None:
    async with running(obedient(), limits=replace(FAST, first=first, between=between)) as backend:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.01)

        ticking = asyncio.create_task(tick())
        with pytest.raises(BackendFailed, match="no longer answers"):
            await ask(backend, command)
        ticking.cancel()
        assert ticks > 10, "the server's loop must go on"
        await recovers(backend)


async def test_a_cancel_that_is_not_obeyed() -> None:
    async with running(obedient(), limits=replace(FAST, cancel=0.2)) as backend:
        pid = (await ask(backend, "tell pid"))[0]
        async with aclosing(backend.generate(request("deaf 60"))) as reply:
            assert await anext(reply) == TextDelta("x")
        assert (await ask(backend, "tell pid"))[0] != pid


async def test_a_cancel_keeps_the_process() -> None:
    async with running(obedient()) as backend:
        pid = (await ask(backend, "tell pid"))[0]
        async with aclosing(backend.generate(request("slow 100000"))) as reply:
            assert await anext(reply) == TextDelta("x")
        assert (await ask(backend, "tell pid"))[0] == pid


async def test_the_time_limit() -> None:
    async with running(obedient(), seconds=2) as backend:
        with pytest.raises(BackendTimeout):
            await ask(backend, "slow 100000")
        await recovers(backend)


async def test_the_time_limit_holds_while_waiting_too() -> None:
    async with running(obedient(), seconds=0.5) as backend:
        results = await asyncio.gather(ask(backend, "slow 100000"), ask(backend, "slow 100000"), return_exceptions=True)
        assert [type(result) for result in results] == [BackendTimeout, BackendTimeout]


async def test_the_queue_is_bounded_and_in_order() -> None:
    async with running(obedient(), queue=2) as backend:
        order: list[str] = []

        async def one(text: str) -> None:
            await ask(backend, text)
            order.append(text)

        tasks = [asyncio.create_task(one(text)) for text in ("slow 20", "say a", "say b")]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await ask(backend, "say c")
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == ["slow 20", "say b"]
        assert (await ask(backend, "say c"))[0] == "c"


async def test_close_lets_the_running_one_end_and_refuses_the_waiting() -> None:
    async with running(obedient()) as backend:
        tasks = [asyncio.create_task(ask(backend, text)) for text in ("slow 20", "say a")]
        await asyncio.sleep(0.1)
        await backend.close()
        ran, waited = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(ran, tuple), ran
        assert isinstance(waited, ModelNotReady), waited


async def test_before_the_file_is_there() -> None:
    class Missing(Present):
        @property
        def status(self) -> ModelStatus:
            return ModelStatus(ModelState.DOWNLOADING, "It is being fetched.", progress=0.5)

        async def wait(self) -> Path:
            await asyncio.Event().wait()
            raise AssertionError

    async with running(obedient()) as ready:
        backend = NativeBackend(ready.info, obedient(), Missing(Path("x")), queue=1, timeout=5)
        backend.start()
        assert (await backend.status()).progress == 0.5
        assert await backend.traits() == Traits(ToolForm.TEXT)
        assert await backend.count_tokens(["four", ""]) == (2, 1)
        with pytest.raises(ModelNotReady, match="being fetched"):
            await ask(backend, "say x")
        await backend.close()


async def test_what_a_library_prints_disturbs_nothing() -> None:
    async with running(obedient("print hello")) as backend:
        assert (await ask(backend, "print hello"))[0] == ""
        assert (await ask(backend, "say fine"))[0] == "fine"


async def test_no_key_reaches_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HA_ASSIST_API_KEY", "secret")
    monkeypatch.setenv("SUPERVISOR_TOKEN", "secret")
    async with running(obedient(), environment={"EXTRA": "1"}) as backend:
        names = (await ask(backend, "tell environment"))[0].split()
        assert "EXTRA" in names
        assert not [name for name in names if "KEY" in name or "TOKEN" in name]


async def test_grandchildren_die_too(tmp_path: Path) -> None:
    async with running(obedient()) as backend:
        group = int((await ask(backend, "tell pid"))[0])
        await ask(backend, "spawn")
        os.killpg(group, 0)
        os.kill(group, signal.SIGKILL)
        await noticed(backend)
        await recovers(backend)
    for _ in range(500):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        await asyncio.sleep(0.01)  # an orphan is reaped by init, whenever that likes
    states = [path.read_text().split(")")[1].split()[0] for path in _group(group)]
    assert set(states) <= {"Z"}


async def test_text_is_cleaned() -> None:
    async with running(obedient()) as backend:
        assert (await ask(backend, "say <think>so?</think>\n\nYes.<|im_end|>\n<|im_start|>user"))[0] == "Yes."
        said, _, finish = await ask(backend, "say one two three", stop=("two",))
        assert (said, finish.reason) == ("one ", "stop")
        said, _, finish = await ask(backend, "say one two three", max_tokens=4)
        assert (said, finish.reason, finish.usage.completion_tokens) == ("one ", "length", 4)
        assert (await ask(backend, "say half \ud800"))[0] == "half ?"


async def test_calls_are_read_where_tools_were_offered() -> None:
    tools = ({"name": "turn_on", "parameters": {"type": "object"}},)
    printed = 'say Well. <tool_call>{"name": "turn_on", "arguments": {"area": "Hall"}}</tool_call>'
    async with running(obedient()) as backend:
        said, calls, finish = await ask(backend, printed, tools=tools)
        assert [(event.call.name, event.call.arguments) for event in calls] == [("turn_on", {"area": "Hall"})]
        assert (said.strip(), finish.reason) == ("Well.", "tool_calls")
        said, calls, finish = await ask(backend, printed, tools=tools, tool_choice="none")
        assert (said, calls, finish.reason) == (printed.removeprefix("say "), [], "stop")
        said, calls, finish = await ask(backend, "say a {curly} text", tools=tools)
        assert (said, calls, finish.reason) == ("a {curly} text", [], "stop")
        said, calls, finish = await ask(backend, "call turn_on", tools=tools)
        assert (calls[0].call.name, finish.reason) == ("turn_on", "tool_calls")


async def test_what_is_too_long_or_nested_too_deep_is_refused() -> None:
    deep: dict[str, object] = {}
    for _ in range(5000):
        deep = {"items": deep}
    async with running(obedient()) as backend:
        pid = (await ask(backend, "tell pid"))[0]
        with pytest.raises(ContextLengthExceeded):
            await ask(backend, "word " * 3900)
        with pytest.raises(InvalidRequest):
            await ask(backend, "say x", tools=(deep,))
        with pytest.raises(InvalidRequest, match="images"):
            await ask(backend, "say x", messages=(Message(Role.USER, "x", ("data:",)),))
        assert await backend.count_tokens(["one two", "", "\ud800"]) == (2, 0, 1)
        assert (await ask(backend, "tell pid"))[0] == pid


def _group(group: int) -> list[Path]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if path.read_text().split(")")[1].split()[2] == str(group):
                found.append(path)
        except OSError:
            continue
    return found
