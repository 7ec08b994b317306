"""The shapes of a chat answer, whole and in pieces."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from ..conversation import CallEvent, Finish, ReplyEvent, TextDelta, ToolCall, Usage
from ..diagnostics.trace import Trace
from .errors import encode_json
from .recording import ANSWERED, CALLED, CUT_OFF, Recording

DONE = b"data: [DONE]\n\n"
PING = b": ping\n\n"


class Reply:
    """What has come of an answer so far."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.calls: list[ToolCall] = []
        self.finish: Finish | None = None

    def add(self, event: ReplyEvent) -> None:
        """Take one more event in."""
        match event:
            case TextDelta(text):
                self._texts.append(text)
            case CallEvent(call):
                self.calls.append(call)
            case Finish():
                self.finish = event

    @property
    def text(self) -> str:
        """The text, without what came of it in pieces."""
        return "".join(self._texts)

    def record(self, recording: Recording) -> None:
        """Close the trace with this answer."""
        if self.calls:
            recording.finish(CALLED, self.text)
        elif self.finish is not None and self.finish.reason == "length":
            recording.finish(CUT_OFF, self.text)
        else:
            recording.finish(ANSWERED, self.text)


class Envelope:
    """What all the pieces of one answer share."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._id = f"chatcmpl-{trace.id}"
        self._created = int(time.time())

    def completion(self, reply: Reply) -> dict[str, Any]:
        """The whole answer as one object."""
        finish = reply.finish or Finish("stop")
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
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish.reason}],
            "usage": _usage(finish.usage),
            "metrics": self._trace.metrics(),
        }

    def role_chunk(self) -> bytes:
        """The first piece: who speaks."""
        return self._chunk({"role": "assistant", "content": ""})

    def event_chunk(self, event: TextDelta | CallEvent, index: int) -> bytes:
        """A piece of text, or one whole call, the `index`th of the answer."""
        if isinstance(event, TextDelta):
            return self._chunk({"content": event.text})
        return self._chunk({"tool_calls": [{"index": index, **_call(event.call)}]})

    def finish_chunks(self, finish: Finish, *, include_usage: bool) -> Iterable[bytes]:
        """The last pieces; the metrics stand beside the finish reason, behind which some clients stop reading."""
        yield self._chunk({}, finish.reason, metrics=self._trace.metrics())
        if include_usage:
            yield sse({**self._head("chat.completion.chunk"), "choices": [], "usage": _usage(finish.usage)})
        yield DONE

    def _chunk(self, delta: dict[str, Any], reason: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return sse({**self._head("chat.completion.chunk"), "choices": [choice], **more})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self._id, "object": kind, "created": self._created, "model": self._trace.requested_model}


def sse(value: Any) -> bytes:
    """One server-sent event."""
    return b"data: " + encode_json(value) + b"\n\n"


def _call(call: ToolCall) -> dict[str, Any]:
    arguments = encode_json(call.arguments or {}).decode()
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }
