"""What our own tools tell of the weather that comes and of the past, as sentences."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from ..home.intents import FORECAST, SCHEDULED
from ..language.replies import say
from ..language.times import say_timed
from ..recognition.recognise import Candidate
from .agenda import Told
from .coming import ForecastResult, answer_forecast
from .gone import HistoryResult, answer_history
from .planned_later import answer_list


def answer_timed(candidate: Candidate, data: Any) -> Told | None:
    """The answer, or None where what was told cannot be read or does not answer it."""
    if candidate.intent == SCHEDULED:
        listed = answer_list(data, candidate.language)
        return None if listed is None else Told(listed)
    try:
        if candidate.intent == FORECAST:
            return Told(answer_forecast(candidate, ForecastResult.model_validate(data)))
        text = answer_history(candidate, HistoryResult.model_validate(data))
    except ValidationError:
        return None
    return None if text is None else Told(text)


def untold(candidate: Candidate) -> str:
    """What is said where the tool could not tell it."""
    if candidate.intent == FORECAST:
        return say("no_forecast", candidate.language)
    if candidate.intent == SCHEDULED:
        return say("failed", candidate.language)
    return say_timed("no_history", candidate.language, name=candidate.slots.get("name"))
