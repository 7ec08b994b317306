"""The chunks of a streamed answer as deltas of Home Assistant's chat log."""

from collections.abc import AsyncGenerator, AsyncIterable
from dataclasses import dataclass
from typing import Any

from homeassistant.components.conversation import AssistantContentDeltaDict
from homeassistant.helpers import llm
from homeassistant.util.json import json_loads
from homeassistant.util.ulid import ulid_now

from .errors import EmptyAnswer, Interrupted


@dataclass(slots=True)
class _Call:
    """A tool call, whose pieces can come one after another."""

    identity: str = ""
    name: str = ""
    arguments: str = ""

    def add(self, piece: dict[str, Any]) -> None:
        function = _part(piece, "function", dict, {})
        self.identity = self.identity or _part(piece, "id", str, "")
        self.name = self.name or _part(function, "name", str, "")
        self.arguments += _part(function, "arguments", str, "")

    def as_input(self) -> llm.ToolInput:
        try:
            arguments = json_loads(self.arguments) if self.arguments.strip() else {}
        except ValueError as error:
            raise Interrupted from error
        if not self.name or not isinstance(arguments, dict):
            raise Interrupted
        return llm.ToolInput(tool_name=self.name, tool_args=arguments, id=self.identity or ulid_now())


def _part[T](holder: dict[str, Any], key: str, kind: type[T], otherwise: T) -> T:
    """A part of a chunk, of the kind that it must have; raises Interrupted."""
    value = holder.get(key)
    if value is None:
        return otherwise
    if not isinstance(value, kind):
        raise Interrupted
    return value


def _parts(holder: dict[str, Any], key: str) -> list[dict[str, Any]]:
    parts = _part(holder, key, list, [])
    if not all(isinstance(part, dict) for part in parts):
        raise Interrupted
    return parts


async def deltas(chunks: AsyncIterable[dict[str, Any]]) -> AsyncGenerator[AssistantContentDeltaDict]:
    """Text as it comes, calls when all are there. Raises Interrupted and EmptyAnswer."""
    calls: dict[int, _Call] = {}
    said = finished = False
    # Without content: an empty text would count as an answer.
    yield {"role": "assistant"}
    async for chunk in chunks:
        if not (choices := _parts(chunk, "choices")):
            continue
        delta = _part(choices[0], "delta", dict, {})
        if thought := _part(delta, "reasoning_content", str, ""):
            yield {"thinking_content": thought}
        if text := _part(delta, "content", str, ""):
            said = True
            yield {"content": text}
        for position, piece in enumerate(_parts(delta, "tool_calls")):
            calls.setdefault(_part(piece, "index", int, position), _Call()).add(piece)
        finished = finished or bool(choices[0].get("finish_reason"))
    if not finished:
        raise Interrupted
    if calls:
        yield {"tool_calls": [call.as_input() for call in calls.values()]}
    elif not said:
        raise EmptyAnswer
