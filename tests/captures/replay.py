"""Recorded requests, and what they are answered by a running server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar

from openai import APIStatusError, AsyncOpenAI

from tests.captures.expected import Reply
from tests.support.serving import Running


@dataclass(frozen=True, slots=True)
class Recorded:
    """One chat request of a recording."""

    scenario: str
    number: int
    body: Mapping[str, Any]

    @property
    def label(self) -> str:
        """How a failure names it."""
        return f"{self.scenario}#{self.number}"


def recordings(folder: Path) -> Iterator[Recorded]:
    """Every chat request, numbered among the chat requests of its exchange."""
    for file in sorted(folder.glob("*/*/*.json")):
        recording = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(recording, dict):
            continue
        chats = [
            e["request"] for e in recording.get("exchanges", ()) if e["request"]["path"].endswith("/chat/completions")
        ]
        name = str(file.relative_to(folder).with_suffix(""))
        yield from (Recorded(name, number, request["body"]) for number, request in enumerate(chats))


Value = TypeVar("Value")


def first_match(table: Mapping[str, Value], scenario: str) -> Value | None:
    """The value of the first pattern that fits."""
    return next((value for pattern, value in table.items() if fnmatchcase(scenario, pattern)), None)


async def whole(server: Running, body: Mapping[str, Any]) -> Reply:
    """The answer in one piece."""
    request = {**body, "model": "HA-Assist", "stream": False}
    request.pop("stream_options", None)
    status, answer, _ = await server.post(request)
    if status != 200:
        return Reply(status, answer["error"]["message"], code=answer["error"]["code"])
    choice = answer["choices"][0]
    message = choice["message"]
    calls = message.get("tool_calls") or []
    return Reply(
        status,
        message["content"] or "",
        tuple((c["function"]["name"], json.loads(c["function"]["arguments"])) for c in calls),
        choice["finish_reason"],
    )


async def streamed(client: AsyncOpenAI, body: Mapping[str, Any]) -> Reply:
    """The answer in pieces, through the client that Home Assistant uses."""
    text, finish = "", None
    calls: list[tuple[str, str]] = []
    try:
        async for chunk in await client.chat.completions.create(**_for_client(body), stream=True):
            for choice in chunk.choices:
                text += choice.delta.content or ""
                finish = choice.finish_reason or finish
                for call in choice.delta.tool_calls or []:
                    assert call.id
                    assert call.function is not None
                    assert call.index == len(calls), "each call must come whole, in one chunk"
                    calls.append((call.function.name or "", call.function.arguments or ""))
    except APIStatusError as error:
        detail = error.body if isinstance(error.body, dict) else {}
        return Reply(error.status_code, str(detail.get("message", "")), code=detail.get("code"))
    return Reply(200, text, tuple((name, json.loads(arguments)) for name, arguments in calls), finish)


def _for_client(body: Mapping[str, Any]) -> dict[str, Any]:
    known = (
        "messages",
        "tools",
        "max_tokens",
        "temperature",
        "top_p",
        "user",
        "parallel_tool_calls",
        "response_format",
        "stream_options",
    )
    extra = {key: value for key, value in body.items() if key not in {*known, "model", "stream"}}
    return {"model": "HA-Assist", "extra_body": extra, **{key: body[key] for key in known if key in body}}
