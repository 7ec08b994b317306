"""The shapes of an answer in the Responses API: one object, or numbered events that build it up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ..conversation import CallEvent, Finish, JsonObject, TextDelta, ToolCall, Usage
from ..errors import Busy, HaAssistError, InvalidImage, InvalidRequest
from ..trace.trace import Trace
from .reply import Reply, arguments_json, sse

_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}


class ResponsesReply:
    """One answer; `echo` is what the API repeats of the request."""

    def __init__(self, trace: Trace, echo: JsonObject) -> None:
        self._trace = trace
        self._head = {
            "id": f"resp_{trace.id}",
            "object": "response",
            "created_at": int(time.time()),
            "model": trace.requested_model,
            **echo,
        }
        self._number = 0
        self._output: list[dict[str, Any]] = []
        self._text: list[str] = []

    def whole(self, reply: Reply) -> dict[str, Any]:
        """The answer as one object."""
        if reply.text:
            self._output.append(self._message(reply.text))
        for call in reply.calls:
            self._output.append(self._call(call))
        return self._finished(reply.finish)

    def opening(self) -> bytes:
        """The response without any output."""
        started = self._response("in_progress")
        return self._event("response.created", response=started) + self._event("response.in_progress", response=started)

    def piece(self, event: TextDelta | CallEvent) -> bytes:
        """The events of a piece of text, which may begin a message, or those of one whole call."""
        pieces = self._text_events(event.text) if isinstance(event, TextDelta) else self._call_events(event.call)
        return b"".join(pieces)

    def closing(self, finish: Finish) -> bytes:
        """The whole response once more."""
        ended = b"".join(self._end_of_message())
        response = self._finished(finish)
        return ended + self._event(f"response.{response['status']}", response=response)

    def failure(self, error: HaAssistError) -> bytes:
        """The response with the error in it."""
        told = {"code": _code(error), "message": error.message, "param": error.param, "type": error.type}
        return self._event("response.failed", response=self._response("failed", error=told))

    def _text_events(self, text: str) -> Iterator[bytes]:
        place = {"item_id": self._item_id("msg"), "output_index": len(self._output)}
        if not self._text:
            begun = {**self._message("", "in_progress"), "content": []}
            yield self._event("response.output_item.added", item=begun, output_index=len(self._output))
            yield self._event("response.content_part.added", **place, content_index=0, part=_part(""))
        self._text.append(text)
        yield self._event("response.output_text.delta", **place, content_index=0, delta=text, logprobs=[])

    def _end_of_message(self) -> Iterator[bytes]:
        if not self._text:
            return
        text, index = "".join(self._text), len(self._output)
        place = {"item_id": self._item_id("msg"), "output_index": index, "content_index": 0}
        message = self._message(text)
        yield self._event("response.output_text.done", **place, text=text, logprobs=[])
        yield self._event("response.content_part.done", **place, part=_part(text))
        yield self._event("response.output_item.done", item=message, output_index=index)
        self._output.append(message)
        self._text.clear()

    def _call_events(self, call: ToolCall) -> Iterator[bytes]:
        yield from self._end_of_message()
        item, index = self._call(call), len(self._output)
        place = {"item_id": item["id"], "output_index": index}
        begun = {**item, "arguments": "", "status": "in_progress"}
        yield self._event("response.output_item.added", item=begun, output_index=index)
        yield self._event("response.function_call_arguments.delta", **place, delta=item["arguments"])
        yield self._event("response.function_call_arguments.done", **place, name=call.name, arguments=item["arguments"])
        yield self._event("response.output_item.done", item=item, output_index=index)
        self._output.append(item)

    def _event(self, kind: str, **fields: Any) -> bytes:
        number, self._number = self._number, self._number + 1
        return sse({"type": kind, "sequence_number": number, **fields}, event=kind)

    def _finished(self, finish: Finish) -> dict[str, Any]:
        cut = _INCOMPLETE.get(finish.reason)
        return self._response(
            "incomplete" if cut else "completed",
            incomplete_details={"reason": cut} if cut else None,
            usage=_usage(finish.usage),
            metrics=self._trace.metrics(),
        )

    def _response(self, status: str, **more: Any) -> dict[str, Any]:
        blank = {"error": None, "incomplete_details": None, "usage": None}
        return {**self._head, **blank, "status": status, "output": list(self._output), **more}

    def _item_id(self, kind: str) -> str:
        return f"{kind}_{self._trace.id}_{len(self._output)}"

    def _message(self, text: str, status: str = "completed") -> dict[str, Any]:
        content = [_part(text)]
        return {
            "id": self._item_id("msg"), "type": "message", "role": "assistant", "status": status, "content": content,
        }  # fmt: skip

    def _call(self, call: ToolCall) -> dict[str, Any]:
        return {
            "id": self._item_id("fc"), "type": "function_call", "status": "completed",
            "call_id": call.id, "name": call.name, "arguments": arguments_json(call),
        }  # fmt: skip


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.prompt_tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": usage.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }


def _code(error: HaAssistError) -> str:
    """The nearest of the codes that this API knows; a client that is strict takes no other."""
    match error:
        case InvalidImage():
            return "invalid_image"
        case InvalidRequest():
            return "invalid_prompt"
        case Busy():
            return "rate_limit_exceeded"
        case _:
            return "server_error"
