"""HA-Assist with a real LiteRT engine behind it: the model's weights are random, the way to it is not."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ha_assist_addon.models.status import ModelState
from tests.generation.conftest import HOUSE
from tests.support.house import body
from tests.support.serving import Running, running

COMFORT = "make the living room more comfortable"


@pytest.fixture
async def server(tmp_path: Path, shared_dir: Path) -> AsyncIterator[Running]:
    tiny = shared_dir / "models" / "tiny_generic_model.litertlm"
    if not tiny.is_file():
        pytest.skip("no small model in the shared folder")
    shutil.copy(tiny, tmp_path / "tiny.litertlm")
    gemma = {"enabled": True, "path": "tiny.litertlm", "max_input_tokens": 1500, "threads": 1}
    settings = {"settings": {"ha_assist_languages": ["en"]}, "models": {"gemma": gemma}}
    async with running(tmp_path, settings=json.dumps(settings)) as up:
        yield up


async def ready(server: Running) -> None:
    model = server.services.backends.text()
    assert model is not None
    async with asyncio.timeout(60):
        while (status := await model.status()).state is not ModelState.READY:
            assert status.state is not ModelState.FAILED, status.detail
            await asyncio.sleep(0.05)


async def test_from_the_first_request_to_an_answer(server: Running) -> None:
    status, early, _ = await server.post(body(HOUSE, "turn on the desk lamp"))
    assert status == 200
    assert early["metrics"]["ha_route"]["inference_calls"] == 0, "what is certain needs no model that is loaded"
    await ready(server)

    status, answer, _ = await server.post(body(HOUSE, COMFORT, max_tokens=60))
    assert status == 200, answer
    route, prompt = answer["metrics"]["ha_route"], answer["metrics"]["ha_prompt"]
    assert (route["route"], route["inference_calls"]) == ("llm", 1)
    assert prompt["tokens_after"] <= prompt["tokens_limit"]
    message = answer["choices"][0]["message"]
    assert message.get("tool_calls") or message["content"]

    status, plain, _ = await server.post(
        {"model": "gemma-4-E2B-it", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 8}
    )
    assert status == 200, plain
    assert plain["usage"]["completion_tokens"] > 0


async def test_data_is_held_to_its_form_or_refused(server: Running) -> None:
    await ready(server)
    schema = {
        "type": "object",
        "properties": {"a": {"enum": ["x", "y"]}},
        "required": ["a"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "task", "schema": schema}}
    asked = {"model": "HA-Assist", "messages": [{"role": "user", "content": "which"}], "response_format": form}
    status, answer, _ = await server.post({**asked, "max_tokens": 60})
    if status == 200:
        assert json.loads(answer["choices"][0]["message"]["content"])["a"] in ("x", "y")
    else:
        assert answer["error"]["code"] == "structured_output_failed"


async def test_a_prompt_that_does_not_fit_is_refused(server: Running) -> None:
    await ready(server)
    request = body(HOUSE, COMFORT)
    request["messages"][0]["content"] = "Be kind to the cat. " * 1500 + request["messages"][0]["content"]
    status, answer, _ = await server.post(request)
    assert (status, answer["error"]["code"]) == (400, "context_length_exceeded")
