"""Questions that hold back an action: what a yes in the next turn stands for."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..conversation import ChatRequest, Role, ToolCall
from ..generation.validate import Verdict
from ..home.request_home import RequestHome
from ..language.replies import say
from ..reading.follow_up import answers, words_of_answer
from ..wording.respond import listed
from .history import Turn
from .outcome import Act, Answer, Outcome, PlannedCall, Reason

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


def ask_first(verdicts: Sequence[Verdict], language: str | None) -> str:
    """The question for calls that the person's words do not carry; it ends in a question mark."""
    names = [entity.name for verdict in verdicts for entity in verdict.targets]
    if not names:
        return say("confirm_tool", language, tool=", ".join(dict.fromkeys(v.call.name for v in verdicts)))
    spoken = listed(names, language, "and")
    opens = [entity for verdict in verdicts if verdict.opens for entity in verdict.targets]
    if not opens:
        return say("confirm", language, names=spoken)
    key = "confirm_unlock" if all(entity.domain == "lock" for entity in opens) else "confirm_open"
    return say(key, language, names=spoken)


def answer_to_confirmation(
    request: ChatRequest, turn: Turn, house: RequestHome, held: Confirmations, language: str | None
) -> Outcome | None:
    """What a yes or no to such a question means; None where something else is said."""
    said = " ".join(words_of_answer(turn.sentence))
    known = answers(language or "en")
    if said in known.get("no", ()):
        held.take(request)
        return Answer(say("okay", language), Reason.FOLLOW_UP, "The person said no to what was asked.")
    if said not in known.get("yes", ()):
        return None
    calls = held.take(request)
    if any(_no_longer(call, house) for call in calls):
        return None
    why = "The person said yes to what was asked."
    return Act(tuple(PlannedCall(call.name, call.arguments) for call in calls), Reason.FOLLOW_UP, why)


def _no_longer(call: ToolCall, house: RequestHome) -> bool:
    """Whether a call is not offered any more, or not in this form."""
    tool = house.toolbox.by_name.get(call.name)
    return tool is None or tool.problem(call.arguments) is not None
