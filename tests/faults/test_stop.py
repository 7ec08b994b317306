"""A stop in the middle of answers: what can end does, the rest ends with an event or an error that says so."""

from __future__ import annotations

import asyncio
import http.client
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.api.test_process import KEY, started
from tests.support.fake_upstream import FakeUpstream, Scripted, delta, events
from tests.support.house import House, body, thing

HOUSE = House((thing("Desk Lamp", "light", "Office"),))
SLOW = Scripted([*events(delta(content="Once upon a time. "), done=False), 60.0, *events(delta(content="The end."))])
SILENT = Scripted([60.0])


@contextmanager
def asked(port: int, path: str, request: dict[str, Any]) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    connection.request("POST", path, json.dumps(request), headers)
    try:
        yield connection
    finally:
        connection.close()


def settings(folder: Path, url: str) -> None:
    (folder / "settings.yaml").write_text(
        "settings: {ha_assist_languages: [en]}\n"
        f"models:\n  upstream: {{enabled: true, base_url: '{url}', model: small}}\n"
    )


def responses(request: dict[str, Any]) -> dict[str, Any]:
    tools = [{"type": "function", **tool["function"]} for tool in request.pop("tools")]
    return {**request, "input": request.pop("messages"), "tools": tools}


@pytest.mark.parametrize("model", ["HA-Assist", "small"])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
async def test_an_open_stream_ends_with_an_event_that_says_so(tmp_path: Path, path: str, model: str) -> None:
    async with FakeUpstream().running() as upstream:
        upstream.default = SLOW
        settings(tmp_path, upstream.url)
        request = {**body(HOUSE, "tell me a story", stream=True), "model": model}
        request = responses(request) if path == "/v1/responses" else request

        def run() -> str:
            with started(tmp_path, "--api-key", KEY) as (process, port), asked(port, path, request) as connection:
                answer = connection.getresponse()
                told = answer.readline().decode()
                process.send_signal(signal.SIGTERM)
                told += answer.read().decode()
                assert process.wait(10) == 0
                return told

        told = await asyncio.to_thread(run)
    assert "HA-Assist is being stopped or restarted." in told
    assert "The end." not in told
    assert told.endswith("\n\n")


async def test_an_answer_in_one_piece_is_an_error_that_says_so(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    async with FakeUpstream().running() as upstream:
        upstream.default = SILENT
        settings(tmp_path, upstream.url)
        for model in ("HA-Assist", "small"):
            request = {**body(HOUSE, "tell me a story"), "model": model}
            upstream.asked.clear()

            def run(request: dict[str, Any] = request) -> tuple[int, Any, str | None]:
                with (
                    started(tmp_path, "--api-key", KEY) as (process, port),
                    asked(port, "/v1/chat/completions", request) as connection,
                ):
                    asyncio.run_coroutine_threadsafe(upstream.asked.wait(), loop).result(30)
                    process.send_signal(signal.SIGTERM)
                    answer = connection.getresponse()
                    told = json.loads(answer.read())
                    assert process.wait(10) == 0
                    return answer.status, told, answer.headers["Retry-After"]

            status, told, later = await asyncio.to_thread(run)
            assert status == 503
            assert told["error"]["code"] == "shutting_down"
            assert later is not None
