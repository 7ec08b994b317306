"""The shapes of a chat answer, whole and in pieces."""

from __future__ import annotations

import time
from typing import Any

from ..conversation import CallEvent, Finish, TextDelta, ToolCall, Usage
from ..errors import HaAssistError
from ..trace.trace import Trace
from .errors import error_object
from .reply import Reply, arguments_json, sse

DONE = b"data: [DONE]\n\n"


class ChatReply:
    """One answer, of which all pieces share the head."""

    def __init__(self, trace: Trace, *, include_usage: bool) -> None:
        self._trace = trace
        self._include_usage = include_usage
        self._created = int(time.time())
        self._calls = 0

    def whole(self, reply: Reply) -> dict[str, Any]:
        """The answer as one object."""
        message: dict[str, Any] = {
            "role": "assistant",
            # Null beside calls: an empty text would be spoken as an empty answer.
            "content": (reply.text or None) if reply.calls else reply.text,
            "refusal": None,
        }
        if reply.calls:
            message["tool_calls"] = [_call(call) for call in reply.calls]
        return {
            **self._head("chat.completion"),
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish.reason}],
            "usage": _usage(reply.finish.usage),
            "metrics": self._trace.metrics(),
        }

    def opening(self) -> bytes:
        """The first piece: who speaks."""
        return self._chunk({"role": "assistant", "content": ""})

    def piece(self, event: TextDelta | CallEvent) -> bytes:
        """A piece of text, or one whole call."""
        if isinstance(event, TextDelta):
            return self._chunk({"content": event.text})
        index, self._calls = self._calls, self._calls + 1
        return self._chunk({"tool_calls": [{"index": index, **_call(event.call)}]})

    def closing(self, finish: Finish) -> bytes:
        """The last pieces; the metrics stand beside the finish reason, behind which some clients stop reading."""
        last = self._chunk({}, finish.reason, metrics=self._trace.metrics())
        if self._include_usage:
            last += sse({**self._head("chat.completion.chunk"), "choices": [], "usage": _usage(finish.usage)})
        return last + DONE

    def failure(self, error: HaAssistError) -> bytes:
        """An error object in the place of the rest."""
        return sse(error_object(error))

    def _chunk(self, delta: dict[str, Any], reason: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return sse({**self._head("chat.completion.chunk"), "choices": [choice], **more})

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self._trace.id}",
            "object": kind,
            "created": self._created,
            "model": self._trace.requested_model,
        }


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments_json(call)}}


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }
