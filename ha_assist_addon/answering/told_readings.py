"""Measured values as they are told: each with its name, and whether another room reports them."""

from __future__ import annotations

from collections.abc import Sequence

from ..home.entity import Entity
from ..language.replies import say
from ..language.words import fold_word
from ..recognition.recognise import Candidate
from ..wording.speak import amount, enumerate_names, labels_of, names_of, spoken
from .measure import Reading, is_missing, readings


def listed_readings(found: Sequence[Reading], asked: Sequence[Entity], candidate: Candidate) -> str:
    """All readings with their names; none is picked and none averaged."""
    language = candidate.language
    if not found:
        away = [e for e in asked if is_missing(e)]
        if away and ("name" in candidate.slots or len(away) == len(asked)):
            names = names_of(away, language)
            return say("not_available", language, names=enumerate_names(names, language), many=len(names) > 1)
        named = asked[0].name if "name" in candidate.slots and asked else None
        return say("no_measure", language, name=named, area=candidate.slots.get("area"))
    labels = labels_of([r.entity for r in found], language)
    exact = {"°C", "°F"} <= {r.unit for r in found}
    said = [
        say("value_of", language, name=label, value=amount(r.value, r.unit, language, exact=exact))
        for label, r in zip(labels, found, strict=True)
    ]
    return enumerate_names(sorted(said), language) + "."


def elsewhere(found: Sequence[Reading], asked: Sequence[Entity], candidate: Candidate) -> str:
    """What other rooms report, behind a word that this one reports nothing."""
    listed = listed_readings(found, asked, candidate)
    here = candidate.slots.get("area")
    return f"{say('no_measure', candidate.language, name=None, area=here)} {listed}" if found and here else listed


def outside(candidate: Candidate, live: Sequence[Entity], measure: str) -> str:
    """The weather's value, and those of sensors out of doors where they differ."""
    words = [fold_word(w) for w in spoken(candidate.language).get("outside", ())]
    sensors = [
        e for e in live if e.domain == "sensor" and any(w in fold_word(n) for n in (*e.names, *e.areas) for w in words)
    ]
    weather = [e for e in live if e.domain == "weather"]
    found = readings([*weather, *sensors], measure)
    return listed_readings(found, [*weather, *sensors], candidate)
