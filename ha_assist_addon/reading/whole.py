"""Whole sentences that ask one of our tools for something, where it is offered: undo, what is planned, cancel it."""

from __future__ import annotations

from typing import Any

from ..home.intents import SCHEDULED
from ..language.times import Whole, courtesies, whole_sentences
from ..language.tokens import key_of
from ..meaning.plan import Planned
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, PlannedCall, Reason
from .interpret import Interpreter
from .interpretation import Interpretation

STAGE = "whole"
UNDO, CANCEL = "HaAssistUndo", "HaAssistCancelScheduled"
_ASKED: dict[Whole, tuple[str, str, dict[str, Any]]] = {
    Whole.UNDO: ("undo", UNDO, {}),
    Whole.LIST: ("list_scheduled", SCHEDULED, {}),
    Whole.CANCEL_LAST: ("cancel_scheduled", CANCEL, {"which": "last"}),
    Whole.CANCEL_ALL: ("cancel_scheduled", CANCEL, {"which": "all"}),
}
"""The tool, what it is called for, and with what."""


def interpret_whole(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as one of these, or None where it is another or no tool can do it."""
    language = interpreter.grammar.language
    asked = _asked(key_of(text), language)
    if asked is None:
        return None
    name, intent, arguments = _ASKED[asked]
    tool = interpreter.house.toolbox.contributed(name)
    if tool is None or tool.problem(arguments) is not None:
        return None
    candidate = Candidate(intent, language, {}, {}, None, "default", "", (0,), text, own=True)
    planned = Planned(PlannedCall(tool.name, arguments), candidate, ())
    act = Act((planned.call,), Reason.EXACT, f"The whole sentence asks for {name}.")
    return Interpretation(act, STAGE, language, (planned,), (candidate,))


def _asked(key: str, language: str) -> Whole | None:
    sentences = whole_sentences(language)
    shorter: str | None = key if sentences else None
    while shorter is not None:
        if (asked := sentences.get(shorter)) is not None:
            return asked
        shorter = _without_courtesy(shorter, language)
    return None


def _without_courtesy(key: str, language: str) -> str | None:
    for phrase in courtesies(language):
        if key.startswith(f"{phrase} "):
            return key[len(phrase) + 1 :]
        if key.endswith(f" {phrase}"):
            return key[: -len(phrase) - 1]
    return None
