"""Which entities of a home a sentence may be about: every signal adds to an entity's score, the best are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..home.catalogue import Home
from ..home.entity import Entity
from .concepts import Concept

MOST_LOCAL = 12
"""Entities for a sentence about single things."""

MOST_WIDE = 40
"""Entities for a sentence about a whole area, a floor, a kind of device or everything."""

_LEAST_WIDE = 8.0
"""The score below which an entity is not added to a wide sentence: place and kind must fit, or its words."""


class Signal(StrEnum):
    """Why an entity or a tool was chosen."""

    NAMED = "named"
    ALMOST_NAMED = "almost_named"
    CANDIDATE = "candidate"
    HISTORY = "history"
    AREA = "area"
    SATELLITE = "satellite"
    CONCEPT = "concept"
    WORDS = "words"
    MEANING = "meaning"
    FAMILY = "family"


REQUIRED = frozenset({Signal.NAMED, Signal.CANDIDATE, Signal.HISTORY})
"""Signals whose bearers no budget may drop."""


@dataclass(slots=True)
class Score:
    """The points of one entity or tool, signal by signal."""

    points: float = 0.0
    why: list[Signal] = field(default_factory=list)

    def add(self, signal: Signal, points: float) -> None:
        """Count a signal; one without points is none."""
        if points > 0:
            self.points += points
            if signal not in self.why:
                self.why.append(signal)

    @property
    def required(self) -> bool:
        """Whether no budget may drop it."""
        return not REQUIRED.isdisjoint(self.why)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a sentence, entities by their position in the home.

    `places` holds the positions in the areas and floors of the sentence, None where it names none; `here` those in the
    satellite's area; `words` and `meaning` are shares.
    """

    named: Collection[int] = ()
    almost_named: Mapping[int, float] = field(default_factory=dict)
    candidates: Collection[int] = ()
    history: Collection[int] = ()
    places: Collection[int] | None = None
    here: Collection[int] = ()
    concepts: Sequence[Concept] = ()
    words: Mapping[int, float] = field(default_factory=dict)
    meaning: Mapping[int, float] = field(default_factory=dict)


def score_entities(home: Home, evidence: Evidence) -> list[Score]:
    """The score of each entity, in the order of the home."""
    domains, classes = kinds_meant(evidence.concepts)
    scores = []
    for number, entity in enumerate(home.entities):
        score = Score()
        score.add(Signal.NAMED, 100.0 * (number in evidence.named))
        score.add(Signal.CANDIDATE, 80.0 * (number in evidence.candidates))
        score.add(Signal.HISTORY, 60.0 * (number in evidence.history))
        score.add(Signal.ALMOST_NAMED, evidence.almost_named.get(number, 0.0))
        kind = max(domains.get(entity.domain, 0.0), classes.get(entity.device_class or "", 0.0))
        score.add(Signal.CONCEPT, 10.0 * kind)
        if evidence.places is not None:
            score.add(Signal.AREA, (8.0 + 10.0 * min(kind, 1.0)) * (number in evidence.places))
        score.add(Signal.SATELLITE, (2.0 + 6.0 * min(kind, 1.0)) * (number in evidence.here))
        score.add(Signal.WORDS, 20.0 * evidence.words.get(number, 0.0))
        score.add(Signal.MEANING, 12.0 * evidence.meaning.get(number, 0.0))
        scores.append(score)
    return scores


def kinds_meant(concepts: Iterable[Concept]) -> tuple[dict[str, float], dict[str, float]]:
    """How much the concepts speak for each domain and device class; one that means many kinds says less of each."""
    domains: dict[str, float] = {}
    classes: dict[str, float] = {}
    for concept in concepts:
        share = max(1, len(concept.domains)) ** -0.5
        for domain in concept.domains:
            domains[domain] = domains.get(domain, 0.0) + share
        for device_class in concept.classes:
            classes[device_class] = classes.get(device_class, 0.0) + 1.0
    return {d: min(s, 1.5) for d, s in domains.items()}, {c: min(s, 1.5) for c, s in classes.items()}


def is_wide(evidence: Evidence) -> bool:
    """Whether the sentence speaks of many entities at once."""
    if any(concept.wide for concept in evidence.concepts):
        return True
    if evidence.named:
        return False
    asks = any(concept.name == "state" for concept in evidence.concepts)
    return evidence.places is not None or (asks and any(concept.domains for concept in evidence.concepts))


def best_entities(scores: Sequence[Score], *, wide: bool) -> list[int]:
    """Positions of the entities to keep, the best first; equal ones in the order of the home."""
    ranked = sorted((n for n, s in enumerate(scores) if s.points > 0), key=lambda n: (-scores[n].points, n))
    kept = ranked[:MOST_LOCAL]
    more = ranked[MOST_LOCAL:MOST_WIDE]
    return [*kept, *(n for n in more if scores[n].required or (wide and scores[n].points >= _LEAST_WIDE))]


def equal_to(home: Home, entities: Collection[Entity]) -> set[int]:
    """The positions of these entities."""
    return {number for number, entity in enumerate(home.entities) if entity in entities} if entities else set()
