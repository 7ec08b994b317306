"""What is understood, and would need one of our own tools that is not offered: one sentence says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from ..home.intents import FORECAST, HISTORY
from ..home.toolbox import CONTRIBUTED, Toolbox
from ..language.lexicon import Lexicon, Role
from ..language.times import forecast_lexicon, past_lexicon, say_timed
from ..language.tokens import tokens_of
from ..turn.outcome import Answer, Generate, Outcome, Reason
from .interpret import Interpreter
from .interpretation import Interpretation
from .scheduling import interpret_scheduled
from .timed import interpret_timed
from .whole import UNDO, interpret_whole

STAGE = "lacking"
_READING = {FORECAST: "needs_forecast", HISTORY: "needs_history"}
"""What a model may know by another way."""
_SHORTEST = 3
"""Words that a question about the weather or the past has at least."""

Read = Callable[[str], Interpretation | None]


def interpret_lacking(text: str, interpreter: Interpreter, read: Read) -> Interpretation | None:
    """What the sentence would need, or None where our tools are offered or would not help.

    A model is asked about what was and what comes, if there is one: another tool may tell it. It is not asked to act
    at a time or to undo, unless others offer tools of their own.
    """
    house = interpreter.house
    if any(house.toolbox.contributed(name) is not None for name in _NAMES):
        return None
    as_if = replace(interpreter, house=replace(house, toolbox=_with_ours(house.toolbox)))
    found = interpret_scheduled(text, as_if, read) or interpret_whole(text, as_if) or _timed(text, as_if)
    if found is None:
        return None
    intent = found.candidates[0].intent if found.candidates else ""
    language = interpreter.grammar.language
    key = _READING.get(intent) or ("needs_undo" if intent == UNDO else "needs_schedule")
    told, why = say_timed(key, language), "Home Assistant offers no tool for this."
    others = intent in _READING or any(tool.is_contributed for tool in house.toolbox.tools)
    outcome: Outcome = (
        Generate(Reason.TOOL_NOT_OFFERED, why, fallback=told) if others else Answer(told, Reason.TOOL_NOT_OFFERED, why)
    )
    return Interpretation(outcome, STAGE, language)


def _timed(text: str, as_if: Interpreter) -> Interpretation | None:
    """A question about the weather that comes or about the past; most sentences hold no word of them."""
    language = as_if.grammar.language
    weather, past = forecast_lexicon(language), past_lexicon(language)
    speaks = _holds(text, weather, Role.WEATHER) or _holds(text, past, Role.ASKS)
    return interpret_timed(text, as_if) if speaks else None


def _holds(text: str, words: Lexicon | None, role: Role) -> bool:
    return words is not None and len(tokens_of(text)) >= _SHORTEST and words.speaks_of(text, role)


_NAMES = ("get_forecast", "get_history", "undo", "schedule", "list_scheduled", "cancel_scheduled")


@lru_cache(maxsize=1)
def _ours() -> Toolbox:
    """Our tools, as far as a reader has to know them."""
    return Toolbox.read({"name": f"{CONTRIBUTED}{name}", "parameters": {"type": "object"}} for name in _NAMES)


def _with_ours(offered: Toolbox) -> Toolbox:
    ours = _ours()
    return Toolbox(
        (*offered.tools, *ours.tools), {**ours.by_plain, **offered.by_plain}, {**ours.by_name, **offered.by_name}
    )
