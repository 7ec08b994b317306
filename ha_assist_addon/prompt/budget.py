"""Makes a prompt fit: what is not required is left out from the end, by the model's own count of tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..backends.base import Backend, Traits
from ..conversation import ChatRequest, Message
from ..errors import ContextLengthExceeded
from ..home.entity import Entity
from ..home.toolbox import Tool
from .conversation import PastTurn
from .describe import entity_line

ASSUMED_CONTEXT = 4096
"""Where neither the settings nor the server say how long a prompt may be."""
ANSWER_TOKENS = 256
"""What is kept free for the answer, whatever happens."""
LONGEST_ANSWER = 1024

_MESSAGE_TOKENS = 8
"""What a chat template puts around a message, on the safe side."""
_MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Parts:
    """What a prompt can be made of; the required ones come first and are never left out."""

    entities: tuple[Entity, ...] = ()
    tools: tuple[Tool, ...] = ()
    turns: tuple[PastTurn, ...] = ()
    required_entities: int = 0
    required_tools: int = 0

    def without(self, characters: int) -> Parts | None:
        """Parts that are about so much shorter, or None where nothing is left to leave out."""
        left, parts = characters, self
        while left > 0:
            smaller, saved = parts._smaller()
            if smaller is None:
                return None if parts is self else parts
            parts, left = smaller, left - saved
        return parts

    def _smaller(self) -> tuple[Parts | None, int]:
        """Without one part: old turns first, then the least relevant entities and tools in step, at last every turn."""
        if len(self.turns) > 1:
            return replace(self, turns=self.turns[1:]), len(self.turns[0].sentence + self.turns[0].answer)
        spare_entities = len(self.entities) - self.required_entities
        spare_tools = len(self.tools) - self.required_tools
        if spare_entities > 0 and spare_entities >= spare_tools:
            return replace(self, entities=self.entities[:-1]), len(entity_line(self.entities[-1])) + 8
        if spare_tools > 0:
            return replace(self, tools=self.tools[:-1]), len(json.dumps(dict(self.tools[-1].schema))) // 2 + 40
        if self.turns:
            return replace(self, turns=()), len(self.turns[0].sentence + self.turns[0].answer)
        return None, 0


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt that fits, what it is made of, and its size."""

    request: ChatRequest
    parts: Parts
    tokens: int
    limit: int


async def fit(parts: Parts, render: Callable[[Parts], ChatRequest], backend: Backend, traits: Traits) -> Fitted:
    """Leave out what is not required until the prompt fits; raises ContextLengthExceeded where that is not enough."""
    context = traits.context_tokens or ASSUMED_CONTEXT
    limit = min(traits.prompt_tokens or context, context - ANSWER_TOKENS)
    for _ in range(_MOST_ROUNDS):
        request = render(parts)
        text = prompt_text(request)
        (counted,) = await backend.count_tokens([text])
        tokens = counted + _MESSAGE_TOKENS * (len(request.messages) + 1)
        if tokens <= limit:
            answer = min(request.max_tokens or LONGEST_ANSWER, LONGEST_ANSWER, context - tokens)
            return Fitted(replace(request, max_tokens=answer), parts, tokens, limit)
        characters = (tokens - limit) * max(1, len(text)) // max(1, counted)
        smaller = parts.without(characters + 20)
        if smaller is None:
            break
        parts = smaller
    raise ContextLengthExceeded


def prompt_text(request: ChatRequest) -> str:
    """All that a model reads of a request, as one text to count."""
    tools = [json.dumps(dict(tool), ensure_ascii=False) for tool in request.tools]
    return "\n".join([*map(_message_text, request.messages), *tools])


def _message_text(message: Message) -> str:
    calls: Sequence[str] = [f"{c.name} {json.dumps(dict(c.arguments), ensure_ascii=False)}" for c in message.tool_calls]
    return "\n".join([message.text, *calls])
