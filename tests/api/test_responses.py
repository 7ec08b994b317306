"""The Responses API, whole and streamed, as the real openai client reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openai
import pytest

from ha_assist_addon.api.keys import Pace
from ha_assist_addon.conversation import Finish, Role, TextDelta, ToolCall, Usage
from ha_assist_addon.errors import BackendTimeout, BackendUnavailable, Busy, HaAssistError, InvalidImage
from tests.support.fake_upstream import FakeUpstream, delta, events, said
from tests.support.fake_upstream import Scripted as Answer
from tests.support.scripted import Scripted, call
from tests.support.serving import Running, running

BODY: dict[str, Any] = {"model": "HA-Assist", "input": "Turn on the light"}
TOOL: Any = {"type": "function", "name": "HassTurnOn", "parameters": {"type": "object"}, "strict": False}
BOTH = (
    TextDelta("I turn "), TextDelta(""), TextDelta("both on."),
    call("HassTurnOn", name="Küche"), call("HassTurnOff"),
    Finish("tool_calls", Usage(7, 5)),
)  # fmt: skip


async def test_one_object(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = BOTH
    async with server.openai() as client:
        answer = await client.responses.create(
            model="HA-Assist", input="Turn on the light", instructions="Be brief.", tools=[TOOL], temperature=0.5,
            max_output_tokens=200, store=True, user="one", metadata={"a": "b"}, parallel_tool_calls=True,
        )  # fmt: skip
    assert (answer.status, answer.error, answer.incomplete_details) == ("completed", None, None)
    assert answer.output_text == "I turn both on."
    assert [item.type for item in answer.output] == ["message", "function_call", "function_call"]
    assert [(c.call_id, c.name, c.arguments) for c in answer.output if c.type == "function_call"] == [
        ("call_HassTurnOn", "HassTurnOn", '{"name":"Küche"}'),
        ("call_HassTurnOff", "HassTurnOff", "{}"),
    ]
    assert answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.total_tokens) == (7, 5, 12)
    assert (answer.instructions, answer.temperature, answer.max_output_tokens) == ("Be brief.", 0.5, 200)
    assert (answer.metadata, answer.user, answer.tool_choice) == ({"a": "b"}, "one", "auto")
    assert [tool.type for tool in answer.tools] == ["function"]
    assert answer.to_dict()["store"] is False, "nothing is stored, whatever was asked"
    (record,) = server.services.traces.newest_first()
    assert record["metrics"] == answer.to_dict()["metrics"]
    assert record["sentence"] == "Turn on the light"


async def test_the_events_come_numbered_and_in_order(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = BOTH
    async with server.openai() as client:
        stream = await client.responses.create(model="HA-Assist", input="x", stream=True)
        received = [event async for event in stream]
    call_events = [
        "response.output_item.added", "response.function_call_arguments.delta",
        "response.function_call_arguments.done", "response.output_item.done",
    ]  # fmt: skip
    assert [event.type for event in received] == [
        "response.created", "response.in_progress",
        "response.output_item.added", "response.content_part.added",
        "response.output_text.delta", "response.output_text.delta",
        "response.output_text.done", "response.content_part.done", "response.output_item.done",
        *call_events, *call_events,
        "response.completed",
    ]  # fmt: skip
    assert [event.sequence_number for event in received] == list(range(len(received)))
    raw: list[Any] = [event.to_dict() for event in received]
    done = [event["item"] for event in raw if event["type"] == "response.output_item.done"]
    last = raw[-1]["response"]
    assert last["output"] == done
    assert len({item["id"] for item in done}) == 3
    by_item = [event["item_id"] for event in raw if "item_id" in event]
    assert list(dict.fromkeys(by_item)) == [item["id"] for item in done]
    indexes = [event["output_index"] for event in raw if "output_index" in event]
    assert indexes == [0] * 7 + [1] * 4 + [2] * 4
    assert last["metrics"]["ha_route"]["requested_model"] == "HA-Assist"
    assert received[0].type == "response.created"
    assert received[0].response.output == []


async def test_the_events_bear_their_names_on_the_wire(server: Running) -> None:
    async with server.http.post(f"{server.url}/responses", json={**BODY, "stream": True}) as response:
        assert response.content_type == "text/event-stream"
        blocks = (await response.text()).strip().split("\n\n")
    for block in blocks:
        name, data = block.split("\n")
        assert json.loads(data.removeprefix("data: "))["type"] == name.removeprefix("event: ")


async def test_the_helper_of_the_client_builds_the_same_answer(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = BOTH
    async with server.openai() as client, client.responses.stream(model="HA-Assist", input="x") as stream:
        final = await stream.get_final_response()
    assert final.output_text == "I turn both on."
    assert [item.type for item in final.output] == ["message", "function_call", "function_call"]


async def test_text_behind_a_call_is_a_message_of_its_own(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("One."), call(), TextDelta("Two."), Finish("tool_calls"))
    async with server.openai() as client, client.responses.stream(model="HA-Assist", input="x") as stream:
        final = await stream.get_final_response()
    assert [item.type for item in final.output] == ["message", "function_call", "message"]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("reason", "told"), [("length", "max_output_tokens"), ("content_filter", "content_filter")])
async def test_an_answer_that_was_cut_off(
    server: Running, pipeline: Scripted, stream: bool, reason: Any, told: str
) -> None:
    pipeline.steps = (TextDelta("Once"), Finish(reason))
    async with server.openai() as client:
        if stream:
            *_, last = [e async for e in await client.responses.create(model="HA-Assist", input="x", stream=True)]
            assert last.type == "response.incomplete"
            answer = last.response
        else:
            answer = await client.responses.create(model="HA-Assist", input="x")
    assert (answer.status, answer.output_text) == ("incomplete", "Once")
    assert answer.incomplete_details is not None
    assert answer.incomplete_details.reason == told


@pytest.mark.parametrize(
    ("error", "code"),
    [(BackendTimeout(), "server_error"), (Busy(), "rate_limit_exceeded"), (InvalidImage(), "invalid_image")],
    ids=str,
)
async def test_a_failure_in_the_middle_is_the_last_event(
    server: Running, pipeline: Scripted, error: HaAssistError, code: str
) -> None:
    pipeline.steps = (TextDelta("Once upon"), error)
    async with server.openai() as client:
        *_, last = [e async for e in await client.responses.create(model="HA-Assist", input="x", stream=True)]
    assert last.type == "response.failed"
    assert last.response.error is not None
    assert (last.response.error.code, last.response.error.message) == (code, error.message)
    assert [record["outcome"] for record in server.services.traces.newest_first()] == ["failed"]


@pytest.mark.parametrize("stream", [True, False])
async def test_a_failure_before_the_first_event_keeps_its_status(
    server: Running, pipeline: Scripted, stream: bool
) -> None:
    pipeline.steps = (BackendUnavailable(),)
    status, answer, _ = await server.post({**BODY, "stream": stream}, "/responses")
    assert (status, answer["error"]["code"]) == (503, "backend_unavailable")


async def test_silence_is_filled_with_comments(tmp_path: Path, pipeline: Scripted) -> None:
    pipeline.steps = (0.2, TextDelta("At last"), Finish("stop"))
    async with running(tmp_path, pipeline, pace=Pace(first_event=0.05, ping=0.05)) as server:
        async with server.http.post(f"{server.url}/responses", json={**BODY, "stream": True}) as response:
            assert ": ping\n\n" in await response.text()
        async with server.openai() as client, client.responses.stream(model="HA-Assist", input="x") as stream:
            assert (await stream.get_final_response()).output_text == "At last"


async def test_a_history_in_all_its_forms(server: Running, pipeline: Scripted) -> None:
    png = "data:image/png;base64,AAAA"
    body = {
        **BODY,
        "instructions": "Be brief.",
        "input": [
            {"role": "developer", "content": "You are a voice assistant."},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "both on"}]},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
            {"id": "m", "type": "message", "role": "assistant", "status": "completed",
             "content": [{"type": "output_text", "text": "I will.", "annotations": []}]},
            {"type": "function_call", "id": "f", "call_id": "1", "name": "A", "arguments": '{"name": "x"}'},
            {"type": "reasoning", "summary": []},
            {"type": "function_call", "call_id": "2", "name": "B", "arguments": "{"},
            {"type": "function_call_output", "call_id": "1", "output": "{}"},
            {"type": "function_call_output", "call_id": "2", "output": [{"type": "input_text", "text": "done"}]},
            {"type": "function_call", "call_id": "3", "name": "C", "arguments": ""},
            {"type": "function_call_output", "call_id": "3", "output": ""},
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
            {"role": "user", "content": [{"type": "input_text", "text": "What is it?"},
                                         {"type": "input_image", "image_url": png, "detail": "auto"}]},
        ],
    }  # fmt: skip
    status, answer, _ = await server.post(body, "/responses")
    assert status == 200, answer
    (request,) = pipeline.seen
    assert request.system_text == "Be brief.\nYou are a voice assistant."
    assert [(m.role, m.text, m.tool_call_id, tuple(c.id for c in m.tool_calls)) for m in request.messages[2:]] == [
        (Role.USER, "both on", None, ()),
        (Role.ASSISTANT, "I will.", None, ("1", "2")),
        (Role.TOOL, "{}", "1", ()),
        (Role.TOOL, "done", "2", ()),
        (Role.ASSISTANT, "", None, ("3",)),
        (Role.TOOL, "", "3", ()),
        (Role.ASSISTANT, "", None, ()),
        (Role.USER, "What is it?", None, ()),
    ]
    assert request.messages[3].tool_calls[:2] == (ToolCall("1", "A", {"name": "x"}), ToolCall("2", "B", {}))
    assert request.messages[-1].images == (png,)


async def test_the_rest_of_a_request(server: Running, pipeline: Scripted) -> None:
    schema = {"type": "object", "properties": {"count": {"type": "integer"}, "none": {"const": None, "default": None}}}
    form = {"type": "json_schema", "name": "Lab Task!", "schema": schema, "strict": True}
    odd = {**TOOL, "description": "Turns on", "odd": 1}
    body = {
        **BODY, "tools": [odd], "tool_choice": "required", "parallel_tool_calls": False, "max_output_tokens": 3000,
        "temperature": 0, "top_p": 1, "text": {"format": form, "verbosity": "low"}, "stream": None, "store": False,
        "safety_identifier": "conversation-1", "ha_context": {"language": "de"}, "service_tier": "auto",
        "prompt_cache_key": "k", "include": ["reasoning.encrypted_content"], "reasoning": {"effort": "low"},
        "truncation": "auto", "previous_response_id": None, "background": False, "unheard_of": {"a": 1},
    }  # fmt: skip
    pipeline.steps = (call(), Finish("tool_calls"))
    status, answer, _ = await server.post(body, "/responses")
    assert status == 200, answer
    (request,) = pipeline.seen
    assert request.tools == ({key: value for key, value in odd.items() if key != "type"},)
    assert (request.tool_choice, request.parallel_tool_calls, request.max_tokens) == ("required", False, 3000)
    assert (request.temperature, request.top_p, request.stream, request.conversation) == (0, 1, False, "conversation-1")
    assert request.response_format == {
        "type": "json_schema", "json_schema": {"name": "Lab Task!", "schema": schema, "strict": True}
    }  # fmt: skip
    assert request.ha_context == {"language": "de"}
    assert answer["text"] == {"format": form}
    async with server.openai() as client:
        plain: Any
        for plain, wanted in (({"type": "json_object"}, {"type": "json_object"}), ({"type": "text"}, None)):
            pipeline.steps = (TextDelta("{}"), Finish("stop"))
            reply = await client.responses.create(model="HA-Assist", input="x", text={"format": plain})
            assert pipeline.seen[-1].response_format == wanted
            assert reply.text is not None
            assert reply.text.format is not None
            assert reply.text.format.type == plain["type"]


@pytest.mark.parametrize(
    "choice",
    [
        "none",
        "required",
        {"type": "function", "name": "HassTurnOn"},
        {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "HassTurnOn"}]},
    ],
    ids=repr,
)
async def test_a_tool_choice_is_repeated_in_its_form(server: Running, pipeline: Scripted, choice: Any) -> None:
    pipeline.steps = (call(), Finish("tool_calls"))
    async with server.openai() as client:
        answer = await client.responses.create(model="HA-Assist", input="x", tools=[TOOL], tool_choice=choice)
    assert answer.to_dict()["tool_choice"] == choice
    assert [tool["name"] for tool in pipeline.seen[0].tools] == ["HassTurnOn"]


async def test_what_is_read_leniently_is_repeated_strictly(server: Running) -> None:
    body = {**BODY, "tools": [{**TOOL, "strict": 0}], "temperature": "1", "parallel_tool_calls": 1}
    _, answer, _ = await server.post(body, "/responses")
    assert (answer["tools"][0]["strict"], answer["temperature"]) == (False, 1.0)


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"model": None}, "model"),
        ({"input": None}, "input"),
        ({"input": []}, "input"),
        ({"input": 5}, "input"),
        ({"input": ["x"]}, "input[0]"),
        ({"input": [{"type": "message", "role": "wizard", "content": "x"}]}, "input[0].role"),
        ({"input": [{"type": "message", "content": "x"}]}, "input[0].role"),
        ({"input": [{"role": "user", "content": 5}]}, "input[0].content"),
        ({"input": [{"role": "user", "content": [{"type": "input_text", "text": 5}]}]}, "input[0].content[0].text"),
        ({"input": [{"role": "user", "content": [{"type": "input_file"}]}]}, "input[0].content[0].type"),
        ({"input": [{"role": "user", "content": [{"type": "input_audio"}]}]}, "input[0].content[0].type"),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "f"}]}]},
            "input[0].content[0].image_url",
        ),
        ({"input": [{"type": "item_reference", "id": "x"}]}, "input[0]"),
        ({"input": [{"type": "web_search_call"}]}, "input[0].type"),
        ({"input": [{"type": 5}]}, "input[0].type"),
        ({"input": [{"type": "function_call", "name": "a"}]}, "input[0].call_id"),
        ({"input": [{"type": "function_call_output", "call_id": "a"}]}, "input[0].output"),
        (
            {"input": [{"type": "function_call_output", "call_id": "a", "output": [{"type": "input_file"}]}]},
            "input[0].output[0].type",
        ),
        ({"instructions": 5}, "instructions"),
        ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
        ({"tools": [{"type": "function"}]}, "tools[0].name"),
        ({"tools": [{"name": "a"}]}, "tools[0].type"),
        ({"tools": [{"type": "function", "name": "a", "parameters": []}]}, "tools[0].parameters"),
        ({"tools": [{"type": "function", "name": "a", "strict": "x"}]}, "tools[0].strict"),
        ({"tool_choice": "sometimes"}, "tool_choice"),
        ({"tool_choice": {"type": "image_generation"}}, "tool_choice.type"),
        ({"tool_choice": {"type": "function", "name": "absent"}}, "tool_choice"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"text": {"format": {"type": "yaml"}}}, "text.format.type"),
        ({"text": {"format": {"type": "json_schema", "name": "a"}}}, "text.format.schema"),
        ({"max_output_tokens": 0}, "max_output_tokens"),
        ({"temperature": 3}, "temperature"),
        ({"top_p": 2}, "top_p"),
        ({"include": ["message.output_text.logprobs"]}, "include[0]"),
        ({"metadata": {"a": 5}}, "metadata.a"),
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"prompt": {"id": "x"}}, "prompt"),
        ({"background": True}, "background"),
        ({"audio": {}, "modalities": ["audio"]}, "modalities"),
        ({"top_logprobs": 3}, "top_logprobs"),
        ({"stream": "perhaps"}, "stream"),
    ],
    ids=repr,
)
async def test_the_field_at_fault_is_named(
    server: Running, pipeline: Scripted, change: dict[str, Any], param: str
) -> None:
    status, answer, _ = await server.post({**BODY, **change}, "/responses")
    assert (status, answer["error"]["param"]) == (400, param)
    assert answer["error"]["message"].endswith(".")
    assert not pipeline.seen


@pytest.mark.parametrize("path", ["/v1/responses", "/responses"])
async def test_the_bare_path_answers_too_and_nothing_is_kept_behind_it(server: Running, path: str) -> None:
    base = f"http://127.0.0.1:{server.port}{path}"
    async with server.http.post(base, json=BODY) as response:
        assert response.status == 200
        identity = (await response.json())["id"]
    async with server.http.get(f"{base}/{identity}") as response:
        assert response.status == 404


async def test_a_physical_model_is_asked_in_the_form_that_its_server_speaks(tmp_path: Path, pipeline: Scripted) -> None:
    async with FakeUpstream().running() as fake:
        settings = f"models:\n  upstream: {{enabled: true, base_url: '{fake.url}', model: small}}\n"
        call_chunk = {"index": 0, "id": "c1", "function": {"name": "HassTurnOn", "arguments": '{"name": "A"}'}}
        fake.queue = [
            said("<think>so</think>Hi"),
            Answer(events(delta(tool_calls=[call_chunk]), delta("tool_calls"))),
        ]
        async with running(tmp_path, pipeline, settings=settings) as server, server.openai() as client:
            answer = await client.responses.create(model="small", input="Hello", max_output_tokens=9, tools=[TOOL])
            assert (answer.output_text, answer.model) == ("Hi", "small")
            async with client.responses.stream(model="small", input="Hello", tools=[TOOL]) as stream:
                (item,) = (await stream.get_final_response()).output
            with pytest.raises(openai.NotFoundError):
                await client.responses.create(model="large", input="Hello")
        assert item.type == "function_call"
        assert (item.call_id, json.loads(item.arguments)) == ("c1", {"name": "A"})
        first = fake.requests[0]
        assert (first["model"], first["max_tokens"]) == ("small", 9)
        assert first["messages"] == [{"role": "user", "content": "Hello"}]
        assert first["tools"][0]["function"]["name"] == "HassTurnOn"
    assert not pipeline.seen
    routes = [record["metrics"]["ha_route"] for record in server.services.traces.newest_first()]
    assert [(route["route"], route["backend_model"], route["inference_calls"]) for route in routes] == [
        ("physical", "small", 1)
    ] * 2
