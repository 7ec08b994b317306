"""HailoRT's models, through a stand-in that behaves and fails as HailoRT's sources say."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from ha_assist_addon.backends.base import ToolForm, Traits
from ha_assist_addon.backends.engines.hailo import hailo_llm, hailo_vlm
from ha_assist_addon.backends.native import NativeBackend
from ha_assist_addon.backends.worker import Limits
from ha_assist_addon.conversation import Message, Role, TextDelta
from ha_assist_addon.errors import BackendFailed, BackendTimeout, ContextLengthExceeded, InvalidImage, InvalidRequest
from ha_assist_addon.models.status import ModelState
from tests.backends.native.asking import ask, request
from tests.backends.native.conftest import FAST, running, settled

STUB = Path(__file__).resolve().parents[2] / "support" / "hailo_stub"


@pytest.fixture
def device(tmp_path: Path) -> Path:
    """A root on which a device and its driver stand."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "hailo0").touch()
    driver = tmp_path / "sys" / "module" / "hailo1x_pci"
    driver.mkdir(parents=True)
    (driver / "version").write_text("5.1.1\n", encoding="ascii")
    (tmp_path / "model.hef").write_bytes(b"\x01HEF and so on")
    return tmp_path


@asynccontextmanager
async def hailo(
    device: Path, *, vision: bool = False, limits: Limits = FAST, seconds: float = 30, **behaviour: Any
) -> AsyncIterator[NativeBackend]:
    made = hailo_vlm if vision else hailo_llm
    environment = {"PYTHONPATH": str(STUB), "HAILO_STUB": json.dumps(behaviour)}
    async with running(
        made(device_root=str(device)), device / "model.hef", limits=limits, seconds=seconds, environment=environment
    ) as backend:
        yield backend


def picture(width: int, height: int, kind: str = "PNG") -> str:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, kind)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(out.getvalue()).decode()}"


async def test_it_loads(device: Path) -> None:
    async with hailo(device) as backend:
        status = await backend.status()
        assert status.state is ModelState.READY, status
        assert status.facts == {
            "Device": "/dev/hailo0",
            "Driver": "5.1.1",
            "HailoRT": "5.1.1",
            "Context": "2048 tokens",
        }
        assert await backend.traits() == Traits(ToolForm.TEXT, context_tokens=2048)
        assert await backend.count_tokens(["one two", ""]) == (2, 0)


async def test_control_tokens_and_thinking_are_not_said(device: Path) -> None:
    async with hailo(device, says="<think>\nWell…\n</think>\n\nIt is {last}.") as backend:
        said, _, finish = await ask(backend, "warm")
        assert (said, finish.reason) == ("It is warm.", "stop")
        said, _, finish = await ask(backend, "warm", max_tokens=10)
        assert (said, finish.reason) == ("It is ", "length")


async def test_a_model_that_can_think_is_told_not_to(device: Path) -> None:
    async with hailo(device, says="{last}", template="{# enable_thinking #}") as backend:
        said, _, _ = await ask(backend, "hello")
        assert said == "hello /no_think"


async def test_each_request_begins_with_an_empty_context(device: Path) -> None:
    async with hailo(device, says="{usage} {slid}") as backend:
        for _ in range(3):
            assert (await ask(backend, "word " * 1000))[0] == "0 False"


async def test_what_would_slide_out_is_an_error(device: Path) -> None:
    async with hailo(device, says="{slid}") as backend:
        for words in (1850, 2100, 100000):
            with pytest.raises(ContextLengthExceeded):
                await ask(backend, "word " * words)
        assert (await ask(backend, "word " * 1700))[0] == "False"


@pytest.mark.parametrize(
    ("options", "passed"),
    [
        ({}, {"do_sample": False}),
        ({"temperature": 0.0, "top_p": 0.5}, {"do_sample": False}),
        (
            {"temperature": 0.7, "top_p": 0.5, "seed": 3},
            {"do_sample": True, "temperature": 0.7, "top_p": 0.5, "seed": 3},
        ),
    ],
)
async def test_sampling(device: Path, options: dict[str, Any], passed: dict[str, Any]) -> None:
    async with hailo(device, says="{options}") as backend:
        said = json.loads((await ask(backend, "x", max_tokens=500, **options))[0])
        assert said == passed | {"max_generated_tokens": 500}


async def test_pictures_become_frames(device: Path) -> None:
    async with hailo(device, vision=True, says="{frames} {last}") as backend:
        assert (await backend.traits()).images
        messages = (
            Message(Role.SYSTEM, "Look."),
            Message(Role.USER, "What is it?", (picture(1000, 10), picture(3, 500, "WEBP"))),
        )
        said, _, finish = await ask(backend, "", messages=messages)
        assert said == '[[336, 448, 3, "uint8"], [336, 448, 3, "uint8"]] What is it?'
        assert finish.usage.prompt_tokens > 2 * 192
        assert (await ask(backend, "Hello"))[0] == "[] Hello"
        for broken in ("data:image/png;base64,AAAA", "data:image/png;base64,?", "https://example.org/x.png"):
            with pytest.raises(InvalidImage):
                await ask(backend, "", messages=(Message(Role.USER, "x", (broken,)),))
        assert (await ask(backend, "Hello"))[0] == "[] Hello"


async def test_a_text_model_sees_nothing(device: Path) -> None:
    async with hailo(device) as backend:
        with pytest.raises(InvalidRequest, match="images"):
            await ask(backend, "", messages=(Message(Role.USER, "x", (picture(2, 2),)),))


async def test_tools_are_offered_in_words(device: Path) -> None:
    tools = ({"name": "turn_on", "description": "x", "parameters": {"type": "object"}},)
    says = '<tool_call>\n{"name": "turn_on", "arguments": {}}\n</tool_call>'
    async with hailo(device, says=says) as backend:
        plain = (await ask(backend, "light"))[2].usage.prompt_tokens
        said, calls, finish = await ask(backend, "light", tools=tools)
        assert ([event.call.name for event in calls], said, finish.reason) == (["turn_on"], "", "tool_calls")
        assert finish.usage.prompt_tokens > plain + 20


async def test_the_server_goes_on_while_hailort_holds_the_interpreter(device: Path) -> None:
    async with hailo(device, prefill_seconds=0.5, token_seconds=0.02, says="x" * 60) as backend:
        ticks = 0
        asking = asyncio.create_task(ask(backend, "x"))
        while not asking.done():
            ticks += 1
            await asyncio.sleep(0.01)
        assert (await asking)[0] == "x" * 60
        assert ticks > 20


async def test_reading_the_prompt_may_outlast_hailorts_own_limit(device: Path) -> None:
    async with hailo(device, prefill_seconds=10.5, clock=0.01) as backend:
        assert (await ask(backend, "x"))[0] == "Hello."


async def test_a_cancel_between_tokens(device: Path) -> None:
    async with hailo(device, token_seconds=0.02, says="x" * 6000, abort_seconds=0.2) as backend:
        pid = backend._worker._child.pid  # type: ignore[union-attr]
        async with aclosing(backend.generate(request("x"))) as reply:
            assert isinstance(await anext(reply), TextDelta)
        said, _, _ = await ask(backend, "x", max_tokens=2)
        assert said == "xxxxxx"
        assert backend._worker._child.pid == pid  # type: ignore[union-attr]


async def test_an_abort_that_blocks_is_ended_by_force(device: Path) -> None:
    limits = replace(FAST, cancel=0.5)
    async with hailo(device, limits=limits, token_seconds=0.02, says="x" * 60, abort_seconds=120) as backend:
        async with aclosing(backend.generate(request("x"))) as reply:
            assert isinstance(await anext(reply), TextDelta)
        assert (await ask(backend, "x"))[0] == "x" * 60


async def test_a_lost_device(device: Path) -> None:
    async with hailo(device, lost_after=2, says="Hello there.") as backend:
        with pytest.raises(BackendFailed, match="connection to the Hailo device is lost"):
            await ask(backend, "x")
        assert (await settled(backend)).state is ModelState.READY


async def test_a_lost_device_that_blocks(device: Path) -> None:
    limits = replace(FAST, between=1)
    async with hailo(device, limits=limits, lost_after=2, lost_seconds=120, says="Hello there.") as backend:
        with pytest.raises(BackendFailed, match="no longer answers"):
            await ask(backend, "x")
        assert (await settled(backend)).state is ModelState.READY


async def test_the_time_limit_of_a_request(device: Path) -> None:
    async with hailo(device, seconds=1, token_seconds=0.05, says="x" * 6000) as backend:
        with pytest.raises(BackendTimeout):
            await ask(backend, "x")


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ({"device_error": 4}, "does not answer in time"),
        ({"device_error": 64}, "driver is not installed"),
        ({"device_error": 73}, "in use"),
        ({"device_error": 74}, "finds no device"),
        ({"device_error": 76}, "version 5.1.1 and HailoRT has version 5.1.1"),
        ({"device_error": 36}, "driver reports a failure"),
        ({"device_error": 5}, "reports a failure"),
        ({"model_error": 26}, "no valid HEF"),
        ({"model_error": 6}, "only one"),
        ({"model_error": 92}, "does not fit"),
        ({"model_error": 93}, "does not fit"),
        ({"model_error": 62}, "connection to the Hailo device is lost"),
        ({"model_error": 96}, "connection to the Hailo device is lost"),
        ({"import_error": True}, "cannot be loaded"),
    ],
)
async def test_errors_while_loading(device: Path, behaviour: dict[str, Any], sentence: str) -> None:
    async with hailo(device, limits=replace(FAST, pause=60), **behaviour) as backend:
        status = await backend.status()
        assert status.state is ModelState.FAILED
        assert sentence in status.detail
        assert status.facts["Driver"] == "5.1.1"


async def test_only_one_model_a_device(device: Path, tmp_path: Path) -> None:
    lock = str(tmp_path / "place")
    async with hailo(device, lock=lock) as first:
        async with hailo(device, lock=lock, limits=replace(FAST, pause=60)) as second:
            status = await second.status()
            assert (status.state, "only one" in status.detail) == (ModelState.FAILED, True)
        assert (await ask(first, "x"))[0] == "Hello."


async def test_without_the_library(device: Path) -> None:
    async with running(hailo_llm(device_root=str(device)), device / "model.hef") as backend:
        status = await backend.status()
        assert (status.state, "not installed here" in status.detail) == (ModelState.FAILED, True)


async def test_another_driver(device: Path) -> None:
    (device / "sys/module/hailo1x_pci/version").write_text("5.2.0\n", encoding="ascii")
    async with hailo(device) as backend:
        detail = (await backend.status()).detail
        assert "5.2.0" in detail
        assert "5.1.1" in detail


@pytest.mark.skipif(os.geteuid() == 0, reason="root may use every node")
async def test_a_node_that_may_not_be_used(device: Path) -> None:
    (device / "dev/hailo0").chmod(0)
    async with hailo(device) as backend:
        assert "may not use" in (await backend.status()).detail
