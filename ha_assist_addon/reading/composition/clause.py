"""One clause: its phrases put together to an act, a reference and a value, or nothing where they do not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...language.lexicon import Meaning, Role
from ...meaning.acts import MOVES, OPPOSITES, Act, Quantity
from ...meaning.command import Degree, Item, Reference, Scope, Value
from .order import direction_comes_first, hangs, noun_is_no_target, verb_comes_late
from .spans import Span
from .verbs import main_verb

_QUANTITY_OF_UNIT = {"degree": Quantity.TEMPERATURE, "kelvin": Quantity.WHITE}
_PLAYED = frozenset({Act.NEXT, Act.PREVIOUS, Act.PAUSE})
_SWITCHED = frozenset({Act.ON, Act.OFF, Act.OPEN, Act.CLOSE, Act.START, Act.STOP})
_OPENED = frozenset({Act.OPEN, Act.CLOSE})


@dataclass(frozen=True, slots=True)
class Clause:
    """What a piece of the sentence says, perhaps without an act or a reference of its own.

    `wished` says that it is put as a wish or a duty ("should be locked"), `spans` are its phrases.
    """

    acts: tuple[Act, ...]
    quantity: Quantity | None
    value: Value
    reference: Reference
    wished: bool = False
    again: bool = False
    complains: bool = False
    """Whether it says what is wrong, not what is to be done."""
    has_reason: bool = False
    """Whether the sentence also says what is wrong, as the reason for it."""
    spans: tuple[Span, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether it holds courtesies only."""
        return not (self.acts or self.reference != Reference() or self.has_value or self.again)

    @property
    def has_value(self) -> bool:
        """Whether it tells a value or an amount."""
        return self.value != Value()


@dataclass(slots=True)
class _Parts:
    verbs: list[Meaning] = field(default_factory=list)
    directions: list[Meaning] = field(default_factory=list)
    comparatives: list[Meaning] = field(default_factory=list)
    quantities: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    levels: list[float] = field(default_factory=list)
    factors: list[float] = field(default_factory=list)
    degrees: list[str] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)
    whites: list[int] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    roles: set[Role] = field(default_factory=set)
    half: bool = False
    pronoun: bool = False


_REFUSED = frozenset({Role.EXCEPT, Role.MEAN, Role.ORDINAL})
_LISTED: Mapping[Role, tuple[str, Callable[[Any], Any] | None]] = {
    Role.VERB: ("verbs", None),
    Role.DIRECTION: ("directions", None),
    Role.COMPARATIVE: ("comparatives", None),
    Role.COMPLAINT: ("comparatives", None),
    Role.QUANTITY: ("quantities", str),
    Role.NUMBER: ("numbers", float),
    Role.COUNT: ("numbers", float),
    Role.UNIT: ("units", str),
    Role.LEVEL: ("levels", float),
    Role.FACTOR: ("factors", float),
    Role.DEGREE: ("degrees", str),
    Role.COLOUR: ("colours", str),
    Role.WHITE: ("whites", int),
}
"""Which list of the parts a phrase goes into, and what its value is."""


def read_clause(spans: Sequence[Span], *, verb_first: bool = False) -> Clause | None:
    """Put the phrases together, or None where something of it stays unexplained or contradicts."""
    head, exceptions = _without_exceptions(spans)
    if head is None or exceptions is None or hangs(head) or noun_is_no_target(head):
        return None
    if verb_first and (verb_comes_late(head) or direction_comes_first(head)):
        return None
    parts = _sort(head)
    if parts is None or _echoes_name(parts.items):
        return None
    value = _value(parts)
    told = _quantity(parts)
    if value is None or told is _CONFLICT:
        return None
    quantity = told if isinstance(told, Quantity) else None
    found = _act(parts, value, quantity)
    if found is None:
        return None
    acts, more = found
    if more is not None:
        if quantity not in (None, more):
            return None
        quantity = more
    if not _fits(parts, set(acts), quantity):
        return None
    quantity = None if quantity is Quantity.STATE else quantity
    if parts.numbers and Role.ABSOLUTE not in parts.roles and set(acts) & MOVES:
        value = replace(value, relative=True)  # "raise it 2 degrees", "2 degrees warmer"
    if Role.CURRENT in parts.roles and value.relative and value.amount is not None:
        value = Value(factor=(100 - value.amount if acts[0] is Act.DOWN else value.amount) / 100)
    reference = Reference(
        items=tuple(parts.items),
        scope=_scope(parts.roles),
        all=Role.ALL in parts.roles,
        both=Role.BOTH in parts.roles,
        everything=Role.EVERYTHING in parts.roles,
        pronoun=parts.pronoun,
        other=Role.OTHER in parts.roles,
        exceptions=exceptions,
    )
    return Clause(
        acts,
        quantity,
        value,
        reference,
        wished=Role.WISH in parts.roles,
        again=Role.AGAIN in parts.roles,
        complains=Role.COMPLAINT in parts.roles,
        spans=tuple(spans),
    )


def _fits(parts: _Parts, acts: set[Act], quantity: Quantity | None) -> bool:
    """Whether its numbers, and what is set, can belong to what a clause asks for."""
    if Role.DELTA in parts.roles and not (parts.numbers or parts.levels or parts.factors):
        return False  # "brighter by"
    if quantity is Quantity.STATE and acts & MOVES:
        return False  # "power up" moves nothing up
    if not parts.numbers or Role.ABSOLUTE in parts.roles:
        return True
    if parts.directions and acts & _OPENED:
        return False  # "open it up 10 percent" may be so much more
    return bool(parts.units) or not acts & _SWITCHED  # "turn on the lamp 1" names a lamp that is not there


def _echoes_name(items: Sequence[Item]) -> bool:
    """Whether a word is only a part of what another one says: the night lamp tells nothing of "for the night"."""
    said = [(item, word) for item in items if item.kind in ("name", "word") for word in item.words]
    pieces = [(i, i.words[0][: max(3, len(i.words[0]) - 1)]) for i in items if i.kind == "word"]
    return any(piece in word and other is not i for i, piece in pieces for other, word in said)


def _without_exceptions(spans: Sequence[Span]) -> tuple[Sequence[Span] | None, tuple[Reference, ...] | None]:
    """The phrases before an "except", and what stands behind it."""
    at = next((n for n, s in enumerate(spans) if s.role is Role.EXCEPT), None)
    if at is None:
        return spans, ()
    behind = _sort(spans[at + 1 :])
    if behind is None or not behind.items:
        return None, None
    verbs = (*behind.verbs, *behind.directions, *behind.comparatives)
    after = [s for s in spans[at + 1 :] if s.meaning is not None and s.meaning in verbs]
    single = tuple(Reference(items=tuple(group)) for group in _groups(spans[at + 1 :]))
    return (*spans[:at], *after), single


def _groups(spans: Sequence[Span]) -> Iterable[list[Item]]:
    """The things that an exception lists, apart where a joint stands between them."""
    group: list[Item] = []
    for span in spans:
        if span.role is Role.JOINT and group:
            yield group
            group = []
        group += span.items
    if group:
        yield group


def _sort(spans: Sequence[Span]) -> _Parts | None:
    parts = _Parts()
    for span in spans:
        if span.is_unknown:
            return None
        parts.items += span.items
        if span.items or span.meaning is None:
            continue
        meaning = span.meaning
        parts.roles.add(meaning.role)
        if meaning.role in _REFUSED:
            return None
        if meaning.role in _LISTED:
            name, cast = _LISTED[meaning.role]
            getattr(parts, name).append(meaning if cast is None else cast(meaning.value))
        parts.pronoun |= meaning.pronoun or meaning.role is Role.PRONOUN
        parts.half |= meaning.role is Role.HALF
    return parts


def _value(parts: _Parts) -> Value | None:
    """The value that is told, empty where there is none; None where there are too many."""
    amounts = [*parts.numbers, *parts.levels]
    if len(amounts) > 1 or len(set(parts.units)) > 1 or len(parts.factors) > 1 or len(set(parts.whites)) > 1:
        return None
    if (parts.units or parts.half) and not parts.numbers:
        return None
    colours = list(dict.fromkeys(parts.colours))
    if len(colours) > 1 and Role.ABSOLUTE not in parts.roles:
        return None
    degree = Degree(parts.degrees[0]) if parts.degrees else Degree.NORMAL
    amount = amounts[0] + (0.5 if parts.half else 0.0) if amounts else None
    return Value(
        amount,
        "percent" if parts.levels else (parts.units[0] if parts.units else None),
        relative=Role.DELTA in parts.roles and amount is not None,
        degree=degree,
        factor=parts.factors[0] if parts.factors else None,
        colour=colours[-1] if colours else None,
        kelvin=parts.whites[0] if parts.whites else None,
    )


_CONFLICT = "conflict"


def _quantity(parts: _Parts) -> Quantity | str | None:
    """What the words say is set, or a conflict."""
    told = {Quantity(q) for q in parts.quantities}
    told |= {_QUANTITY_OF_UNIT[u] for u in parts.units if u in _QUANTITY_OF_UNIT}
    if parts.colours:
        told = told - {Quantity.BRIGHTNESS, Quantity.STATE} | {Quantity.COLOUR}
    if parts.whites:
        told = told - {Quantity.COLOUR, Quantity.BRIGHTNESS, Quantity.STATE} | {Quantity.WHITE}
    if len(told) > 1:
        told.discard(Quantity.STATE)
    return _CONFLICT if len(told) > 1 else next(iter(told), None)


def _act(parts: _Parts, value: Value, quantity: Quantity | None) -> tuple[tuple[Act, ...], Quantity | None] | None:
    """What is to be done, and what the verb says that it is done to; empty acts where the clause has none."""
    verb = main_verb(parts.verbs)
    if verb is None and parts.verbs:
        return None
    said: tuple[str, ...] = ()
    directions = list(parts.directions)
    if verb is not None:
        used = next((d for d in directions if d.value in verb.particles), None)
        if used is not None:
            said = verb.particles[str(used.value)]
            directions.remove(used)
        else:
            said = verb.acts
    if not _agree(parts.directions):
        return None
    for direction in directions:
        meant = (
            direction.state if (verb is not None or Role.WISH in parts.roles) and direction.state else direction.bare
        )
        if not meant:
            return None
        played = set(_split(meant)[0]) & _PLAYED
        if not said or played:
            said = meant
        elif not set(meant) & set(said):
            return None
    return _with_comparatives(parts, said, value, quantity)


def _agree(directions: Sequence[Meaning]) -> bool:
    """Whether no two directions turn a thing opposite ways: "on off" says neither."""
    meant = [set(_split((*direction.bare, *direction.state))[0]) for direction in directions]
    return not any(OPPOSITES.get(act) in other for one in meant for other in meant for act in one if other is not one)


def _with_comparatives(
    parts: _Parts, said: tuple[str, ...], value: Value, quantity: Quantity | None
) -> tuple[tuple[Act, ...], Quantity | None] | None:
    acts, kinds = _split(said)
    for comparative in parts.comparatives:
        more, of = _split(comparative.acts)
        if acts and acts[0] in MOVES and more[0] in MOVES and acts[0] is not more[0]:
            return None
        if acts and acts[0] in (Act.OPEN, Act.CLOSE) and more[0] in MOVES:
            acts = more if acts[0] is Act.OPEN else (OPPOSITES[more[0]],)  # "close it more" is lower
            of = of | {Quantity.POSITION}
        elif not acts or acts[0] not in (Act.OPEN, Act.CLOSE):
            if acts and acts[0] not in MOVES:
                return None
            acts = more
        kinds |= of
    if len(kinds) > 1:
        return None
    if not acts and value.is_set:
        acts = (Act.SET,)
    if not acts and value.factor is not None:
        acts = (Act.DOWN if value.factor < 1 else Act.UP,)  # "make it half as bright"
    if not acts and parts.verbs and quantity is Quantity.STATE:
        acts = (Act.TOGGLE,)
    return acts, next(iter(kinds), None)


def _split(said: Iterable[str]) -> tuple[tuple[Act, ...], set[Quantity]]:
    pairs = [text.partition(":") for text in said]
    return tuple(dict.fromkeys(Act(act) for act, _, _ in pairs)), {Quantity(q) for _, _, q in pairs if q}


def _scope(roles: set[Role]) -> Scope:
    if Role.EVERYWHERE in roles:
        return Scope.HOME
    return Scope.HERE if Role.HERE in roles else Scope.OPEN


def with_reference(clause: Clause, reference: Reference) -> Clause:
    """The clause about something else."""
    return replace(clause, reference=reference)
