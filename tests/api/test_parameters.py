"""What a request may ask of its answer is kept, or refused in plain words: by HA-Assist and by the models it names."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.api.contract import kept
from ha_assist_addon.conversation import CallEvent, ChatRequest, Finish, ReplyEvent, TextDelta
from ha_assist_addon.errors import NoToolCall
from ha_assist_addon.nesting import MAX_DEPTH, too_deep
from tests.support.fake_upstream import FakeUpstream, delta, events, said
from tests.support.fake_upstream import Scripted as Answer
from tests.support.house import House, called, result, thing
from tests.support.house import body as house_body
from tests.support.scripted import Scripted, call
from tests.support.serving import Running, running

HOUSE = House(
    (
        thing("Desk Lamp", "light", "Office"),
        thing("Ceiling Light", "light", "Kitchen"),
        thing("Ceiling Light", "light", "Hall"),
    )
)
USER: list[Any] = [{"role": "user", "content": "Turn on the desk lamp"}]


def offered(*names: str) -> list[Any]:
    return [{"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in names]


def named(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


def allowed(mode: str, *names: str) -> dict[str, Any]:
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [named(name) for name in names]}}


async def asked(server: Running, **change: Any) -> tuple[int, Any]:
    body = {"model": "HA-Assist", "messages": USER, "tools": offered("A", "B", "C"), **change}
    status, answer, _ = await server.post(body)
    return status, answer


@pytest.mark.parametrize(
    ("choice", "left", "seen"),
    [
        (None, "ABC", "auto"),
        ("auto", "ABC", "auto"),
        ("none", "ABC", "none"),
        ("required", "ABC", "required"),
        (named("B"), "B", "B"),
        (allowed("auto", "C", "A"), "AC", "auto"),
        (allowed("required", "B"), "B", "required"),
    ],
    ids=repr,
)
async def test_only_chosen_tools_reach_whoever_answers(
    server: Running, pipeline: Scripted, choice: Any, left: str, seen: str
) -> None:
    pipeline.steps = (call("B"), Finish("tool_calls"))
    status, answer = await asked(server, tool_choice=choice)
    assert status == 200, answer
    (request,) = pipeline.seen
    assert ("".join(tool["name"] for tool in request.tools), request.tool_choice) == (left, seen)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("choice", ["required", named("A"), allowed("required", "A")], ids=repr)
async def test_who_insists_on_a_call_gets_one_or_an_error(
    server: Running, pipeline: Scripted, stream: bool, choice: Any
) -> None:
    pipeline.steps = (TextDelta("Which lamp?"), Finish("stop"))
    status, answer = await asked(server, tool_choice=choice, stream=stream)
    assert (status, answer["error"]["code"], answer["error"]["param"]) == (400, "no_tool_call", "tool_choice")
    pipeline.steps = (TextDelta("Which "), TextDelta("lamp"), Finish("length"))
    status, answer = await asked(server, tool_choice=choice)
    assert (answer["choices"][0]["message"]["content"], answer["choices"][0]["finish_reason"]) == (
        "Which lamp", "length"
    )  # fmt: skip
    pipeline.steps = (TextDelta("So be it."), call("A"), Finish("tool_calls"))
    status, answer = await asked(server, tool_choice=choice)
    message = answer["choices"][0]["message"]
    assert (message["content"], message["tool_calls"][0]["function"]["name"]) == ("So be it.", "A")


async def test_another_tool_than_the_named_one_is_not_called(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (call("B"), Finish("tool_calls"))
    status, answer = await asked(server, tool_choice=named("A"))
    assert (status, answer["error"]["code"]) == (400, "no_tool_call")


async def test_calls_are_left_out_where_none_are_wanted(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (TextDelta("Hello."), call("A"), Finish("tool_calls"))
    _, answer = await asked(server, tool_choice="none")
    choice = answer["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == ("Hello.", "stop")
    assert "tool_calls" not in choice["message"]


async def test_one_call_at_a_time(server: Running, pipeline: Scripted) -> None:
    pipeline.steps = (call("A"), call("B"), Finish("tool_calls"))
    _, answer = await asked(server, parallel_tool_calls=False)
    assert [c["function"]["name"] for c in answer["choices"][0]["message"]["tool_calls"]] == ["A"]
    _, answer = await asked(server, parallel_tool_calls=True)
    assert [c["function"]["name"] for c in answer["choices"][0]["message"]["tool_calls"]] == ["A", "B"]


ENDS: st.SearchStrategy[ReplyEvent] = st.sampled_from([Finish("stop"), Finish("tool_calls"), Finish("length")])
STEPS = st.lists(st.one_of(st.sampled_from("ABC").map(call), st.text(max_size=3).map(TextDelta)), max_size=5).flatmap(
    lambda steps: ENDS.map(lambda end: [*steps, end])
)


@given(
    steps=STEPS,
    choice=st.sampled_from(["auto", "none", "required", "A"]),
    parallel=st.booleans(),
)
async def test_whatever_answers_the_contract_is_kept(steps: list[ReplyEvent], choice: str, parallel: bool) -> None:
    async def source() -> AsyncIterator[ReplyEvent]:
        for step in steps:
            yield step

    request = ChatRequest("HA-Assist", (), tool_choice=choice, parallel_tool_calls=parallel)
    try:
        out = [event async for event in kept(source(), request)]
    except NoToolCall:
        assert choice in {"required", "A"}
        return
    calls = [event.call.name for event in out if isinstance(event, CallEvent)]
    finish = out[-1]
    assert isinstance(finish, Finish)
    assert not any(isinstance(event, Finish) for event in out[:-1])
    assert parallel or len(calls) <= 1
    assert choice != "none" or not calls
    assert choice not in {"required", "A"} or calls or finish.reason == "length"
    assert choice != "A" or set(calls) <= {"A"}
    assert finish.reason != "tool_calls" or calls
    texts = [event for event in steps if isinstance(event, TextDelta)]
    assert [event for event in out if isinstance(event, TextDelta)] == texts, "no text is lost or moved"


@pytest.mark.parametrize("extra", [{}, {"stream_options": None}, {"stream_options": {"include_usage": False}}])
async def test_usage_is_streamed_only_where_it_is_asked_for(server: Running, extra: dict[str, Any]) -> None:
    async def chunks(**options: Any) -> list[Any]:
        body = {"model": "HA-Assist", "messages": USER, "stream": True, **options}
        async with server.http.post(f"{server.url}/chat/completions", json=body) as response:
            lines = (await response.text()).split("\n")
        return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]

    assert not any("usage" in chunk for chunk in await chunks(**extra))
    *_, last = await chunks(stream_options={"include_usage": True})
    assert last["choices"] == []
    assert last["usage"] == {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"n": 0}, "n"),
        ({"n": 2}, "n"),
        ({"max_tokens": 2**31}, "max_tokens"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"max_completion_tokens": 0}, "max_completion_tokens"),
        ({"temperature": -0.1}, "temperature"),
        ({"temperature": 2.01}, "temperature"),
        ({"top_p": 1.01}, "top_p"),
        ({"seed": 2**63}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"stop": [5]}, "stop[0]"),
        ({"tool_choice": allowed("auto", "absent")}, "tool_choice"),
        ({"tool_choice": allowed("sometimes", "A")}, "tool_choice.allowed_tools.mode"),
        ({"tool_choice": {"type": "function"}}, "tool_choice.function"),
        ({"tool_choice": {"type": "custom"}}, "tool_choice.function"),
        ({"tool_choice": "required", "tools": []}, "tool_choice"),
    ],
    ids=repr,
)
async def test_what_is_out_of_bounds_is_refused(
    server: Running, pipeline: Scripted, change: dict[str, Any], param: str
) -> None:
    status, answer = await asked(server, **change)
    assert (status, answer["error"]["code"], answer["error"]["param"]) == (400, "invalid_request", param)
    assert not pipeline.seen


@pytest.mark.parametrize("stop", [["", "\n"], "\n"])
async def test_an_empty_stop_is_none(server: Running, pipeline: Scripted, stop: Any) -> None:
    await asked(server, stop=stop)
    assert pipeline.seen[0].stop == ("\n",)


@pytest.fixture
async def upstream() -> AsyncIterator[FakeUpstream]:
    async with FakeUpstream().running() as fake:
        yield fake


@pytest.fixture
async def real(tmp_path: Path, upstream: FakeUpstream) -> AsyncIterator[Running]:
    """The real pipeline, with a model behind it."""
    settings = (
        "settings:\n  ha_assist_languages: [en]\n"
        f"models:\n  upstream: {{enabled: true, base_url: '{upstream.url}', model: small}}\n"
    )
    async with running(tmp_path, settings=settings) as up:
        yield up


LIMITS = {"temperature": 0.5, "top_p": 0.9, "seed": 7, "stop": ["END"], "max_tokens": 50}


async def test_what_a_model_generates_is_held_to_the_limits(real: Running, upstream: FakeUpstream) -> None:
    status, _, _ = await real.post({"model": "HA-Assist", "messages": [{"role": "user", "content": "Hello"}], **LIMITS})
    assert status == 200
    (sent,) = upstream.requests
    assert sent["max_tokens"] <= 50
    assert {key: sent[key] for key in LIMITS if key != "max_tokens"} == {
        key: value for key, value in LIMITS.items() if key != "max_tokens"
    }
    await real.post(
        {"model": "small", "input": "Hello", "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 50}, "/responses"
    )
    sent = upstream.requests[-1]
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"]) == (0.5, 0.9, 50)


async def test_what_is_certain_without_a_model_is_never_cut(real: Running, upstream: FakeUpstream) -> None:
    """A half sentence, or half a question, would be spoken: limits are for generated text alone."""
    body = house_body(HOUSE, "turn on the ceiling light")
    _, unlimited, _ = await real.post(body)
    _, limited, _ = await real.post({**body, "max_tokens": 1, "stop": ["e", " "]})
    assert limited["choices"] == unlimited["choices"]
    assert limited["choices"][0]["finish_reason"] == "stop"
    assert len(limited["choices"][0]["message"]["content"].split()) > 3
    assert not upstream.bodies


async def test_a_sure_action_respects_the_tool_that_was_chosen(real: Running, upstream: FakeUpstream) -> None:
    body = house_body(HOUSE, "turn on the desk lamp")
    _, free, _ = await real.post(body)
    (made,) = free["choices"][0]["message"]["tool_calls"]
    other = next(
        tool["function"]["name"] for tool in body["tools"] if tool["function"]["name"] != made["function"]["name"]
    )
    status, answer, _ = await real.post({**body, "tool_choice": named(other)})
    assert (status, answer["error"]["code"]) == (400, "no_tool_call"), "the model said Hello instead"
    status, same, _ = await real.post({**body, "tool_choice": named(made["function"]["name"])})
    assert same["choices"][0]["message"]["tool_calls"][0]["function"] == made["function"]


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@given(depth=st.integers(0, 3 * MAX_DEPTH), lists=st.booleans())
def test_depth_is_counted_in_levels(depth: int, lists: bool) -> None:
    value: Any = [] if lists else {}
    for _ in range(depth):
        value = [value, 1] if lists else {"a": value, "b": 1}
    assert too_deep(value) is (depth >= MAX_DEPTH)


@pytest.mark.parametrize("model", ["HA-Assist", "small"])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_call_that_is_nested_too_deeply_is_the_models_failure(
    real: Running, upstream: FakeUpstream, model: str, stream: bool
) -> None:
    tools = [{"type": "function", "name": "Odd", "parameters": {"type": "object"}}]
    body = {"model": model, "input": "please do the odd thing", "tools": tools, "stream": stream}
    for depth in (MAX_DEPTH - 1, MAX_DEPTH, 964, 965, 966, 5000, 50_000):
        arguments = '{"a":' * depth + "{}" + "}" * depth
        fragment = {"index": 0, "id": "c", "function": {"name": "Odd", "arguments": arguments}}
        upstream.queue = [Answer(events(delta(tool_calls=[fragment]), delta("tool_calls")))]
        async with real.http.post(f"{real.url}/responses", json=body) as response:
            text = await response.text()
        if depth < MAX_DEPTH:
            assert response.status == 200
            assert "response.failed" not in text
        elif model == "HA-Assist":
            assert response.status == 200
            assert "The language model could not answer." in text, depth
        else:
            assert (response.status, json.loads(text)["error"]["code"]) == (502, "backend_error"), depth


async def test_a_printed_call_that_is_nested_too_deeply_is_no_fault(real: Running, upstream: FakeUpstream) -> None:
    tools = [{"type": "function", "name": "Odd", "parameters": {"type": "object"}}]
    for depth in (MAX_DEPTH, 900, 960, 970, 980, 5000):
        arguments = '{"a":' * depth + "{}" + "}" * depth
        for text in (f'<tool_call>{{"name": "Odd", "arguments": {arguments}}}</tool_call>', arguments):
            upstream.queue = [said(text)]
            body = {"model": "HA-Assist", "input": "please do the odd thing", "tools": tools}
            status, answer, _ = await real.post(body, "/responses")
            assert (status, [item["type"] for item in answer["output"]]) == (200, ["message"]), answer


async def test_a_call_that_is_nested_too_deeply_is_told_whoever_makes_it(server: Running, pipeline: Scripted) -> None:
    for depth in (MAX_DEPTH, 965, 5000):
        pipeline.steps = (call("Odd", **nested(depth)), Finish("tool_calls"))
        for path, body in (("/chat/completions", {"messages": USER}), ("/responses", {"input": "x"})):
            status, answer, _ = await server.post({"model": "HA-Assist", **body}, path)
            assert (status, answer["error"]["code"]) == (502, "backend_error")


async def test_deep_and_huge_texts_in_a_request_do_no_harm(real: Running, upstream: FakeUpstream) -> None:
    """Texts that are read as JSON or as YAML on the way: the entity list, arguments in the history, results."""
    body = house_body(HOUSE, "turn on the desk lamp")
    system, user = body["messages"]
    heading = "Static Context: An overview of the areas and the devices in this smart home:\n"
    for deep in ("[" * 100_000, "[" * 5000 + "]" * 5000, '{"a":' * 2000 + "1" + "}" * 2000, "9" * 6000, "- " * 3000):
        made = called("GetLiveContext", {})
        made["tool_calls"][0]["function"]["arguments"] = deep
        for messages in (
            [system, user, made, result(deep)],
            [system, user, made, result({"result": f"Live Context: x:\n{deep}"})],
            [{"role": "system", "content": heading + deep}, user],
            [system, {"role": "user", "content": deep}],
        ):
            status, answer, _ = await real.post({**body, "messages": messages})
            assert status == 200 or answer["error"]["code"] == "context_length_exceeded", answer


async def test_a_schema_that_is_hard_to_read_does_no_harm(real: Running, upstream: FakeUpstream) -> None:
    loop: dict[str, Any] = {"$ref": "#"}
    bad: tuple[dict[str, Any], ...] = (
        {"type": "object", "properties": {"name": loop}},
        {"type": 5},
        {"anyOf": 3},
        {"$ref": "https://x.y/z"},
        loop,
    )
    for schema in (*bad, nested(90)):
        tools = [
            {"type": "function", "function": {**tool["function"], "parameters": schema}}
            for tool in house_body(HOUSE, "x")["tools"]
        ]
        status, answer, _ = await real.post({**house_body(HOUSE, "turn on the desk lamp"), "tools": tools})
        assert status < 500, answer
