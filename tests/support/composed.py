"""What a sentence comes to without a model, as the cases of the composed languages write it."""

from __future__ import annotations

from tests.support.house import House, Pipeline
from tests.support.sentences import said


def outcome(pipeline: Pipeline, house: House, sentence: str) -> str:
    """The actions of a sentence, `read` where the states are read first, and nothing where it is left or asked."""
    return said(pipeline, house, sentence) or ("read" if pipeline.say(house, sentence).calls else "")
