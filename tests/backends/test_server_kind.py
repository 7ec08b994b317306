"""What an upstream server is, by its own answers; none of them may be trusted to be there or well-formed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from ha_assist_addon.app import listening
from ha_assist_addon.backends.base import ToolForm, Traits, estimated_tokens
from ha_assist_addon.backends.upstream import UpstreamBackend

MODEL = "small"
LISTED = {"object": "list", "data": [{"id": "other"}, {"id": MODEL}]}
LLAMA = {
    "/props": {"default_generation_settings": {"n_ctx": 4096}, "modalities": {"vision": True}},
    "/tokenize": {"tokens": [1, 2, 3]},
}
OLLAMA = {"/api/show": {"capabilities": ["completion", "tools"], "parameters": "temperature 0.7\nnum_ctx 8192"}}


@asynccontextmanager
async def server(answers: dict[str, Any], **options: Any) -> AsyncIterator[tuple[UpstreamBackend, list[str]]]:
    """A backend of a server that answers these paths, and what was asked."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        value = answers.get(request.path)
        if value is None:
            raise web.HTTPNotFound
        return web.Response(body=value) if isinstance(value, bytes) else web.json_response(value)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with listening(app, "127.0.0.1", 0) as port:
        backend = UpstreamBackend(
            base_url=f"http://127.0.0.1:{port}/v1", model=MODEL, api_key=None, timeout=5, queue=2, **options
        )
        yield backend, asked
        await backend.close()


@pytest.mark.parametrize(
    ("answers", "traits"),
    [
        ({"/v1/models": LISTED, **LLAMA}, Traits(ToolForm.JSON, 4096, images=True)),
        (
            {"/v1/models": {"data": [{"id": "x.gguf", "owned_by": "llamacpp", "meta": {"n_ctx": 1024}}]}},
            Traits(ToolForm.JSON, 1024, images=True),
        ),
        (
            {"/v1/models": {"data": [{"id": MODEL, "owned_by": "vllm", "max_model_len": 32768}]}},
            Traits(ToolForm.JSON, 32768, images=True),
        ),
        ({"/v1/models": LISTED, **OLLAMA}, Traits(ToolForm.JSON, 8192, images=False)),
        ({"/v1/models": LISTED, "/api/show": {"model_info": {}}}, Traits(ToolForm.JSON, 4096, images=True)),
        ({"/v1/models": LISTED, "/hailo/v1/list": {"models": []}}, Traits(ToolForm.TEXT, 2048, images=False)),
        ({"/v1/models": LISTED}, Traits(ToolForm.NATIVE, None, images=True)),
        ({}, Traits(ToolForm.NATIVE, None, images=True)),
        (
            {"/v1/models": b"<html>", "/props": [1], "/api/show": "x", "/hailo/v1/list": b""},
            Traits(ToolForm.NATIVE, None, images=True),
        ),
        (
            {"/v1/models": {"data": [{"id": MODEL, "owned_by": "vllm", "max_model_len": "many"}]}},
            Traits(ToolForm.JSON, None, images=True),
        ),
    ],
)
async def test_what_it_tells_of_itself(answers: dict[str, Any], traits: Traits) -> None:
    async with server(answers) as (backend, _):
        assert await backend.traits() == traits


async def test_settings_go_over_it() -> None:
    async with server({"/v1/models": LISTED, **LLAMA}, context_tokens=999, tool_form=ToolForm.TEXT) as (backend, _):
        assert await backend.traits() == Traits(ToolForm.TEXT, 999, images=True)


async def test_it_is_asked_once_in_a_while() -> None:
    async with server({"/v1/models": LISTED, **LLAMA}) as (backend, asked):
        for _ in range(3):
            await backend.traits()
        assert asked.count("/props") == 1


async def test_tokens_are_counted_by_the_server_or_estimated() -> None:
    async with server({"/v1/models": LISTED, **LLAMA}) as (backend, _):
        assert await backend.count_tokens(["anything", "else"]) == (3, 3)
    async with server({"/v1/models": LISTED}) as (backend, _):
        assert await backend.count_tokens(["anything"]) == (estimated_tokens("anything"),)
    async with server({"/v1/models": {"data": [{"id": MODEL, "owned_by": "vllm"}]}, "/tokenize": {"count": 7}}) as (
        b,
        _,
    ):
        assert await b.count_tokens(["anything"]) == (7,)


async def test_nobody_there() -> None:
    backend = UpstreamBackend(base_url="http://127.0.0.1:1/v1", model=MODEL, api_key=None, timeout=5, queue=2)
    assert (await backend.traits()).form is ToolForm.NATIVE
    await backend.close()
