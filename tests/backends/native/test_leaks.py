"""Rounds of every kind of fault leave nothing behind. HA_ASSIST_ROUNDS sets how many."""

from __future__ import annotations

import asyncio
import gc
import os
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from ha_assist_addon.errors import HaAssistError
from ha_assist_addon.models.status import ModelState
from tests.backends.native.asking import ask, request
from tests.backends.native.conftest import FAST, running, settled
from tests.backends.native.engine import obedient

ROUNDS = int(os.environ.get("HA_ASSIST_ROUNDS", "16"))
FAULTS = ("signal SIGKILL", "signal SIGSEGV", "late hold 60", "memory", "deaf 60", "garbage", "slow 100000", "spawn")


def held() -> tuple[int, int, int]:
    """Open files, child processes (zombies too) and tasks."""
    gc.collect()
    files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return files, len(children), len(asyncio.all_tasks())


def memory_mb() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.slow
async def test_nothing_is_left_behind() -> None:
    limits = replace(FAST, between=1, cancel=0.5)
    async with running(obedient(), limits=limits) as backend:
        await ask(backend, "say warm")
        before, memory = held(), memory_mb()
        for round_ in range(ROUNDS):
            fault = FAULTS[round_ % len(FAULTS)]
            if fault.startswith(("deaf", "slow")):
                async with aclosing(backend.generate(request(fault))) as reply:
                    await anext(reply)
            else:
                try:
                    await ask(backend, fault)
                except HaAssistError:
                    assert fault != "spawn"
                else:
                    assert fault == "spawn"
            assert (await settled(backend)).state is ModelState.READY, fault
            assert (await ask(backend, f"say {round_}"))[0] == str(round_)
        assert held() == before
        print(f"{ROUNDS} rounds: {before}, memory {memory:.1f} -> {memory_mb():.1f} MB")
    assert held()[1:] == (0, 1)
