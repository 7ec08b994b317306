"""Whatever is sent: an answer or an error object in time, no action that was not asked for, and nothing fetched."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutate import Input, Mutator
from tests.fuzz.seeds import Seed, seeds
from tests.fuzz.target import Trap, target, targets

COUNT, DRAWN = 300, 80


async def test_spoilt_requests(tmp_path: Path) -> None:
    """The first of those that `script/fuzz` sends; a fault names the number of its input."""
    async with Trap().running() as trap, targets(tmp_path) as servers:
        mutator = Mutator(seeds(), trap.url)
        faults = []
        for number in range(COUNT):
            sent = mutator.draw(number)
            server = servers[number % len(servers)]
            fault = await server.fault(sent)
            if fault is not None:
                faults.append(f"{server.name}: {sent.path} {sent.how}: {fault}")
        assert faults == []
        assert trap.visits == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@st.composite
def spoilt(draw: st.DrawFn) -> Input:
    """A request in which any JSON stands where something else should."""
    seed: Seed = draw(st.sampled_from(seeds()))
    body = copy.deepcopy(dict(seed.body))
    holder: Any = body
    while True:
        key = draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
        if not isinstance(holder[key], (dict, list)) or not holder[key] or draw(st.booleans()):
            break
        holder = holder[key]
    holder[key] = draw(JSON)
    return Input(seed.path, json.dumps(body).encode(), {}, f"{key!r:.40}", body)


@settings(max_examples=DRAWN, suppress_health_check=list(HealthCheck))
@given(sent=spoilt())
def test_any_value_in_any_place(tmp_path_factory: pytest.TempPathFactory, sent: Input) -> None:
    async def send() -> str | None:
        async with target(tmp_path_factory.mktemp("fuzz"), "no model") as server:
            return await server.fault(sent)

    assert asyncio.run(send()) is None
