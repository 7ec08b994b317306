"""Taking back what was done, where a tool that can is offered: a whole sentence that asks for nothing else."""

from __future__ import annotations

from ..language.lexicon import key_of
from ..language.times import courtesies, undo_sentences
from ..meaning.plan import Planned
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, PlannedCall, Reason
from .interpret import Interpreter
from .interpretation import Interpretation

STAGE = "undo"
INTENT = "HaAssistUndo"


def interpret_undo(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as the wish to undo, or None where it is another or no tool can do it."""
    language, tool = interpreter.grammar.language, interpreter.house.toolbox.contributed("undo")
    if tool is None or tool.problem({}) is not None or not _asks_to_undo(key_of(text), language):
        return None
    candidate = Candidate(INTENT, language, {}, {}, None, "default", "", (0,), text, own=True)
    planned = Planned(PlannedCall(tool.name, {}), candidate, ())
    act = Act((planned.call,), Reason.EXACT, "The whole sentence asks to undo what was done last.")
    return Interpretation(act, STAGE, language, (planned,), (candidate,))


def _asks_to_undo(key: str, language: str) -> bool:
    sentences = undo_sentences(language)
    if not sentences:
        return False
    shorter: str | None = key
    while shorter is not None:
        if shorter in sentences:
            return True
        shorter = _without_courtesy(shorter, language)
    return False


def _without_courtesy(key: str, language: str) -> str | None:
    for phrase in courtesies(language):
        if key.startswith(f"{phrase} "):
            return key[len(phrase) + 1 :]
        if key.endswith(f" {phrase}"):
            return key[: -len(phrase) - 1]
    return None
