"""A server is tried step by step, and each fault is named where it is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from ha_assist_addon.app import listening
from ha_assist_addon.backends.probe import probe_server
from ha_assist_addon.backends.upstream import UpstreamBackend
from ha_assist_addon.conversation import ChatRequest, Message, Role
from ha_assist_addon.errors import BackendFailed
from ha_assist_addon.models.status import ModelState

REQUEST = ChatRequest(model="HA-Assist", messages=(Message(Role.USER, "Hello"),))
GOOD = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}]}
Answer = Callable[[web.Request], web.Response]


def json_of(value: Any, status: int = 200) -> Answer:
    return lambda _request: web.json_response(value, status=status)


def with_key(answer: Answer) -> Answer:
    """Only for who brings the right key."""

    def check(request: web.Request) -> web.Response:
        if request.headers.get("Authorization") == "Bearer right":
            return answer(request)
        return web.json_response({"error": {"message": "Incorrect API key provided"}}, status=401)

    return check


WELL = json_of(GOOD)
MODELS = json_of({"data": [{"id": "small"}, {"id": "large"}, {"id": None}, "odd"]})
BROKEN = json_of({"error": {"message": "CUDA out of memory"}}, 500)


@asynccontextmanager
async def server(models: Answer, chat: Answer = WELL) -> AsyncIterator[str]:
    async def list_models(request: web.Request) -> web.Response:
        return models(request)

    async def answer(request: web.Request) -> web.Response:
        return chat(request)

    app = web.Application()
    app.router.add_get("/v1/models", list_models)
    app.router.add_post("/v1/chat/completions", answer)
    async with listening(app, "127.0.0.1", 0, drain=0.1) as port:
        yield f"http://127.0.0.1:{port}/v1"


@pytest.mark.parametrize(
    ("models", "chat", "key", "model", "codes"),
    [
        (MODELS, json_of(GOOD), None, "small", ["reached", "not_needed", "listed", "answered"]),
        (with_key(MODELS), with_key(json_of(GOOD)), "right", "small", ["reached", "accepted", "listed", "answered"]),
        (with_key(MODELS), json_of(GOOD), "wrong", "small", ["reached", "refused", "untried", "untried"]),
        (with_key(MODELS), json_of(GOOD), None, "small", ["reached", "missing", "untried", "untried"]),
        (MODELS, with_key(json_of(GOOD)), "wrong", "small", ["reached", "refused", "untried", "untried"]),
        (MODELS, json_of(GOOD), None, None, ["reached", "not_needed", "no_model", "untried"]),
        (MODELS, json_of({}, 404), None, "tiny", ["reached", "not_needed", "unknown", "not_found"]),
        (MODELS, json_of(GOOD), None, "tiny", ["reached", "not_needed", "other_name", "answered"]),
        (json_of({}, 404), json_of(GOOD), None, "small", ["reached", "not_needed", "cannot_list", "answered"]),
        (MODELS, BROKEN, None, "small", ["reached", "not_needed", "listed", "refused"]),
        (MODELS, json_of([]), None, "small", ["reached", "not_needed", "listed", "refused"]),
    ],
)
async def test_each_step_is_told_by_itself(
    models: Answer, chat: Answer, key: str | None, model: str | None, codes: list[str]
) -> None:
    async with server(models, chat) as url:
        probe = await probe_server(url, key, model)
    assert [check.code for check in probe.checks] == codes
    assert probe.ok is (codes[-1] == "answered")
    if codes[1] in {"accepted", "not_needed"} and codes[2] != "cannot_list":
        assert probe.models == ("small", "large")


async def test_the_servers_own_words_are_kept() -> None:
    async with server(MODELS, BROKEN) as url:
        assert (await probe_server(url, None, "small")).checks[-1].said == "CUDA out of memory"
    async with server(with_key(MODELS)) as url:
        assert (await probe_server(url, "x", "small")).checks[1].said == "Incorrect API key provided"


@pytest.mark.parametrize(
    ("address", "code"),
    [
        (None, "no_address"),
        ("http://127.0.0.1:9/v1", "unreachable"),
        ("http://no-such-host.invalid/v1", "unknown_host"),
        ("ftp://127.0.0.1/v1", "bad_address"),
        ("nonsense", "bad_address"),
    ],
)
async def test_an_address_that_does_not_work_is_told_as_that(address: str | None, code: str) -> None:
    probe = await probe_server(address, None, "small")
    assert [check.code for check in probe.checks] == [code, "untried", "untried", "untried"]
    assert not probe.ok


async def test_a_missing_v1_is_found() -> None:
    async with server(MODELS) as url:
        probe = await probe_server(url.removesuffix("/v1"), None, "small")
    assert (probe.checks[0].code, probe.checks[0].values) == ("needs_v1", {"address": url})


async def test_ready_is_said_only_of_what_can_be_reached_and_has_not_just_failed() -> None:
    for models, code in ((with_key(MODELS), "key.missing"), (json_of({"data": [{"id": "x"}]}), "models.unknown")):
        async with server(models) as url, backend_at(url) as backend:
            status = await backend.status()
            assert (status.state, status.code) == (ModelState.FAILED, code)
    async with server(MODELS, BROKEN) as url, backend_at(url) as backend:
        assert (await backend.status()).state is ModelState.READY
        assert backend.last_answer is None
        with pytest.raises(BackendFailed) as failure:
            [event async for event in backend.generate(REQUEST)]
        assert failure.value.said == "500: CUDA out of memory"
        assert "CUDA" not in failure.value.message
        assert ((await backend.status()).state, (await backend.status()).code) == (ModelState.FAILED, "backend_error")
        assert not (await backend.probe()).ok
    async with server(MODELS) as url, backend_at(url) as backend:
        assert (await backend.probe()).ok
        assert backend.last_answer is not None
        assert backend.last_answer.error is None
        assert (await backend.status()).state is ModelState.READY


@asynccontextmanager
async def backend_at(url: str) -> AsyncIterator[UpstreamBackend]:
    made = UpstreamBackend(base_url=url, model="small", api_key=None, timeout=5, queue=2)
    try:
        yield made
    finally:
        await made.close()
