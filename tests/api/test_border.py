"""Keys, paths, sizes and bodies: whatever comes, an error object with a sentence goes out, and never a 500."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from typing import Any

import aiohttp
import openai
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ha_assist_addon import __version__
from ha_assist_addon.api import body as body_module
from tests.support.scripted import Scripted
from tests.support.serving import KEY, Running

GOOD: dict[str, Any] = {"model": "HA-Assist", "messages": [{"role": "user", "content": "Hello"}]}


def assert_error(answer: Any, code: str, param: str | None = None) -> None:
    assert set(answer) == {"error"}
    error = answer["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["code"] == code
    assert error["param"] == param
    assert error["message"][0].isupper()
    assert error["message"].endswith(".")


async def test_health_needs_no_key_and_no_model(server: Running) -> None:
    async with aiohttp.ClientSession() as http, http.get(f"http://127.0.0.1:{server.port}/health") as response:
        assert response.status == 200
        assert await response.json() == {"status": "ok", "version": __version__}


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer wrong", f"Basic {KEY}", KEY, f"Bearer {KEY}x", "Bearer k\u00e9y"]
)
@pytest.mark.parametrize("path", ["/v1/models", "/v1/nowhere"])
async def test_a_wrong_key_is_401_everywhere(server: Running, header: str | None, path: str) -> None:
    headers = {} if header is None else {"Authorization": header}
    async with (
        aiohttp.ClientSession() as http,
        http.get(f"http://127.0.0.1:{server.port}{path}", headers=headers) as response,
    ):
        assert response.status == 401
        assert response.headers["WWW-Authenticate"] == "Bearer"
        assert_error(await response.json(), "invalid_api_key")


async def test_the_scheme_of_a_key_is_read_in_any_case(server: Running) -> None:
    async with server.http.get(f"{server.url}/models", headers={"Authorization": f"bearer {KEY}"}) as response:
        assert response.status == 200


async def test_the_openai_client_sees_a_wrong_key(server: Running) -> None:
    async with server.openai(key="sk-no-key-required") as client:
        with pytest.raises(openai.AuthenticationError, match="The key for HA-Assist"):
            await client.models.list()


async def test_models_lists_ha_assist_first(server: Running) -> None:
    async with server.openai() as client:
        assert [model.id async for model in client.models.list()] == ["HA-Assist"]
        assert (await client.models.retrieve("HA-Assist")).id == "HA-Assist"
        with pytest.raises(openai.NotFoundError) as caught:
            await client.models.retrieve("org/other")
    assert caught.value.code == "model_not_found"


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nowhere", 404, "not_found"),
        ("POST", "/", 404, "not_found"),
        ("GET", "/v1/chat/completions", 405, "method_not_allowed"),
        ("DELETE", "/models", 405, "method_not_allowed"),
        ("POST", "/health", 405, "method_not_allowed"),
    ],
)
async def test_unknown_paths_and_methods(server: Running, method: str, path: str, status: int, code: str) -> None:
    async with server.http.request(method, f"http://127.0.0.1:{server.port}{path}") as response:
        assert response.status == status
        assert_error(await response.json(), code)


@pytest.mark.parametrize("model", ["ha-assist", "HA-Assist ", "HA-ASSIST", "gpt-4o"])
async def test_only_the_exact_name_is_ha_assist(server: Running, pipeline: Scripted, model: str) -> None:
    status, answer, _ = await server.post({**GOOD, "model": model})
    assert status == 404
    assert_error(answer, "model_not_found", "model")
    assert not pipeline.seen
    assert not server.services.traces.newest_first()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"   ",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe{}",
        b'{"model": "HA-Assist", "messages": [{"role": "user", "content": "\xe9"}]}',
        b'{"model": "HA-Assist", "messages": [{"role": "user", "content": "\\ud83d"}]}',
        b'{"model": "HA-Assist", "messages": [{"role": "user", "content": "a"}], "temperature": NaN}',
        b'{"model": "HA-Assist", "messages": [{"role": "user", "content": "a"}], "x": -Infinity}',
        b'{"model": "HA-Assist", "messages": [{"role": "user", "content": "a"}], "x": 1e999}',
        b'{"model": "HA-Assist", "messages": [{"role": "user", "content": "a"}], "x": ' + b"9" * 5000 + b"}",
        b"[" * 200_000,
        b'{"model": "HA-Assist", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"model": "HA-Assist", "x": ' + b'{"a":' * 500 + b"1" + b"}" * 500 + b"}",
    ],
    ids=lambda raw: repr(raw[:40]),
)
async def test_what_is_not_a_sound_json_object(server: Running, pipeline: Scripted, raw: bytes) -> None:
    status, answer, _ = await server.post(raw)
    assert status == 400
    assert_error(answer, "invalid_request")
    assert not pipeline.seen


async def test_a_pair_of_surrogates_is_a_character(server: Running, pipeline: Scripted) -> None:
    status, _, _ = await server.post(json.dumps({**GOOD, "messages": [{"role": "user", "content": "💡"}]}).encode())
    assert status == 200
    assert pipeline.seen[0].messages[0].text == "💡"


async def test_a_byte_order_mark_is_passed_over(server: Running) -> None:
    status, _, _ = await server.post(b"\xef\xbb\xbf" + json.dumps(GOOD).encode())
    assert status == 200


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json; charset=utf-16", 400),
        ("application/json; charset=nonsense", 400),
        ("application/json; charset=UTF-8", 200),
        ("application/x-www-form-urlencoded", 200),
        ("text/plain", 200),
        ("nonsense", 200),
    ],
)
async def test_the_body_is_utf8_whatever_its_type_is_called(server: Running, content_type: str, status: int) -> None:
    found, _, _ = await server.post(json.dumps(GOOD).encode(), **{"Content-Type": content_type})
    assert found == status


async def test_a_packed_body_is_refused(server: Running) -> None:
    packed = gzip.compress(json.dumps(GOOD).encode())
    for encoding in ("gzip", "deflate", "br", "zstd", "nonsense"):
        status, answer, _ = await server.post(packed, **{"Content-Encoding": encoding})
        assert status == 415
        assert_error(answer, "unsupported_encoding")
    status, _, _ = await server.post(json.dumps(GOOD).encode(), **{"Content-Encoding": "identity"})
    assert status == 200


async def test_a_body_past_the_limit(server: Running, pipeline: Scripted) -> None:
    status, answer, _ = await server.post(b"x" * (17 * 1024 * 1024))
    assert status == 413
    assert_error(answer, "request_too_large")
    large = {**GOOD, "messages": [{"role": "user", "content": "x" * (15 * 1024 * 1024)}]}
    status, _, _ = await server.post(large)
    assert status == 200


async def test_a_body_that_never_comes(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_module, "BODY_SECONDS", 0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nAuthorization: Bearer "
        + KEY.encode()
        + b"\r\n\r\n{"
    )
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408")
    assert b"x-should-retry: false" in head
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"model": None}, "model"),
        ({"model": ""}, "model"),
        ({"model": 5}, "model"),
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": "Hello"}, "messages"),
        ({"messages": {}}, "messages"),
        ({"messages": [5]}, "messages[0]"),
        ({"messages": [{"content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "wizard", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": 5}]}]}, "messages[0].content[0].text"),
        ({"messages": [{"role": "user", "content": [{"type": "input_audio"}]}]}, "messages[0].content"),
        ({"messages": [{"role": "assistant", "tool_calls": "x"}]}, "messages[0].tool_calls"),
        ({"tools": "x"}, "tools"),
        ({"tools": [5]}, "tools[0]"),
        ({"tools": [{"type": "function"}]}, "tools[0].function"),
        ({"tools": [{"type": "function", "function": {}}]}, "tools[0].function.name"),
        ({"tools": [{"type": "function", "function": {"name": ""}}]}, "tools[0].function.name"),
        (
            {"tools": [{"type": "function", "function": {"name": "a", "parameters": []}}]},
            "tools[0].function.parameters",
        ),
        ({"tool_choice": "sometimes"}, "tool_choice"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tool_choice": {"type": "function", "function": {"name": "absent"}}}, "tool_choice"),
        ({"parallel_tool_calls": []}, "parallel_tool_calls"),
        ({"response_format": {"type": "yaml"}}, "response_format.type"),
        ({"response_format": {"type": "json_schema"}}, "response_format.json_schema"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": "many"}, "max_completion_tokens"),
        ({"temperature": 2.1}, "temperature"),
        ({"temperature": "hot"}, "temperature"),
        ({"top_p": -1}, "top_p"),
        ({"n": 2}, "n"),
        ({"n": "x"}, "n"),
        ({"stop": 5}, "stop"),
        ({"seed": "x"}, "seed"),
        ({"stream": "perhaps"}, "stream"),
        ({"stream_options": 5}, "stream_options"),
        ({"user": 5}, "user"),
        ({"metadata": []}, "metadata"),
        ({"ha_context": "x"}, "ha_context"),
    ],
    ids=repr,
)
async def test_the_field_at_fault_is_named(
    server: Running, pipeline: Scripted, change: dict[str, Any], param: str
) -> None:
    status, answer, _ = await server.post({**GOOD, **change})
    assert status == 400
    assert_error(answer, "invalid_request", param)
    assert not pipeline.seen


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["messages", "tools", "tool_choice", "response_format", "stream_options", "metadata", "stop", "user", "n"]
)
PART = st.fixed_dictionaries(
    {}, optional={"type": st.sampled_from(["text", "image_url", "x"]), "text": JSON, "image_url": JSON}
)
MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["system", "user", "assistant", "tool", "developer"]),
        "content": JSON | st.lists(PART, max_size=3),
        "tool_calls": JSON | st.lists(st.fixed_dictionaries({"function": JSON}), max_size=2),
        "tool_call_id": JSON,
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=300)
@given(
    change=st.dictionaries(FIELDS, JSON, max_size=3)
    | st.fixed_dictionaries({"messages": st.lists(MESSAGE, max_size=3)})
)
def test_whatever_stands_in_the_fields_is_read_or_refused(change: dict[str, Any]) -> None:
    from ha_assist_addon.errors import InvalidRequest
    from ha_assist_addon.wire.chat import last_sentence, parse_chat
    from ha_assist_addon.wire.fields import conversation_of

    body = {**GOOD, **change}
    conversation_of(body)
    last_sentence(body)
    with contextlib.suppress(InvalidRequest):
        parse_chat(body)


@pytest.mark.parametrize(
    "broken",
    [
        b"Transfer-Encoding: chunked\r\n\r\nthe secret sentence\r\n",
        b"X-Key: the secret sentence\x01\r\n\r\n",
    ],
)
async def test_a_broken_request_is_not_quoted_in_the_log(
    server: Running, caplog: pytest.LogCaptureFixture, broken: bytes
) -> None:
    caplog.set_level("INFO")
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\n"
        writer.write(head.encode() + broken)
        assert b" 400 " in await reader.readuntil(b"\r\n")
        while await reader.read(1 << 16):
            pass
        writer.close()
    assert "secret" not in caplog.text
    assert "Traceback" not in caplog.text
