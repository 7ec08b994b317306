"""At most one generation, whatever was recorded, reported or goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.conversation import ChatRequest
from ha_assist_addon.errors import BackendFailed, BackendTimeout, BackendUnavailable, Busy, HaAssistError
from ha_assist_addon.pipeline.run import run
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.wire.chat import parse_chat
from tests.captures.replay import recordings
from tests.cases.request import build
from tests.cases.runner import load
from tests.support.fake_backend import FakeBackend, FakeModels, Said, makes
from tests.support.house import Pipeline
from tests.support.shared import SHARED, needs_shared

SCRIPTS: dict[str, Sequence[Said]] = {
    "speech": ["All is well."],
    "json": ['{"answer": "All is well."}'],
    "nothing": [""],
    "claim": ["I have turned on everything."],
    "refused call": [makes("HassExplode", name="everything")],
    "unreadable call": ['<tool_call>{"name": "HassTurnOn", "argum'],
    "failure": [BackendFailed()],
    "time": [BackendTimeout()],
    "full": [Busy()],
    "gone": [BackendUnavailable()],
    "failure in the middle": ["All is. ", BackendFailed()],
}


def requests() -> list[ChatRequest]:
    """All chat requests that were recorded, and all cases."""
    if SHARED is None:
        return []
    recorded = [r.parsed for r in recordings(SHARED / "captures")]
    cases = [parse_chat(build(case, "2026.11")).chat for case in load(SHARED / "cases" / "reports-dev.jsonl")]
    return [*recorded, *cases]


async def count(pipeline: Pipeline, asked: Sequence[ChatRequest], model: FakeBackend) -> int:
    """Run each request; every one may ask the model once."""
    generations = 0
    for request in asked:
        before, trace = len(model.seen), Trace("HA-Assist")
        try:
            async for _ in run(request, pipeline.services, trace):
                pass
        except HaAssistError:
            pass
        made = len(model.seen) - before
        assert made <= 1
        assert trace.inference_calls == made
        generations += made
    assert model.ended == generations, "every generation was left"
    return generations


@needs_shared
@pytest.mark.parametrize("name", SCRIPTS)
def test_recorded_requests_and_cases(plain: Pipeline, name: str) -> None:
    model = FakeBackend([SCRIPTS[name]], form=ToolForm.NATIVE)
    pipeline = object.__new__(Pipeline)
    pipeline.services = replace(plain.services, backends=FakeModels(model, model))  # type: ignore[arg-type]
    asked = requests()
    some = asked if name in ("speech", "refused call") else asked[::4]
    assert asyncio.run(count(pipeline, some, model)) > len(some) // 20


@needs_shared
async def test_leaving_in_the_middle(plain: Pipeline) -> None:
    wait: Callable[[ChatRequest], Sequence[Said]] = lambda _: ["One. ", 600.0]  # noqa: E731
    model = FakeBackend([wait])
    pipeline = object.__new__(Pipeline)
    pipeline.services = replace(plain.services, backends=FakeModels(model, model))  # type: ignore[arg-type]
    for request in requests()[::10]:
        before = len(model.seen)

        async def ask(request: ChatRequest = request) -> None:
            async for _ in run(request, pipeline.services, Trace("HA-Assist")):
                pass

        task = asyncio.create_task(ask())
        await asyncio.wait({task}, timeout=0.3 if len(model.seen) == before else 0)
        task.cancel()
        await asyncio.wait({task})
        assert len(model.seen) - before <= 1
    assert model.seen
    assert model.ended == len(model.seen)
