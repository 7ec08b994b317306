"""Waiting for a state holds up nobody else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ha_assist_addon.pipeline import run as run_module
from tests.support.house import House, body, called, done, result, thing
from tests.support.serving import running

HOUSE = House((thing("Desk Lamp", "light", "Office"),))
SETTINGS = "settings:\n  ha_assist_languages: [en]\n  ha_assist_verify_delay: 30\n"
MANY = 50


READ = {"result": "Live Context: An overview:\n- names: Desk Lamp\n  domain: light\n  state: 'off'\n  areas: Office\n"}


def after_the_action(*, read: bool = True) -> dict[str, Any]:
    """What Home Assistant sends when it has switched the lamp; with `read` its state was read, and is not there yet."""
    action = called("intent__HassTurnOn", {"name": "Desk Lamp", "domain": ["light"]})
    messages = [action, result({"data": done("Desk Lamp"), "error": False})]
    if read:
        messages += [
            called("homeassistant__GetLiveContext", {}, "read"),
            result({"data": READ, "error": False}, "read"),
        ]
    return body(HOUSE, "turn on the desk lamp", *messages)


async def test_fifty_that_wait_do_not_delay_a_direct_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[float] = []
    all_wait, go_on = asyncio.Event(), asyncio.Event()

    async def until_told(seconds: float) -> None:
        waiting.append(seconds)
        if len(waiting) == MANY:
            all_wait.set()
        await go_on.wait()

    monkeypatch.setattr(run_module, "asyncio", SimpleNamespace(sleep=until_told))
    async with running(tmp_path, settings=SETTINGS) as server:
        verifying = [asyncio.create_task(server.post(after_the_action())) for _ in range(MANY)]
        await all_wait.wait()
        status, answer, _ = await server.post(body(HOUSE, "turn off the desk lamp"))
        assert status == 200
        assert answer["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "intent__HassTurnOff"
        assert not any(task.done() for task in verifying), "the direct answer came while all of them waited"
        go_on.set()
        answers = await asyncio.gather(*verifying)
    assert waiting == [30.0] * MANY
    for status, answer, _ in answers:
        assert status == 200
        (call,) = answer["choices"][0]["message"]["tool_calls"]
        assert call["function"]["name"] == "homeassistant__GetLiveContext"
        assert answer["metrics"]["ha_verify_settle_ms"] >= 0


async def test_the_first_read_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_seconds: float) -> None:
        raise AssertionError("it waited")

    monkeypatch.setattr(run_module, "asyncio", SimpleNamespace(sleep=never))
    async with running(tmp_path, settings=SETTINGS) as server:
        status, answer, _ = await server.post(after_the_action(read=False))
    assert status == 200
    (call,) = answer["choices"][0]["message"]["tool_calls"]
    assert call["function"]["name"] == "homeassistant__GetLiveContext"
    assert answer["metrics"]["ha_verify_settle_ms"] == 0


async def test_the_wait_that_was_set_is_waited_and_told(tmp_path: Path) -> None:
    async with running(tmp_path, settings=SETTINGS.replace("30", "0.05")) as server:
        _, answer, _ = await server.post(after_the_action())
    assert answer["metrics"]["ha_verify_settle_ms"] >= 45
    assert answer["metrics"]["ha_route"]["verification"] == "reading"


async def test_a_client_that_goes_away_ends_its_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def forever(_seconds: float) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(run_module, "asyncio", SimpleNamespace(sleep=forever))
    async with running(tmp_path, settings=SETTINGS) as server:
        asking = asyncio.create_task(server.post(after_the_action()))
        await began.wait()
        asking.cancel()
        await asyncio.wait_for(ended.wait(), 10)
