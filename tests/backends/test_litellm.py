"""LiteLLM's real proxy between HA-Assist and two servers; its wit is not tested, only that what comes is served."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from ha_assist_addon.app import listening
from ha_assist_addon.backends.upstream import UpstreamBackend
from ha_assist_addon.conversation import ChatRequest, Message, Role, TextDelta
from ha_assist_addon.errors import BackendFailed, BackendTimeout, BackendUnavailable

START_SECONDS = 120
KEY = "sk-test"  # not a secret: it opens a proxy that lives for one test
REQUEST = ChatRequest("home", (Message(Role.USER, "Hello"),))


@dataclass
class ModelServer:
    """A server of one model that may break off in the middle of an answer."""

    name: str
    breaks: bool = False
    served: list[str] = field(default_factory=list)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Two pieces of text, or one and the end of the connection."""
        self.served.append(str((await request.json())["model"]))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(self._piece(content=f"{self.name} says "))
        await asyncio.sleep(0.05)
        if self.breaks:
            assert request.transport is not None
            request.transport.abort()
            return response
        await response.write(self._piece(content="hello."))
        await response.write(self._piece(reason="stop") + b"data: [DONE]\n\n")
        return response

    def _piece(self, reason: str | None = None, **delta: str) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "small", "choices": [choice]}
        return f"data: {json.dumps(chunk)}\n\n".encode()


def executable() -> str:
    found = os.environ.get("HA_ASSIST_LITELLM") or shutil.which("litellm")
    if found is None or not Path(found).is_file():
        pytest.skip("no LiteLLM here: pip install 'litellm[proxy]' somewhere, HA_ASSIST_LITELLM tells its program")
    return found


@asynccontextmanager
async def proxy(folder: Path, *servers: ModelServer) -> AsyncIterator[UpstreamBackend]:
    """The real proxy before these servers, which it gives one name."""
    program = executable()
    async with AsyncExitStack() as stack:
        models = []
        for server in servers:
            app = web.Application()
            app.router.add_post("/v1/chat/completions", server.chat)
            port = await stack.enter_async_context(listening(app, "127.0.0.1", 0))
            target = {"model": "openai/small", "api_base": f"http://127.0.0.1:{port}/v1", "api_key": "none"}
            models.append({"model_name": "home", "litellm_params": target})
        settings = {
            "model_list": models,
            "general_settings": {"master_key": KEY},
            "router_settings": {"num_retries": 1},
        }
        file = folder / "proxy.json"
        file.write_text(json.dumps(settings), encoding="utf-8")
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            port = bound.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            program,
            *("--config", str(file), "--host", "127.0.0.1", "--port", str(port)),
            env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await _ready(process, f"http://127.0.0.1:{port}/health/liveliness")
            url = f"http://127.0.0.1:{port}/v1"
            backend = UpstreamBackend(base_url=url, model="home", api_key=KEY, timeout=30, queue=8)
            yield backend
            await backend.close()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _ready(process: asyncio.subprocess.Process, url: str) -> None:
    until = time.monotonic() + START_SECONDS
    async with aiohttp.ClientSession() as http:
        while process.returncode is None and time.monotonic() < until:
            try:
                async with http.get(url) as response:
                    if response.ok:
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.5)
    pytest.skip("this LiteLLM does not start")


async def said(backend: UpstreamBackend) -> str:
    return "".join([event.text async for event in backend.generate(REQUEST) if isinstance(event, TextDelta)])


async def _served_again(backend: UpstreamBackend) -> bool:
    """The proxy lets a server that failed rest for a few seconds."""
    for _ in range(20):
        with suppress(BackendFailed, BackendUnavailable):
            return (await said(backend)).endswith("says hello.")
        await asyncio.sleep(1)
    return False


async def test_two_servers_behind_one_address(tmp_path: Path) -> None:
    one, two = ModelServer("One"), ModelServer("Two")
    async with proxy(tmp_path, one, two) as backend:
        answers = await asyncio.gather(*(said(backend) for _ in range(8)))
        assert set(answers) <= {"One says hello.", "Two says hello."}
        assert len(one.served) + len(two.served) == 8

        one.breaks = two.breaks = True
        with pytest.raises((BackendFailed, BackendUnavailable, BackendTimeout)) as failure:
            await said(backend)
        assert failure.value.message.endswith(".")

        one.breaks = two.breaks = False
        assert await _served_again(backend)
