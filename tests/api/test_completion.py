"""Answers in one piece, as the real openai client reads them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ha_assist_addon.conversation import Finish, TextDelta, Usage
from tests.support.scripted import Scripted, call
from tests.support.serving import Running

USER: list[Any] = [{"role": "user", "content": "Turn on the light"}]


async def test_a_text(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("It is "), TextDelta("on – “yes” 💡."), Finish("stop", Usage(7, 5)))
    async with server.openai() as client:
        answer = await client.chat.completions.create(model="HA-Assist", messages=USER)
    assert answer.choices[0].message.content == "It is on – “yes” 💡."
    assert answer.choices[0].finish_reason == "stop"
    assert answer.model == "HA-Assist"
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (7, 5, 12)


async def test_calls_stand_beside_null_content_and_arguments_are_never_empty(
    server: Running, pipeline: Scripted
) -> None:
    pipeline.steps = (call("HassTurnOn", name="Küche"), call("HassNevermind"), Finish("tool_calls"))
    async with server.openai() as client:
        answer = await client.chat.completions.create(model="HA-Assist", messages=USER)
    choice = answer.choices[0]
    assert choice.message.content is None
    assert choice.finish_reason == "tool_calls"
    functions = [tool.function for tool in choice.message.tool_calls or () if tool.type == "function"]
    assert [(f.name, json.loads(f.arguments)) for f in functions] == [
        ("HassTurnOn", {"name": "Küche"}),
        ("HassNevermind", {}),
    ]
    assert functions[1].arguments == "{}"


async def test_metrics_and_the_panel_come_from_one_trace(server: Running) -> None:
    status, answer, _ = await server.post({"model": "HA-Assist", "messages": USER, "user": "conversation-1"})
    assert status == 200
    assert answer["metrics"]["ha_route"]["inference_calls"] == 0
    (record,) = server.services.traces.newest_first()
    assert record["metrics"] == answer["metrics"]
    assert (record["outcome"], record["reply"], record["conversation"]) == ("answered", "Done.", "conversation-1")
    assert record["sentence"] == "Turn on the light"


async def test_the_panel_keeps_the_beginning_of_a_long_text(server: Running, pipeline: Scripted) -> None:
    long = "x" * 1_000_000
    pipeline.steps = (TextDelta(long), Finish("stop"))
    messages = [{"role": "user", "content": long}]
    status, answer, _ = await server.post({"model": "HA-Assist", "messages": messages, "user": long})
    assert (status, answer["choices"][0]["message"]["content"]) == (200, long), "the answer itself is whole"
    (record,) = server.services.traces.newest_first()
    assert {record[key] for key in ("sentence", "reply", "conversation")} == {"x" * 2000 + "…"}


async def test_half_a_surrogate_pair_in_an_answer_does_no_harm(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("a\ud83db"), Finish("stop"))
    status, answer, _ = await server.post({"model": "HA-Assist", "messages": USER})
    assert (status, answer["choices"][0]["message"]["content"]) == (200, "a?b")


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/chat/completions"])
async def test_the_bare_path_answers_too(server: Running, path: str) -> None:
    async with server.http.post(
        f"http://127.0.0.1:{server.port}{path}", json={"model": "HA-Assist", "messages": USER}
    ) as response:
        assert response.status == 200


async def test_a_pipeline_that_forgets_to_finish_is_our_fault(
    server: Running, pipeline: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline.steps = (TextDelta("Half"),)
    status, answer, headers = await server.post({"model": "HA-Assist", "messages": USER})
    assert (status, answer["error"]["code"]) == (500, "server_error")
    assert headers["x-should-retry"] == "false"
    assert "RuntimeError" in caplog.text
    assert server.services.traces.newest_first()[0]["outcome"] == "failed"


async def test_a_fault_is_logged_without_the_conversation(
    server: Running, pipeline: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    pipeline.steps = (KeyError("the diary under the bed"),)
    status, answer, _ = await server.post({"model": "HA-Assist", "messages": USER})
    assert status == 500
    assert "diary" not in caplog.text
    assert "diary" not in json.dumps(answer)
    assert "KeyError at" in caplog.text
