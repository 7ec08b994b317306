"""Requests that are right, and larger than any home: answered or refused, and the work grows with the size alone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.backends.base import ToolForm
from tests.fuzz.mutate import Input
from tests.fuzz.seeds import HOUSE
from tests.fuzz.target import Target, nonsense, target
from tests.support.fake_backend import FakeBackend
from tests.support.house import House, body, called, done, result, thing

LIVE = "GetLiveContext"
YES = {"success": True}


def large() -> dict[str, Any]:
    names = tuple(thing("Lamp", "light", f"Area {n}") for n in range(3000))
    calls = called("intent__HassTurnOn", {"name": "Desk Lamp"})["tool_calls"]
    rounds = [
        message
        for n in range(1000)
        for message in (
            called("intent__HassTurnOn", {"name": "Desk Lamp"}, f"c{n}"),
            result(done("Desk Lamp"), f"c{n}"),
        )
    ]
    script = {"name": "script__x", "description": "Aliases: [" * 2000, "parameters": {}}
    scripts = [{"type": "function", "function": {**script, "name": f"script__x{n}"}} for n in range(100)]
    listed = "Live Context: x\n- " + "- [a\n" * 100_000
    rules = "You ARE equipped to answer questions about the current state of\n" * 20_000
    return {
        "a sentence of a megabyte": body(HOUSE, "turn on the lamp and " * 50_000),
        "one word of a megabyte": body(HOUSE, "x" * 1_000_000),
        "three thousand of one name": body(House(names), "turn on the Lamp"),
        "a thousand rounds": body(HOUSE, "turn on the Desk Lamp", *rounds),
        "a thousand calls at once": body(HOUSE, "hi", {"role": "assistant", "tool_calls": calls * 1000}),
        "a broken list of states": body(
            HOUSE, "is the Desk Lamp on?", called(LIVE, {}), result({**YES, "result": listed})
        ),
        "unended rules": {"model": "HA-Assist", "messages": [{"role": "system", "content": rules}], "tools": None},
        "aliases that never end": body(HOUSE, "tell me something", tools=scripts),
        "a home of three megabytes": body(HOUSE, "hi", {"role": "system", "content": "x" * 3_000_000}, "hi"),
    }


@pytest.fixture(scope="module")
def requests() -> dict[str, Any]:
    return large()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Target]:
    async with target(tmp_path, "nonsense", model=FakeBackend([nonsense], ToolForm.JSON)) as up:
        yield up


async def test_each_is_answered_or_refused(server: Target, requests: dict[str, Any]) -> None:
    faults = {}
    for name, request in requests.items():
        fault = await server.fault(Input("/chat/completions", json.dumps(request).encode(), {}, name, request))
        if fault is not None:
            faults[name] = fault
    assert faults == {}
