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
        function = piece.get("function") or {}
        self.identity = self.identity or piece.get("id") or ""
        self.name = self.name or function.get("name") or ""
        self.arguments += function.get("arguments") or ""

    def as_input(self) -> llm.ToolInput:
        try:
            arguments = json_loads(self.arguments) if self.arguments.strip() else {}
        except ValueError as error:
            raise Interrupted from error
        if not self.name or not isinstance(arguments, dict):
            raise Interrupted
        return llm.ToolInput(tool_name=self.name, tool_args=arguments, id=self.identity or ulid_now())


async def deltas(chunks: AsyncIterable[dict[str, Any]]) -> AsyncGenerator[AssistantContentDeltaDict]:
    """Text as it comes, calls when all are there. Raises Interrupted and EmptyAnswer."""
    calls: dict[int, _Call] = {}
    said = finished = False
    # Without content: an empty text would count as an answer.
    yield {"role": "assistant"}
    async for chunk in chunks:
        if not (choices := chunk.get("choices")):
            continue
        delta = choices[0].get("delta") or {}
        if thought := delta.get("reasoning_content"):
            yield {"thinking_content": thought}
        if text := delta.get("content"):
            said = True
            yield {"content": text}
        for position, piece in enumerate(delta.get("tool_calls") or ()):
            calls.setdefault(piece.get("index", position), _Call()).add(piece)
        finished = finished or bool(choices[0].get("finish_reason"))
    if not finished:
        raise Interrupted
    if calls:
        yield {"tool_calls": [call.as_input() for call in calls.values()]}
    elif not said:
        raise EmptyAnswer
