"""A command with its words in another order: "the front door lock" for "lock the front door".

The sentence is only turned around at one place, so its words, numbers and polarity stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

from ..answering.query import READ_ONLY
from ..language.words import words_of
from ..turn.outcome import Act, Reason
from .interpret import Interpretation, Interpreter

MAX_WORDS = 12

_STATES_TOO = frozenset({"cover", "valve"})
"""Domains whose opening word is a state as well: "the garage door open" may be half a question."""


def interpret_reordered(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence turned around at the one place where it becomes a command, or None."""
    words = words_of(text)
    if not 2 <= len(words) <= MAX_WORDS or interpreter.hopeless(text):
        return None
    readings: dict[str, Interpretation] = {}
    for word in words[1:]:
        turned = f"{text[word.start :].strip(' ,.!')} {text[: word.start].strip(' ,.!')}"
        found = interpreter.single(turned)
        if found is not None and _is_plain_action(found):
            readings.setdefault(repr([(p.call.name, sorted(p.call.arguments.items())) for p in found.planned]), found)
    if len(readings) != 1:
        return None
    only = next(iter(readings.values()))
    if not isinstance(only.outcome, Act):
        return None
    outcome = replace(only.outcome, reason=Reason.REPAIRED, why="With its words in another order the sentence matches.")
    return replace(only, outcome=outcome, stage="reordered")


def _is_plain_action(found: Interpretation) -> bool:
    if not found.certain or not found.planned:
        return False
    planned = found.planned[0]
    candidate = planned.candidate
    if candidate.bare or candidate.free_text or candidate.intent in READ_ONLY:
        return False
    return not (candidate.intent == "HassTurnOn" and {e.domain for e in planned.targets} & _STATES_TOO)
