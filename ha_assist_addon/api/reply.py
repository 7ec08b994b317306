"""An answer as it comes together, and what an API must know to put it into its own shape."""

from __future__ import annotations

from typing import Any, Protocol

from ..conversation import CallEvent, Finish, ReplyEvent, TextDelta, ToolCall
from ..errors import HaAssistError
from .errors import encode_json
from .recording import ANSWERED, CALLED, CUT_OFF, Recording

PING = b": ping\n\n"


class Reply:
    """What has come of an answer so far."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.calls: list[ToolCall] = []
        self.finish = Finish("stop")

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
        recording.trace.calls = tuple({"name": c.name, "arguments": dict(c.arguments)} for c in self.calls)
        if self.calls:
            recording.finish(CALLED, self.text)
        elif self.finish.reason == "length":
            recording.finish(CUT_OFF, self.text)
        else:
            recording.finish(ANSWERED, self.text)


class Shape(Protocol):
    """One answer in the form of one API: as one object, or as the pieces of a stream, which are asked for in order."""

    def whole(self, reply: Reply) -> dict[str, Any]:
        """The answer as one object."""
        ...

    def opening(self) -> bytes:
        """What a stream begins with."""
        ...

    def piece(self, event: TextDelta | CallEvent) -> bytes:
        """A piece of text that is not empty, or one whole call."""
        ...

    def closing(self, finish: Finish) -> bytes:
        """What a stream ends with."""
        ...

    def failure(self, error: HaAssistError) -> bytes:
        """What a stream ends with when it cannot go on."""
        ...


def sse(value: Any, event: str | None = None) -> bytes:
    """One server-sent event."""
    name = b"" if event is None else b"event: " + event.encode() + b"\n"
    return name + b"data: " + encode_json(value) + b"\n\n"


def arguments_json(call: ToolCall) -> str:
    """The arguments of a call as the clients want them: JSON text, never empty."""
    return encode_json(call.arguments or {}).decode()
