"""The name of a contributed tool, said alone: one that only reads and needs no arguments is called without a model."""

from __future__ import annotations

from functools import lru_cache

from ..home.request_home import script_entity
from ..home.toolbox import Tool
from ..language.lexicon import lexicon_file
from ..language.tokens import key_of
from ..turn.outcome import Act, PlannedCall, Reason
from .interpret import Interpreter
from .interpretation import Interpretation

_LONGEST = 12
"""Words; a longer sentence is no name."""


def interpret_named_tool(sentence: str, interpreter: Interpreter) -> Interpretation | None:
    """The call of the one tool whose name or alias the sentence is, courtesies aside; None where two bear it."""
    language = interpreter.grammar.language
    said = key_of(sentence)
    if not said or len(said.split()) > _LONGEST:
        return None
    meant = {said, _without_courtesies(said, language)}
    found = [tool for tool in interpreter.house.toolbox.tools if _may_run(tool) and meant & _names(tool)]
    if len(found) != 1:
        return None
    why = f"The sentence is the name of {found[0].plain}, which only reads."
    act = Act((PlannedCall(found[0].name, {}),), Reason.READ_STATE, why)
    return Interpretation(act, "tool", language)


def _may_run(tool: Tool) -> bool:
    return tool.is_contributed and not tool.required and tool.only_reads and tool.problem({}) is None


def _names(tool: Tool) -> set[str]:
    return {key_of(name) for name in script_entity(tool).names}


def _without_courtesies(said: str, language: str) -> str:
    words, polite = said.split(), _polite(language)
    while cut := next((n for n in range(1, len(words)) if " ".join(words[:n]) in polite), 0):
        words = words[cut:]
    while cut := next((n for n in range(1, len(words)) if " ".join(words[-n:]) in polite), 0):
        words = words[:-cut]
    return " ".join(words)


@lru_cache(maxsize=16)
def _polite(language: str) -> frozenset[str]:
    file = lexicon_file(language)
    return frozenset() if file is None else frozenset(map(key_of, (*file.articles, *file.courtesies, *file.wake_words)))
