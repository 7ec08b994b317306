"""Which entities of a home a sentence may be about: every signal adds to an entity's score, the best are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..home.catalogue import Home
from .concepts import Concept

MOST_LOCAL = 12
"""Entities for a sentence about single things."""

MOST_WIDE = 40
"""Entities for a sentence about a whole area, a floor, a kind of device or everything."""

_FIRST = 8
"""The best entities, which no stand-in for a missing kind of device comes before."""

_MEANT = 0.5
"""How much the concepts must speak for a kind of device so that one is kept."""

_FURTHER = 0.9
"""What each further domain of a concept is worth of the one before."""

_CLASS = 0.6
"""What a fitting device class is worth beside a fitting domain."""

_LEAST_WIDE = 5.0
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
    SUBJECT = "subject"


REQUIRED = frozenset({Signal.NAMED, Signal.CANDIDATE, Signal.HISTORY})
"""Signals whose bearers no budget may drop."""


MEANING_POINTS = 12.0
"""Points of an entity that means exactly what the sentence does."""


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
    satellite's area; `words` are shares.
    """

    named: Collection[int] = ()
    almost_named: Mapping[int, float] = field(default_factory=dict)
    candidates: Collection[int] = ()
    history: Collection[int] = ()
    places: Collection[int] | None = None
    here: Collection[int] = ()
    concepts: Sequence[Concept] = ()
    words: Mapping[int, float] = field(default_factory=dict)


def score_entities(home: Home, evidence: Evidence) -> list[Score]:
    """The score of each entity, in the order of the home."""
    domains, classes = kinds_meant(evidence.concepts)
    kinds = [domains.get(e.domain, 0.0) + _CLASS * classes.get(e.device_class or "", 0.0) for e in home.entities]
    scores = [Score() for _ in home.entities]
    # Signal by signal: few entities have any but the kind, and a large home is gone through once, not for each signal.
    known = ((Signal.NAMED, 100.0, evidence.named), (Signal.CANDIDATE, 80.0, evidence.candidates))
    for signal, points, numbers in (*known, (Signal.HISTORY, 60.0, evidence.history)):
        for number in set(numbers):
            scores[number].add(signal, points)
    for number, points in evidence.almost_named.items():
        scores[number].add(Signal.ALMOST_NAMED, points)
    for score, kind in zip(scores, kinds, strict=True):
        if kind:
            score.add(Signal.CONCEPT, 10.0 * kind)
    for signal, points, numbers in ((Signal.AREA, 10.0, evidence.places or ()), (Signal.SATELLITE, 4.0, evidence.here)):
        for number in set(numbers):
            scores[number].add(signal, points + 20.0 * min(kinds[number], 1.0))
    for number, share in evidence.words.items():
        scores[number].add(Signal.WORDS, 20.0 * share)
    return scores


def kinds_meant(concepts: Iterable[Concept]) -> tuple[dict[str, float], dict[str, float]]:
    """How much the concepts speak for each domain and device class; one that means many kinds says less of each."""
    domains: dict[str, float] = {}
    classes: dict[str, float] = {}
    for concept in concepts:
        share = max(1, len(concept.domains)) ** -0.5
        for place, domain in enumerate(concept.domains):
            domains[domain] = domains.get(domain, 0.0) + share * _FURTHER**place
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


def best_entities(home: Home, scores: Sequence[Score], concepts: Iterable[Concept], *, wide: bool) -> list[int]:
    """Positions of the entities to keep, the best first; equal ones in the order of the home.

    Of each kind of device that the concepts mean, one at least is kept, and all that is required.
    """
    ranked = sorted((n for n, s in enumerate(scores) if s.points > 0), key=lambda n: (-scores[n].points, n))
    head, tail = ranked[:_FIRST], ranked[_FIRST:]
    have = {home.entities[n].domain for n in ranked[:MOST_LOCAL]}
    stand_ins: list[int] = []
    for domain, share in kinds_meant(concepts)[0].items():
        if share >= _MEANT and domain not in have:
            stand_ins += [n for n in ranked if home.entities[n].domain == domain][:1]
    others = [n for n in tail if n not in stand_ins]
    room = max(0, MOST_LOCAL - _FIRST - len(stand_ins))
    fitting = {n for n in ranked[:MOST_WIDE] if wide and scores[n].points >= _LEAST_WIDE}
    more = [n for n in others[room:] if scores[n].required or n in fitting]
    return [*head, *sorted(stand_ins), *others[:room], *more]
