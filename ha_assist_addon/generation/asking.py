"""The question for calls of a model that the person's words do not carry."""

from __future__ import annotations

from collections.abc import Sequence

from ..home.toolbox import plain_name
from ..wording.proposals import Proposal, ask_for
from .validate import Verdict


def ask_first(verdicts: Sequence[Verdict], language: str | None) -> str:
    """The question for all calls that a yes carries out; it ends in a question mark."""
    proposed = [Proposal(plain_name(v.call.name), dict(v.call.arguments), v.targets) for v in verdicts]
    return ask_for(proposed, (), language)
