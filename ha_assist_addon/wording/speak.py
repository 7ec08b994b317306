"""Numbers, units, states and lists, as a language says them. A unit is never changed, nothing is averaged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from typing import Any

from ..home.entity import Entity
from ..language.data import look_up
from ..language.replies import say
from ..language.words import fold_word

MOST_NAMED = 8
"""So many names are said in full; of more, the first ones and how many there are besides."""

SHORTEST_STEM = 4
"""Letters that a stem has at least."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def spoken(language: str | None) -> Mapping[str, Any]:
    """How a language says things; empty where we do not know."""
    return look_up("spoken", language or "en") or {}


def as_sentence(text: str) -> str:
    """The text with a full stop, unless it ends as a sentence already."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def number(value: float | str, language: str | None) -> str:
    """A number with the decimal mark of the language, at most two decimals; text that is no number stays."""
    text = str(value).strip()
    if not _NUMBER.fullmatch(text):
        return text
    parsed = round(float(text), 2)
    plain = str(int(parsed)) if parsed.is_integer() else str(parsed)
    return plain.replace(".", str(spoken(language).get("decimal", ".")))


def amount(value: float | str, unit: str | None, language: str | None, *, exact: bool = False) -> str:
    """A number with its unit; `exact` names the scale of degrees too."""
    said = number(value, language)
    if not unit:
        return said
    words = spoken(language)
    forms = ((words.get("exact") or {}).get(unit) if exact else None) or (words.get("units") or {}).get(unit)
    if forms is None:
        return f"{said} {unit}"
    if isinstance(forms, str):
        return forms.format(said)
    return str(forms[_form(value, forms, words.get("plural"))]).format(said)


def _form(value: float | str, forms: Sequence[str], plural: object) -> int:
    """Which of the forms goes with a number."""
    try:
        size = abs(float(value))
    except ValueError:
        return len(forms) - 1
    if plural == "slavic" and len(forms) == 4:
        if not size.is_integer():
            return 3
        few = size % 10 in (2, 3, 4) and size % 100 not in (12, 13, 14)
        return 0 if size == 1 else 1 if few else 2
    return 0 if size == 1 else len(forms) - 1


def state_word(entity: Entity, language: str | None) -> str | None:
    """The state of an entity as a word that stands after "is", or None where the language has none."""
    words, state = spoken(language), entity.state or ""
    if entity.domain == "binary_sensor" and entity.device_class:
        by_class = (words.get("classes") or {}).get(entity.device_class)
        if by_class and state in by_class:
            return str(by_class[state])
    if entity.domain == "weather":
        return str((words.get("weather") or {}).get(state) or "") or None
    states = words.get("states") or {}
    return str((states.get(entity.domain) or {}).get(state) or (states.get("*") or {}).get(state) or "") or None


def state_text(entity: Entity, language: str | None) -> str:
    """The state in words, or its number with the unit."""
    unit = entity.attributes.get("unit_of_measurement")
    state = entity.state or ""
    if unit or _NUMBER.fullmatch(state):
        return amount(state, str(unit) if unit else None, language)
    return state_word(entity, language) or state.replace("_", " ")


def weekday(day: date, language: str | None) -> str:
    """The name of a day, or its date where the language's names are not known."""
    names = spoken(language).get("weekdays")
    return str(names[day.weekday()]) if names else day.isoformat()


def clock(at: time, language: str | None) -> str:
    """A time of day on the clock of the language."""
    if spoken(language).get("clock") != 12:
        return f"{at.hour}:{at.minute:02d}"
    return f"{at.hour % 12 or 12}:{at.minute:02d} {'AM' if at.hour < 12 else 'PM'}"


def stem(word: str) -> str:
    """A word without an ending, to find it in another number or case; folded."""
    folded = fold_word(word)
    for ending in ("ing", "es", "en", "s", "e", "n"):
        if folded.endswith(ending) and len(folded) - len(ending) >= SHORTEST_STEM:
            return folded[: -len(ending)]
    return folded


def labels_of(entities: Iterable[Entity], language: str | None, among: Sequence[Entity] | None = None) -> list[str]:
    """Names that tell entities apart, from each other or from all `among`: bearers of one name get their area."""
    found = list(entities)
    folded = Counter(e.name.casefold() for e in (found if among is None else among))
    return [
        say("in_area", language, name=e.name, area=e.area) if e.area and folded[e.name.casefold()] > 1 else e.name
        for e in found
    ]


def names_of(entities: Iterable[Entity], language: str | None, among: Sequence[Entity] | None = None) -> list[str]:
    """The same, sorted."""
    return sorted(labels_of(entities, language, among))


def enumerate_names(names: Sequence[str], language: str | None, most: int = MOST_NAMED) -> str:
    """A spoken list; where there are too many, the first ones and the number of the others."""
    if len(names) > most:
        return say("and_more", language, names=", ".join(names[: most - 2]), count=len(names) - most + 2)
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {say('and', language)} {names[-1]}"
