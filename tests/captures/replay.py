"""Recorded requests, and what they are answered by a running server."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar

from openai import APIStatusError, AsyncOpenAI

from ha_assist_addon.conversation import ChatRequest
from ha_assist_addon.wire.chat import parse_chat
from ha_assist_addon.wire.responses import parse_responses
from tests.captures.expected import Reply
from tests.support.serving import Running

CHAT, RESPONSES = "/chat/completions", "/responses"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request of a recording, to the chat or to the Responses API."""

    scenario: str
    number: int
    path: str
    body: Mapping[str, Any]

    @classmethod
    def of(cls, scenario: str, number: int, request: Mapping[str, Any]) -> Recorded:
        """A request as it was recorded, but for HA-Assist."""
        path = RESPONSES if request["path"].endswith(RESPONSES) else CHAT
        return cls(scenario, number, path, {**request["body"], "model": "HA-Assist"})

    @property
    def parsed(self) -> ChatRequest:
        """What it says."""
        return (parse_chat(dict(self.body)) if self.path == CHAT else parse_responses(dict(self.body))).chat

    @property
    def label(self) -> str:
        """How a failure names it."""
        return f"{self.scenario}#{self.number}"


def recordings(folder: Path) -> Iterator[Recorded]:
    """Every request for an answer, numbered among those of its exchange."""
    for file in sorted(folder.glob("*/*/*.json")):
        recording = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(recording, dict):
            continue
        asked = [
            e["request"] for e in recording.get("exchanges", ()) if e["request"]["path"].endswith((CHAT, RESPONSES))
        ]
        name = str(file.relative_to(folder).with_suffix(""))
        yield from (Recorded.of(name, number, request) for number, request in enumerate(asked))


Value = TypeVar("Value")


def first_match(table: Mapping[str, Value], scenario: str) -> Value | None:
    """The value of the first pattern that fits."""
    return next((value for pattern, value in table.items() if fnmatchcase(scenario, pattern)), None)


async def whole(server: Running, recorded: Recorded) -> Reply:
    """The answer in one piece."""
    request = {**recorded.body, "stream": False}
    request.pop("stream_options", None)
    status, answer, _ = await server.post(request, recorded.path)
    if status != 200:
        return Reply(status, answer["error"]["message"], code=answer["error"]["code"])
    if recorded.path == RESPONSES:
        return _response(answer)
    choice = answer["choices"][0]
    message = choice["message"]
    calls = message.get("tool_calls") or []
    return Reply(
        status,
        message["content"] or "",
        tuple((c["function"]["name"], json.loads(c["function"]["arguments"])) for c in calls),
        choice["finish_reason"],
    )


async def streamed(client: AsyncOpenAI, recorded: Recorded) -> Reply:
    """The answer in pieces, through the client that Home Assistant uses."""
    try:
        return await (_streamed_chat if recorded.path == CHAT else _streamed_response)(client, recorded.body)
    except APIStatusError as error:
        detail = error.body if isinstance(error.body, dict) else {}
        return Reply(error.status_code, str(detail.get("message", "")), code=detail.get("code"))


async def _streamed_chat(client: AsyncOpenAI, body: Mapping[str, Any]) -> Reply:
    text, finish = "", None
    calls: list[tuple[str, str]] = []
    async for chunk in await client.chat.completions.create(**_for_client(body, _CHAT_FIELDS), stream=True):
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
            for call in choice.delta.tool_calls or []:
                assert call.id
                assert call.function is not None
                assert call.index == len(calls), "each call must come whole, in one chunk"
                calls.append((call.function.name or "", call.function.arguments or ""))
    return Reply(200, text, tuple((name, json.loads(arguments)) for name, arguments in calls), finish)


async def _streamed_response(client: AsyncOpenAI, body: Mapping[str, Any]) -> Reply:
    text = ""
    items: list[dict[str, Any]] = []
    async for event in await client.responses.create(**_for_client(body, _RESPONSES_FIELDS), stream=True):
        match event.type:
            case "response.output_text.delta":
                text += event.delta
            case "response.output_item.done":
                items.append(event.item.model_dump())
            case "response.completed":
                found = _response(event.response.model_dump())
                assert found == _response({"output": items}), "the events say what the whole response says"
                assert found.text == text
                return found
    raise AssertionError("the stream ended without its last event")


def _response(answer: Mapping[str, Any]) -> Reply:
    calls = [item for item in answer["output"] if item["type"] == "function_call"]
    messages = [item for item in answer["output"] if item["type"] == "message"]
    return Reply(
        200,
        "".join(part["text"] for message in messages for part in message["content"]),
        tuple((call["name"], json.loads(call["arguments"])) for call in calls),
        "tool_calls" if calls else "stop",
    )


_SHARED_FIELDS = ("model", "tools", "temperature", "top_p", "user", "parallel_tool_calls")
_CHAT_FIELDS = (*_SHARED_FIELDS, "messages", "max_tokens", "response_format", "stream_options")
_RESPONSES_FIELDS = (*_SHARED_FIELDS, "input", "max_output_tokens", "store", "text", "service_tier")


def _for_client(body: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    extra = {key: value for key, value in body.items() if key not in {*known, "stream"}}
    return {"extra_body": extra, **{key: body[key] for key in known if key in body}}
