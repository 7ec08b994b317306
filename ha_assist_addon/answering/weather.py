"""The weather now. Home Assistant's live context holds no forecast, so none is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..home.entity import Entity
from ..language.replies import say
from ..recognition.recognise import Candidate
from ..wording.speak import amount, state_text

CONDITIONS: Mapping[str, frozenset[str]] = {
    "rain": frozenset({"rainy", "pouring", "lightning-rainy", "snowy-rainy"}),
    "snow": frozenset({"snowy", "snowy-rainy"}),
    "sun": frozenset({"sunny"}),
    "clouds": frozenset({"cloudy", "partlycloudy", "windy-variant"}),
    "fog": frozenset({"fog"}),
    "wind": frozenset({"windy", "windy-variant"}),
    "storm": frozenset({"lightning", "lightning-rainy"}),
    "hail": frozenset({"hail"}),
    "clear": frozenset({"clear", "clear-night", "sunny"}),
    "dry": frozenset({"clear", "clear-night", "sunny", "cloudy", "partlycloudy", "windy", "windy-variant", "fog"}),
}


def answer_weather(candidate: Candidate, found: Sequence[Entity]) -> str:
    """The weather of every place, and yes or no where one condition is asked for."""
    language = candidate.language
    asked = candidate.slots.get("condition")
    said = " ".join(_now(e, language, named=len(found) > 1) for e in found)
    if candidate.slots.get("when") == "later":
        return f"{said} {say('no_forecast', language)}"
    if asked is None or "other" in candidate.slots or len(found) > 1:
        return said
    holds = found[0].state in CONDITIONS.get(str(asked), frozenset())
    return f"{say('yes' if holds else 'no', language)} {said}"


def _now(entity: Entity, language: str, *, named: bool) -> str:
    degrees = entity.attributes.get("temperature")
    unit = str(entity.attributes.get("temperature_unit") or "°")
    return say(
        "weather_now",
        language,
        name=entity.name if named else None,
        weather=state_text(entity, language),
        degrees=amount(str(degrees), unit, language) if degrees not in (None, "", "None") else None,
    )
