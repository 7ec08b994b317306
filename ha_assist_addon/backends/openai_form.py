"""The OpenAI form as an upstream server speaks it: our request to it, and its answer read leniently."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..conversation import CallEvent, ChatRequest, Finish, FinishReason, Message, ReplyEvent, TextDelta, Usage
from ..errors import BackendFailed
from .calls import CallAssembler
from .refusals import refusal
from .think import ThinkFilter

MAX_ANSWER_BYTES = 8 * 1024 * 1024
REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}


def request_body(request: ChatRequest, model: str, more: Mapping[str, Any] | None = None) -> bytes:
    """One streamed chat request for an upstream server, with what that kind of server takes besides."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [_message(message) for message in request.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed,
        "stop": list(request.stop) or None,
        "response_format": request.response_format,
    }
    if request.tools:
        body["tools"] = [{"type": "function", "function": tool} for tool in request.tools]
        body["tool_choice"] = (
            request.tool_choice
            if request.tool_choice in {"auto", "none", "required"}
            else {"type": "function", "function": {"name": request.tool_choice}}
        )
        if not request.parallel_tool_calls:
            body["parallel_tool_calls"] = False
    kept = {key: value for key, value in (body | dict(more or {})).items() if value is not None}
    return json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace")


def _message(message: Message) -> dict[str, Any]:
    shape: dict[str, Any] = {"role": str(message.role), "content": message.text}
    if message.images:
        parts: list[dict[str, Any]] = [{"type": "image_url", "image_url": {"url": url}} for url in message.images]
        shape["content"] = parts + ([{"type": "text", "text": message.text}] if message.text else [])
    if message.tool_calls:
        shape["content"] = message.text or None
        shape["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        shape["tool_call_id"] = message.tool_call_id
    return shape


class AnswerReader:
    """Turns the bytes of an answer into events, wherever they are cut: server-sent events, or one JSON object."""

    def __init__(self) -> None:
        self.done = False
        self._rest = b""
        self._size = 0
        self._saw_events = False
        self._other: list[bytes] = []
        self._think = ThinkFilter()
        self._calls = CallAssembler()
        self._reason: str | None = None
        self._usage = Usage()

    def feed(self, chunk: bytes) -> Iterator[ReplyEvent]:
        """The text that these bytes complete; calls come at the end, when they are whole."""
        self._size += len(chunk)
        if self._size > MAX_ANSWER_BYTES:
            raise _unreadable()
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            yield from self._line(line.rstrip(b"\r"))

    def end(self) -> Iterator[ReplyEvent]:
        """What is left when the server has said everything."""
        yield from self._line(self._rest)
        if not self._saw_events:
            yield from self._value(_object(b"\n".join(self._other)))
            self.done = True
        if not self.done and self._reason is None:
            raise BackendFailed("The language model broke off in the middle of its answer.")
        yield from _delta(self._think.end())
        calls = self._calls.finish()
        for call in calls:
            yield CallEvent(call)
        reason = REASONS.get(self._reason or "stop", "stop")
        yield Finish("tool_calls" if calls and reason == "stop" else reason, self._usage)

    def _line(self, line: bytes) -> Iterator[ReplyEvent]:
        field, colon, payload = line.partition(b":")
        if colon and field in {b"data", b"error"}:
            self._saw_events = True
            payload = payload.strip()
            if self.done or not payload:
                return
            if payload == b"[DONE]":
                self.done = True
                return
            value = _object(payload)
            if field == b"error":
                raise refusal(200, value)
            yield from self._value(value)
        elif line.strip() and not (colon and field in {b"", b"event", b"id", b"retry"}):
            self._other.append(line)

    def _value(self, value: dict[str, Any]) -> Iterator[ReplyEvent]:
        if value.get("error"):
            raise refusal(200, value)
        usage = value.get("usage")
        if isinstance(usage, dict):
            self._usage = Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
        choices = value.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from _delta(self._think.feed(_text(delta.get("content"))))
            fragments = delta.get("tool_calls")
            for fragment in fragments if isinstance(fragments, list) else ():
                self._calls.add(fragment)
        reason = choice.get("finish_reason")
        if isinstance(reason, str):
            self._reason = reason


def _delta(text: str) -> Iterator[TextDelta]:
    if text:
        yield TextDelta(text)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _object(payload: bytes) -> dict[str, Any]:
    try:
        value = json.loads(payload.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise _unreadable() from error
    if not isinstance(value, dict):
        raise _unreadable()
    return value


def _unreadable() -> BackendFailed:
    return BackendFailed("The language model's answer cannot be read.")
