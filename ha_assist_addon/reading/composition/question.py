"""The phrases of a sentence put together to a question about states, or nothing where one of them stays unexplained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...answering.measure import SETTING
from ...language.lexicon import Role
from ...language.question_words import AT_HOME, OR, SOMEBODY, Asks
from ...meaning.command import Reference, Scope
from .spans import Span

PASSING = frozenset({Role.SMALL, Role.COURTESY, Role.FILLER, Role.JOINT, Role.ONE})
"""Phrases that change nothing of what is asked."""
_OF_REFERENCE = frozenset({Role.ALL, Role.BOTH, Role.EVERYTHING, Role.HERE, Role.EVERYWHERE})
_BY_RANK = (Asks.COUNT_ITEMS, Asks.ITEMS, Asks.PLAYING, Asks.HOW_MANY, Asks.WHICH, Asks.STATE, Asks.IF)
"""Which question a sentence is that holds the words of several: "how many ... are" counts."""
_OF_QUALITY = frozenset({Asks.HOW_MANY, Asks.WHICH, Asks.IF})
"""Questions that have to name a state."""
_WHAT_IS = frozenset({"on", "open", "closed", "unlocked", "locked", "running"})
"""States of which it is asked what has them; "what is up" asks for no blinds."""
_WITHOUT_PLACE = frozenset({"open", "unlocked"})
"""Those that speak of the home by themselves; "what is on" may ask for a film."""
_OF_ROOMS = frozenset({"temperature", "humidity"})
"""Quantities that each room of a home has."""
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
    people: bool = False


@dataclass(slots=True)
class _Parts:
    asks: set[Asks] = field(default_factory=set)
    qualities: list[str] = field(default_factory=list)
    measures: list[str] = field(default_factory=list)
    roles: set[Role] = field(default_factory=set)
    either: bool = False
    """Whether "or" stands between states."""
    people: bool = False
    """Whether somebody is asked for, whoever it is."""
    joined: bool = False
    """Whether "or" or "and" does."""


def read_question(way: Sequence[Span]) -> Question | None:
    """The question that phrases make, or None where they make none."""
    parts = _sort(way)
    if parts is None:
        return None
    if parts.people or AT_HOME in parts.qualities:
        return _of_people(way, parts)
    asks, qualities = parts.asks, parts.qualities
    measures = [m for m in parts.measures if m != SETTING] or parts.measures
    if Asks.WHAT_IS in asks:
        return _what_is(way, parts)
    reference = _reference(way, parts.roles)
    if reference is None and measures and set(measures) <= _OF_ROOMS and Role.EVERYWHERE in parts.roles:
        reference = Reference(scope=Scope.HOME, all=True)
    if reference is None or len(set(measures)) > 1:
        return None
    if measures:
        fits = bool(asks) and set(qualities) <= _LITTLE and asks <= {Asks.IF, Asks.WHAT, Asks.STATE}
        return Question(Asks.WHAT, reference, measure=measures[0]) if fits else None
    kind = next((k for k in _BY_RANK if k in asks), None)
    if kind is Asks.IF and Asks.WHAT in asks and Role.EVERYTHING in parts.roles:
        kind = Asks.WHICH  # "which devices are"
    if kind is None or (kind in _OF_QUALITY) != bool(qualities):
        return None
    several = len(set(qualities)) > 1
    if several and (kind is not Asks.IF or not parts.joined):
        return None  # "are the lights raised on": one of them is another word
    if parts.either and not several:
        return None
    return Question(kind, reference, tuple(dict.fromkeys(qualities)), any=Asks.ANY in asks)


def _of_people(way: Sequence[Span], parts: _Parts) -> Question | None:
    """Whether anybody is at home; where else somebody is, no person's state tells."""
    bare = not parts.measures and not any(span.items for span in way) and Role.HERE not in parts.roles
    if not (bare and parts.people and Asks.IF in parts.asks and parts.qualities == [AT_HOME]):
        return None
    return Question(Asks.IF, Reference(scope=Scope.HOME, all=True, everything=True), (AT_HOME,), any=True, people=True)


def _what_is(way: Sequence[Span], parts: _Parts) -> Question | None:
    """Which things are so, of no kind that is named, in a place or in the home."""
    items = tuple(item for span in way for item in span.items)
    places = bool(items) or bool(parts.roles & {Role.HERE, Role.EVERYWHERE})
    if parts.measures or parts.joined or len(parts.qualities) != 1 or len(parts.asks) > 1:
        return None
    if any(item.kind not in ("area", "floor") for item in items):
        return None
    known = _WHAT_IS if places else _WITHOUT_PLACE
    if parts.qualities[0] not in known:
        return None
    scope = Scope.HERE if Role.HERE in parts.roles else Scope.OPEN if items else Scope.HOME
    reference = Reference(items, scope, all=True, everything=True)
    return Question(Asks.WHICH, reference, tuple(parts.qualities), any=True)


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
            if role is Role.EVERYTHING and value in (Asks.ANY, SOMEBODY):
                parts.asks.add(Asks.ANY)
                parts.people |= value == SOMEBODY
        elif role not in PASSING:
            return None
        parts.joined |= role is Role.JOINT
        parts.either |= role is Role.JOINT and value == OR
    return parts


def _begins(way: Sequence[Span], span: Span) -> bool:
    """Whether nothing that says something stands before a phrase."""
    before = way[: way.index(span)]
    return all(s.role in PASSING for s in before)


def _reference(way: Sequence[Span], roles: set[Role]) -> Reference | None:
    items = tuple(item for span in way for item in span.items)
    everything = Role.EVERYTHING in roles
    if not items and not everything:
        return None
    if everything and any(item.kind not in ("area", "floor") for item in items):
        return None
    scope = Scope.HOME if Role.EVERYWHERE in roles else Scope.HERE if Role.HERE in roles else Scope.OPEN
    return Reference(items, scope, all=Role.ALL in roles or everything, both=Role.BOTH in roles, everything=everything)
