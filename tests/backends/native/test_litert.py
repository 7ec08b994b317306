"""The real LiteRT-LM with a tiny model of random weights: form, never wit."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.backends.base import ToolForm, Traits
from ha_assist_addon.backends.engines.base import EngineSpec
from ha_assist_addon.backends.engines.litert import litert
from ha_assist_addon.backends.native import NativeBackend
from ha_assist_addon.conversation import Message, Role, TextDelta, ToolCall
from ha_assist_addon.errors import BackendFailed, ContextLengthExceeded, InvalidRequest
from ha_assist_addon.models.status import ModelState
from tests.backends.native.asking import ask, request
from tests.backends.native.conftest import running, settled

CONTEXT = 512
ANSWER_OR_TOOL = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"answer": {"type": "string", "maxLength": 60}},
            "required": ["answer"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"the tool": {"enum": ["turn on the light", "say the time"]}},
            "required": ["the tool"],
            "additionalProperties": False,
        },
    ]
}


def spec(folder: Path) -> EngineSpec:
    return litert(cache_dir=str(folder / "cache"), context_tokens=CONTEXT, threads=1)


def held_to(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}


@pytest.fixture
async def tiny(tiny_model: Path, tmp_path: Path) -> AsyncIterator[NativeBackend]:
    async with running(spec(tmp_path), tiny_model) as backend:
        yield backend


async def test_it_loads_and_counts(tiny: NativeBackend) -> None:
    status = await tiny.status()
    assert status.state is ModelState.READY
    assert status.facts["Runtime"].startswith("LiteRT-LM ")
    assert status.memory_mb is not None
    assert await tiny.traits() == Traits(ToolForm.JSON, context_tokens=CONTEXT, images=False)
    none, some, more = await tiny.count_tokens(["", "light", "light light light"])
    assert none < some < more


async def test_it_streams_up_to_the_limit(tiny: NativeBackend) -> None:
    events = [event async for event in tiny.generate(request("Hello", max_tokens=20))]
    assert len(events) > 5
    _, _, finish = await ask(tiny, "Hello", max_tokens=20)
    assert (finish.reason, finish.usage.completion_tokens) == ("length", 20)
    assert finish.usage.prompt_tokens > 5
    assert (await tiny.status()).tokens_per_second


async def test_the_same_seed_says_the_same(tiny: NativeBackend) -> None:
    said = [(await ask(tiny, "Hello", max_tokens=12, temperature=1.0, seed=seed))[0] for seed in (1, 1, 2)]
    assert said[0] == said[1] != said[2]
    greedy = [(await ask(tiny, "Hello", max_tokens=12, temperature=heat))[0] for heat in (None, 0.0)]
    assert greedy[0] == greedy[1]


async def test_a_cancel_leaves_the_model_usable(tiny: NativeBackend) -> None:
    for _ in range(3):
        async with aclosing(tiny.generate(request("Hello"))) as reply:
            assert isinstance(await anext(reply), TextDelta)
    assert (await ask(tiny, "Hello", max_tokens=3))[2].usage.completion_tokens == 3


async def test_a_kill_in_the_middle_of_an_answer(tiny: NativeBackend) -> None:
    pid = tiny._worker._child.pid  # type: ignore[union-attr]
    asking = asyncio.create_task(ask(tiny, "Hello"))
    await asyncio.sleep(0)  # the request is on its way
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(BackendFailed):
        await asking
    assert (await settled(tiny)).state is ModelState.READY
    assert (await ask(tiny, "Hello", max_tokens=3))[2].usage.completion_tokens == 3


async def test_what_is_too_long_is_an_error(tiny: NativeBackend) -> None:
    with pytest.raises(ContextLengthExceeded):
        await ask(tiny, "light " * 2000)
    with pytest.raises(ContextLengthExceeded):
        await ask(tiny, "light " * (CONTEXT - 40))
    _, _, finish = await ask(tiny, "light " * 100)
    assert finish.usage.prompt_tokens + finish.usage.completion_tokens <= CONTEXT


async def test_pictures_are_refused(tiny: NativeBackend) -> None:
    with pytest.raises(InvalidRequest, match="images"):
        await ask(tiny, "", messages=(Message(Role.USER, "What is this?", ("data:image/png;base64,AAAA",)),))


@pytest.mark.parametrize("seed", range(6))
async def test_an_answer_is_held_to_a_schema(tiny: NativeBackend, seed: int) -> None:
    said, _, finish = await ask(tiny, "x", temperature=1.0, seed=seed, response_format=held_to(ANSWER_OR_TOOL))
    assert finish.reason == "stop"
    # Tokens that stand for a single byte are control characters here, which strict JSON would want escaped.
    value = json.loads(said, strict=False)
    if "answer" not in value:
        assert value in ({"the tool": "turn on the light"}, {"the tool": "say the time"})


async def test_a_constrained_text_holds_spaces(tiny: NativeBackend) -> None:
    text = {"type": "object", "properties": {"answer": {"type": "string", "minLength": 40}}, "required": ["answer"]}
    said = ""
    for seed in range(5):
        said += (await ask(tiny, "x", temperature=1.0, seed=seed, max_tokens=60, response_format=held_to(text)))[
            0
        ].removeprefix('{"answer":')
    assert " " in said
    assert "\u2581" not in said


async def test_a_schema_that_cannot_be_held_to_is_left_out(tiny: NativeBackend) -> None:
    free = await ask(tiny, "Hello", max_tokens=8)
    schema = {"not": {"type": "string"}}
    assert await ask(tiny, "Hello", max_tokens=8, response_format=held_to(schema)) == free


async def test_a_round_of_tools_is_in_the_prompt(tiny: NativeBackend) -> None:
    short = (Message(Role.USER, "light"),)
    call = ToolCall("1", "turn_on", {"area": "kitchen"})
    whole = (*short, Message(Role.ASSISTANT, tool_calls=(call,)), Message(Role.TOOL, "done " * 20, tool_call_id="1"))
    tools = ({"name": "turn_on", "description": "light " * 20, "parameters": {"type": "object"}},)
    sizes = [
        (await ask(tiny, "", messages=messages, tools=offered, max_tokens=1))[2].usage.prompt_tokens
        for messages, offered in ((short, ()), (short, tools), (whole, ()), (whole, tools))
    ]
    assert sizes[0] + 20 < sizes[1] < sizes[3]
    assert sizes[0] + 20 < sizes[2] < sizes[3]


@pytest.mark.parametrize("content", [b"", b"no model at all" * 1000])
async def test_a_file_that_is_no_model(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.litertlm"
    path.write_bytes(content)
    async with running(spec(tmp_path), path) as backend:
        status = await backend.status()
        assert (status.state, "damaged" in status.detail) == (ModelState.FAILED, True)


@pytest.mark.parametrize("fault", ["raise ImportError('no')", "raise OSError('no such instruction set')"])
async def test_a_runtime_that_cannot_be_imported(tmp_path: Path, fault: str) -> None:
    (tmp_path / "litert_lm.py").write_text(fault, encoding="utf-8")
    async with running(spec(tmp_path), environment={"PYTHONPATH": str(tmp_path)}) as backend:
        status = await backend.status()
        assert (status.state, "not installed" in status.detail) == (ModelState.FAILED, True)


async def test_a_runtime_that_the_processor_cannot_run(tmp_path: Path) -> None:
    code = "import os, resource, signal\nresource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
    (tmp_path / "litert_lm.py").write_text(code + "os.kill(os.getpid(), signal.SIGILL)", encoding="utf-8")
    async with running(spec(tmp_path), environment={"PYTHONPATH": str(tmp_path)}) as backend:
        status = await backend.status()
        assert (status.state, "lacks instructions" in status.detail) == (ModelState.FAILED, True)
