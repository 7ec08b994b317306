"""What the server and the process of a native runtime say to each other: one JSON object a line."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Annotated, Literal, TypeVar

from pydantic import Field, TypeAdapter

from ..conversation import JsonObject, Message, ToolCall

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Longer lines end the process; a request with several large images stays below."""


@dataclass(frozen=True, slots=True)
class Load:
    """Load a model; `engine` is the import path `module:Class`, `options` its keyword arguments."""

    engine: str
    path: str
    options: JsonObject = field(default_factory=dict)
    kind: Literal["load"] = "load"


@dataclass(frozen=True, slots=True)
class CountTokens:
    """Count the tokens of each text."""

    id: str
    texts: tuple[str, ...]
    kind: Literal["count"] = "count"


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen; a temperature of None or 0 takes the likeliest."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Generate:
    """Answer once. `schema` is the JSON schema that the answer is held to where the engine can."""

    id: str
    messages: tuple[Message, ...]
    tools: tuple[JsonObject, ...] = ()
    schema: JsonObject | None = None
    sampling: Sampling = Sampling()
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    kind: Literal["generate"] = "generate"


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop a generation; `Done` or `Failed` still follows."""

    id: str
    kind: Literal["cancel"] = "cancel"


@dataclass(frozen=True, slots=True)
class Close:
    """Release the model and end."""

    kind: Literal["close"] = "close"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The model is ready; `constrains` says that an answer can be held to a schema."""

    context_tokens: int
    images: bool = False
    constrains: bool = False
    facts: dict[str, str] = field(default_factory=dict)
    kind: Literal["loaded"] = "loaded"


@dataclass(frozen=True, slots=True)
class Counted:
    """The tokens of each text."""

    id: str
    counts: tuple[int, ...]
    kind: Literal["counted"] = "counted"


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    id: str
    piece: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Called:
    """Tool calls that the runtime itself has read."""

    id: str
    calls: tuple[ToolCall, ...]
    kind: Literal["called"] = "called"


@dataclass(frozen=True, slots=True)
class Alive:
    """The generation goes on, though there is nothing to show: the model thinks."""

    id: str
    kind: Literal["alive"] = "alive"


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a generation; `first_seconds` passed before its first token, `seconds` in all."""

    id: str
    reason: Literal["stop", "length", "cancelled"]
    prompt_tokens: int = 0
    completion_tokens: int = 0
    first_seconds: float = 0.0
    seconds: float = 0.0
    kind: Literal["done"] = "done"


FailureCode = Literal["failed", "context_length", "image", "not_ready"]


@dataclass(frozen=True, slots=True)
class Failed:
    """What was asked for failed; `id` is empty where loading failed.

    After a `lasting` failure to load, trying again soon is useless. `broken` says that the process cannot go on.
    """

    id: str
    code: FailureCode
    sentence: str
    lasting: bool = False
    broken: bool = False
    facts: dict[str, str] = field(default_factory=dict)
    kind: Literal["failed"] = "failed"


ToChild = Load | CountTokens | Generate | Cancel | Close
FromChild = Loaded | Counted | Text | Called | Alive | Done | Failed

_Kind = TypeVar("_Kind")
_TO_CHILD: TypeAdapter[ToChild] = TypeAdapter(Annotated[ToChild, Field(discriminator="kind")])
_FROM_CHILD: TypeAdapter[FromChild] = TypeAdapter(Annotated[FromChild, Field(discriminator="kind")])


class Malformed(Exception):
    """A line that is no message, or a message that makes no line."""


def encode(message: ToChild | FromChild) -> bytes:
    """A message as one line; halves of characters become question marks. Raises Malformed."""
    try:
        line = json.dumps(asdict(message), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    except (RecursionError, TypeError, ValueError) as error:
        raise Malformed from error
    if len(line) > MAX_LINE_BYTES:
        raise Malformed
    return line


def to_child(line: bytes) -> ToChild:
    """The message of a line; raises Malformed."""
    return _decode(line, _TO_CHILD)


def from_child(line: bytes) -> FromChild:
    """The message of a line; raises Malformed."""
    return _decode(line, _FROM_CHILD)


def _decode(line: bytes, adapter: TypeAdapter[_Kind]) -> _Kind:
    try:
        return adapter.validate_python(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise Malformed from error
