"""The answer to a question that held back the calls of a model."""

from __future__ import annotations

from ..conversation import ChatRequest, ToolCall
from ..home.request_home import RequestHome
from ..language.lexicon import lexicon
from ..language.replies import say
from ..language.tokens import key_of
from ..turn.confirmations import Confirmations
from ..turn.history import Turn
from ..turn.outcome import Act, Answer, Outcome, PlannedCall, Reason


def answer_to_confirmation(
    request: ChatRequest, turn: Turn, house: RequestHome, held: Confirmations, language: str | None
) -> Outcome | None:
    """What a yes or no to such a question means; None where something else is said, which drops the calls."""
    said, words = key_of(turn.sentence), lexicon(language or "en") or lexicon("en")
    if words is None:
        return None
    if said in words.no or said in words.never_mind:
        held.take(request)
        return Answer(say("okay", language), Reason.FOLLOW_UP, "The person said no to what was asked.")
    calls = held.take(request)
    agreed = said in words.always or words.agrees(turn.sentence)
    if not agreed or any(_no_longer(call, house) for call in calls):
        return None
    why = "The person said yes to what was asked."
    return Act(tuple(PlannedCall(call.name, call.arguments) for call in calls), Reason.FOLLOW_UP, why)


def trusted_from_now_on(outcome: Outcome, turn: Turn, house: RequestHome, language: str | None) -> tuple[str, ...]:
    """The contributed tools that need no question any more, after a yes that says so."""
    words = lexicon(language or "en") or lexicon("en")
    if words is None or not isinstance(outcome, Act) or key_of(turn.sentence) not in words.always:
        return ()
    tools = (house.toolbox.by_name.get(call.name) for call in outcome.calls)
    return tuple(dict.fromkeys(tool.name for tool in tools if tool is not None and tool.is_contributed))


def _no_longer(call: ToolCall, house: RequestHome) -> bool:
    """Whether a call is not offered any more, or not in this form."""
    tool = house.toolbox.by_name.get(call.name)
    return tool is None or tool.problem(call.arguments) is not None
