"""What a chat request says, free of HTTP and of Home Assistant: messages, tool calls, and the events of a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

JsonObject = Mapping[str, Any]


class Role(StrEnum):
    """Who a message is from; `developer` of the Responses API is read as `system`."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, by the name under which the client offered it."""

    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation; text parts are joined, images are kept as data URLs."""

    role: Role
    text: str = ""
    images: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A validated chat request.

    `tools` are the function objects as offered; `tool_choice` is `auto`, `none`, `required` or the name of one tool;
    `conversation` groups the requests of one turn; `body` is what was received, for a model that gets it unchanged.
    """

    model: str
    messages: tuple[Message, ...]
    tools: tuple[JsonObject, ...] = ()
    tool_choice: str = "auto"
    parallel_tool_calls: bool = True
    response_format: JsonObject | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    stream: bool = False
    conversation: str | None = None
    ha_context: JsonObject | None = None
    body: JsonObject = field(default_factory=dict)

    @property
    def system_text(self) -> str:
        """All system messages, joined in order."""
        return "\n".join(message.text for message in self.messages if message.role is Role.SYSTEM)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one generation; all zero where none was made."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A tool call for the client to execute; always whole."""

    call: ToolCall


FinishReason = Literal["stop", "tool_calls", "length", "content_filter"]


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a reply; nothing follows it."""

    reason: FinishReason
    usage: Usage = Usage()


ReplyEvent = TextDelta | CallEvent | Finish


def last_user_index(messages: Sequence[Message]) -> int:
    """Index of the last user message, -1 where there is none."""
    return next((i for i in range(len(messages) - 1, -1, -1) if messages[i].role is Role.USER), -1)
