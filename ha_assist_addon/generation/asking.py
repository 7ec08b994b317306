"""The question for calls of a model that the person's words do not carry."""

from __future__ import annotations

from collections.abc import Sequence

from ..language.replies import say
from ..wording.respond import listed
from .validate import Verdict


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
