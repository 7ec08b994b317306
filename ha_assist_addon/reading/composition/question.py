"""The phrases of a sentence put together to a question about states, or nothing where one of them stays unexplained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...language.lexicon import Role
from ...language.question_words import OR, Asks
from ...meaning.command import Reference, Scope
from .spans import Span

_PASSING = frozenset({Role.SMALL, Role.COURTESY, Role.FILLER, Role.JOINT, Role.ONE})
"""Phrases that change nothing of what is asked."""
_OF_REFERENCE = frozenset({Role.ALL, Role.BOTH, Role.EVERYTHING, Role.HERE, Role.EVERYWHERE})
_BY_RANK = (Asks.COUNT_ITEMS, Asks.ITEMS, Asks.PLAYING, Asks.HOW_MANY, Asks.WHICH, Asks.STATE, Asks.IF)
"""Which question a sentence is that holds the words of several: "how many ... are" counts."""
_OF_QUALITY = frozenset({Asks.HOW_MANY, Asks.WHICH, Asks.IF})
"""Questions that have to name a state."""
_LITTLE = frozenset({"low"})
"""What can be asked of a quantity; its value answers: "is the battery low"."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of what: `asks` is WHAT for a quantity, `qualities` are the states named, in their order."""

    asks: Asks
    reference: Reference
    qualities: tuple[str, ...] = ()
    measure: str | None = None
    any: bool = False


@dataclass(slots=True)
class _Parts:
    asks: set[Asks] = field(default_factory=set)
    qualities: list[str] = field(default_factory=list)
    measures: list[str] = field(default_factory=list)
    roles: set[Role] = field(default_factory=set)
    either: bool = False
    """Whether "or" stands between states."""
    joined: bool = False
    """Whether "or" or "and" does."""


def read_question(way: Sequence[Span]) -> Question | None:
    """The question that phrases make, or None where they make none."""
    parts = _sort(way)
    if parts is None:
        return None
    asks, qualities, measures = parts.asks, parts.qualities, parts.measures
    reference = _reference(way, parts.roles)
    if reference is None or len(set(measures)) > 1:
        return None
    if measures:
        fits = bool(asks) and set(qualities) <= _LITTLE and asks <= {Asks.IF, Asks.WHAT, Asks.STATE}
        return Question(Asks.WHAT, reference, measure=measures[0]) if fits else None
    kind = next((k for k in _BY_RANK if k in asks), None)
    if kind is None or (kind in _OF_QUALITY) != bool(qualities):
        return None
    several = len(set(qualities)) > 1
    if several and (kind is not Asks.IF or not parts.joined):
        return None  # "are the lights raised on": one of them is another word
    if parts.either and not several:
        return None
    return Question(kind, reference, tuple(dict.fromkeys(qualities)), any=Asks.ANY in asks)


def _sort(way: Sequence[Span]) -> _Parts | None:
    parts = _Parts()
    for span in way:
        if span.is_unknown:
            return None
        if span.items or span.meaning is None:
            continue
        role, value = span.meaning.role, str(span.meaning.value)
        if role is Role.ASKS:
            parts.asks.add(Asks(value))
        elif role is Role.QUALITY:
            if span.meaning.acts and _begins(way, span):
                parts.asks.add(Asks.IF)
            parts.qualities.append(value)
        elif role is Role.MEASURE:
            parts.measures.append(value)
        elif role in _OF_REFERENCE:
            parts.roles.add(role)
            if role is Role.EVERYTHING and value == Asks.ANY:
                parts.asks.add(Asks.ANY)
        elif role not in _PASSING:
            return None
        parts.joined |= role is Role.JOINT
        parts.either |= role is Role.JOINT and value == OR
    return parts


def _begins(way: Sequence[Span], span: Span) -> bool:
    """Whether nothing that says something stands before a phrase."""
    before = way[: way.index(span)]
    return all(s.role in _PASSING for s in before)


def _reference(way: Sequence[Span], roles: set[Role]) -> Reference | None:
    items = tuple(item for span in way for item in span.items)
    everything = Role.EVERYTHING in roles
    if not items and not everything:
        return None
    if everything and any(item.kind not in ("area", "floor") for item in items):
        return None
    scope = Scope.HOME if Role.EVERYWHERE in roles else Scope.HERE if Role.HERE in roles else Scope.OPEN
    return Reference(items, scope, all=Role.ALL in roles or everything, both=Role.BOTH in roles, everything=everything)
