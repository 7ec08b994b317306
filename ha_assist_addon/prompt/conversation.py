"""What of the earlier conversation helps a model: words, no completed actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation import Message, Role

MOST_TURNS = 3


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A sentence and what was answered in the end."""

    sentence: str
    answer: str
    acted: bool

    @property
    def messages(self) -> tuple[Message, Message]:
        """The turn as two plain messages."""
        return Message(Role.USER, self.sentence), Message(Role.ASSISTANT, self.answer)


def useful_turns(before: Sequence[Message]) -> tuple[PastTurn, ...]:
    """The last turns, oldest first; of those in which the home acted only the very last, which "it" may mean."""
    turns = [turn for chunk in _chunks(before) if (turn := _turn(chunk)) is not None]
    kept = [turn for index, turn in enumerate(turns) if not turn.acted or index == len(turns) - 1]
    return tuple(kept[-MOST_TURNS:])


def _chunks(messages: Sequence[Message]) -> list[list[Message]]:
    chunks: list[list[Message]] = []
    for message in messages:
        if message.role is Role.USER:
            chunks.append([message])
        elif chunks:
            chunks[-1].append(message)
    return chunks


def _turn(chunk: Sequence[Message]) -> PastTurn | None:
    spoken = [m.text for m in chunk if m.role is Role.ASSISTANT and m.text.strip()]
    if not spoken or not chunk[0].text.strip():
        return None
    return PastTurn(chunk[0].text, spoken[-1], any(m.tool_calls for m in chunk))
