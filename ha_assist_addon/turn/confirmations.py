"""Questions that hold back an action: what a yes in the next turn stands for."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..conversation import ChatRequest, Role, ToolCall
from .history import Turn

KEPT_SECONDS = 300.0
"""How long a yes is understood; Home Assistant forgets a conversation after about as long."""
_MOST = 256


@dataclass(frozen=True, slots=True)
class _Held:
    question: str
    calls: tuple[ToolCall, ...]
    until: float


class Confirmations:
    """Held-back calls, the last of each conversation; the oldest falls out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._clock = clock

    def hold(self, request: ChatRequest, question: str, calls: Sequence[ToolCall]) -> None:
        """Keep the calls that this question is about."""
        key = _conversation(request)
        self._held.pop(key, None)
        self._held[key] = _Held(question, tuple(calls), self._clock() + KEPT_SECONDS)
        while len(self._held) > _MOST:
            self._held.popitem(last=False)

    def waits_for(self, request: ChatRequest, turn: Turn) -> bool:
        """Whether the turn follows a question that holds back calls."""
        if not self._held or turn.rounds or not turn.before or turn.before[-1].role is not Role.ASSISTANT:
            return False
        held = self._held.get(_conversation(request))
        if held is None:
            return False
        return turn.before[-1].text.endswith(held.question) and held.until > self._clock()

    def take(self, request: ChatRequest) -> tuple[ToolCall, ...]:
        """The calls that were held back, once."""
        held = self._held.pop(_conversation(request), None)
        return held.calls if held is not None else ()


def _conversation(request: ChatRequest) -> str:
    """The conversation that a client names, else its first sentence in the same home."""
    first = next((m.text for m in request.messages if m.role is Role.USER), "")
    where = request.conversation or f"{request.system_text}\0{first}"
    return hashlib.sha256(where.encode("utf-8", "replace")).hexdigest()
