"""What a sentence speaks of, clause by clause, where not every word of it is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from ..home.catalogue import Home
from ..home.entity import Entity
from ..language.lexicon import Lexicon, Role
from ..language.tokens import Token
from ..meaning.acts import Act, Quantity
from ..meaning.command import Item, Reference, Scope
from ..meaning.effects import QUANTITY_DOMAINS
from ..meaning.evidence import said_acts
from ..meaning.reference import SWITCHED_BY_ALL, Found, Missing, Resolved, Resolver, Several
from ..reading.composition.spans import Parsed, Span, speller_of

_CLOSE = 0.35
"""Ways to take a sentence apart that cost so little more than the best one are as likely."""
_NEAR = 1.0
"""Others may cost so much more where nothing fits the best: in "switch on the lamp" no switch is meant."""
_HOME_WIDE = frozenset({Act.OFF, Act.CLOSE, Act.LOCK, Act.OPEN, Act.UNLOCK})
_UNIT_QUANTITY = {"degree": Quantity.TEMPERATURE, "kelvin": Quantity.WHITE}
_PLACES = ("area", "floor")
_ACTING = frozenset({Role.VERB, Role.DIRECTION, Role.COMPARATIVE})
_LIGHT = frozenset({Role.COURTESY, Role.SMALL, Role.FILLER})


class Bearing(Enum):
    """How far the words speak of a thing."""

    SAID = auto()
    MAYBE = auto()
    """It is one of several that can be meant, or a word beside it is not understood."""
    UNSAID = auto()
    EXCLUDED = auto()


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the sentence; `open` says that a word at its reference is not known."""

    reference: Reference
    acts: frozenset[Act]
    quantities: frozenset[Quantity]
    open: bool = False

    @property
    def speaks(self) -> bool:
        """Whether it says what it is about."""
        return not self.reference.is_empty or bool(self.quantities)


@dataclass(frozen=True, slots=True)
class Speech:
    """The clauses of a sentence, in each way to take it apart that is as likely as the best."""

    ways: tuple[tuple[Clause, ...], ...]
    resolver: Resolver
    values: frozenset[float]
    """Values that are said in other words than numbers: half, full, warm white."""
    colours: frozenset[str]
    unknown: tuple[str, ...]
    """Words that nothing explains: they may tell a time, a condition, or another thing."""

    def bearing(self, entity: Entity) -> Bearing:
        """Whether the words speak of an entity."""
        found = {self._in_clause(clause, entity) for way in self.ways for clause in way}
        order = (Bearing.EXCLUDED, Bearing.SAID, Bearing.MAYBE)
        return next((one for one in order if one in found), Bearing.UNSAID)

    def acts(self, entity: Entity) -> frozenset[Act]:
        """The acts that are said where the entity is spoken of; those of the whole sentence where it is not."""
        found: set[Act] = set()
        for way in self.ways:
            for at, clause in enumerate(way):
                if self._in_clause(clause, entity) in (Bearing.SAID, Bearing.MAYBE):
                    found |= _acts_at(way, at)
        return frozenset(found) or frozenset(a for way in self.ways for clause in way for a in clause.acts)

    @property
    def is_certain(self) -> bool:
        """Whether the words tell what they are about, so that nothing else can be meant."""
        known = frozenset(e.domain for e in self.resolver.home.entities)
        return any(
            isinstance(self._resolve(clause, known), Found)
            for way in self.ways
            for clause in way
            if not clause.open and _names_thing(clause.reference)
        )

    def is_elsewhere(self, entity: Entity) -> bool:
        """Whether places are said, and the entity is in none of them."""
        numbers = {n for n, e in enumerate(self.resolver.home.entities) if e is entity}
        places = [i for way in self.ways for clause in way for i in clause.reference.items if i.kind in _PLACES]
        return bool(places) and not any(numbers & i.bearers for i in places)

    def left_out(self, reached: Sequence[Entity]) -> tuple[Entity, ...]:
        """What "all" or "both" takes in besides what is reached, of the same domains."""
        ids, missing = set(map(id, reached)), {}
        for clause in self.ways[0] if self.ways else ():
            reference = clause.reference
            if not (reference.all or reference.both or reference.everything):
                continue
            for domain in {e.domain for e in reached if self._in_clause(clause, e) is Bearing.SAID}:
                whole = self._resolve(clause, {domain})
                for e in whole.entities if isinstance(whole, Found) else ():
                    if id(e) not in ids and self._in_clause(clause, e) is Bearing.SAID:
                        missing[id(e)] = e
        return tuple(missing.values())

    def _in_clause(self, clause: Clause, entity: Entity) -> Bearing:
        if any(self._takes_in(Clause(e, clause.acts, frozenset()), entity) for e in clause.reference.exceptions):
            return Bearing.EXCLUDED
        if not clause.speaks:
            return Bearing.UNSAID
        reference = clause.reference
        if not (reference.items or reference.everything) and not self._measures(clause, entity):
            return Bearing.UNSAID
        if not (_names_thing(reference) or reference.everything) and not _goes_with_place(clause, entity):
            return Bearing.UNSAID
        found = self._resolve(clause, {entity.domain})
        match found:
            case Found(entities=entities, floor_unsure=unsure) if _holds(entities, entity):
                known = not unsure or self.resolver.home.floor_of(entity) is not None
                return Bearing.SAID if known and not clause.open else Bearing.MAYBE
            case Several(entities=entities) if _holds(entities, entity):
                return Bearing.MAYBE
            case _:
                return Bearing.UNSAID

    def _takes_in(self, clause: Clause, entity: Entity) -> bool:
        found = self._resolve(clause, {entity.domain})
        return not isinstance(found, Missing) and _holds(found.entities, entity)

    def _measures(self, clause: Clause, entity: Entity) -> bool:
        return any(entity.domain in QUANTITY_DOMAINS.get(q, ()) for q in clause.quantities)

    def _resolve(self, clause: Clause, domains: Iterable[str]) -> Resolved:
        reference = replace(clause.reference, exceptions=())
        everywhere = bool(_HOME_WIDE & clause.acts)
        found = self.resolver.resolve(reference, frozenset(domains), all_everywhere=everywhere)
        kept = tuple(i for i in reference.items if i.kind != "word")
        if isinstance(found, Missing) and any(i.kind == "name" for i in kept) and len(kept) < len(reference.items):
            return self.resolver.resolve(replace(reference, items=kept), frozenset(domains), all_everywhere=everywhere)
        return found


def read_speech(sentence: str, home: Home, lexicon: Lexicon) -> Speech:
    """Take a sentence apart as far as its words are known."""
    speller = speller_of(home, lexicon)
    parsed = speller.parse(sentence)
    costs = [sum(span.cost for span in way) for way in parsed.ways]
    near = [(way, cost) for way, cost in zip(parsed.ways, costs, strict=True) if cost <= costs[0] + _NEAR]
    fitting = [(way, cost) for way, cost in near if all(map(_fits, _pieces(way)))] or near[:1]
    ways = [way for way, cost in fitting if cost <= fitting[0][1] + _CLOSE]
    meanings = [span.meaning for way in ways for span in way if span.meaning is not None]
    return Speech(
        tuple(tuple(_clauses(way, parsed, sentence, lexicon)) for way in ways),
        Resolver(home, speller.words, lexicon.language),
        frozenset(float(m.value) for m in meanings if m.role in (Role.LEVEL, Role.WHITE)),
        frozenset(str(m.value) for m in meanings if m.role is Role.COLOUR),
        tuple(_unknown(ways[0], parsed.tokens)) if ways else (),
    )


def _fits(piece: Sequence[Span]) -> bool:
    """Whether there is something of which all words of a part can speak."""
    at = next((n for n, s in enumerate(piece) if s.role is Role.EXCEPT), len(piece))
    bearers = [i.bearers for s in piece[:at] for i in s.items]
    return not bearers or bool(frozenset.intersection(*bearers))


def _clauses(way: Sequence[Span], parsed: Parsed, sentence: str, lexicon: Lexicon) -> Iterator[Clause]:
    for piece in _pieces(way):
        yield _clause(piece, parsed, sentence, lexicon)


def _pieces(way: Sequence[Span]) -> Iterator[Sequence[Span]]:
    """The parts between joints; what is left out may be a list, and stays with what it is left out of."""
    piece: list[Span] = []
    excepted = False
    for span in way:
        if span.role is Role.JOINT and not excepted:
            if piece:
                yield piece
            piece = []
            continue
        excepted |= span.role is Role.EXCEPT
        piece.append(span)
    if piece:
        yield piece


def _clause(spans: Sequence[Span], parsed: Parsed, sentence: str, lexicon: Lexicon) -> Clause:
    at = next((n for n, s in enumerate(spans) if s.role is Role.EXCEPT), len(spans))
    head, behind = spans[:at], spans[at + 1 :]
    roles = {s.role for s in head}
    items = tuple(i for s in head for i in s.items)
    reference = Reference(
        items=items,
        scope=Scope.HOME if Role.EVERYWHERE in roles else Scope.HERE if Role.HERE in roles else Scope.OPEN,
        all=Role.ALL in roles,
        both=Role.BOTH in roles,
        everything=Role.EVERYTHING in roles,
        pronoun=Role.PRONOUN in roles,
        other=Role.OTHER in roles,
        exceptions=tuple(Reference(items=group) for group in _groups(behind)),
    )
    tokens = parsed.tokens
    start, end = tokens[spans[0].start].start, tokens[spans[-1].end - 1].end
    hidden = [
        (tokens[s.start].start - start, tokens[s.end - 1].end - start)
        for s in spans
        if s.items and (s.role is Role.NOUN or s.items[0].kind in ("name", "area", "floor"))
    ]
    acts = said_acts(sentence[start:end], hidden, lexicon)
    return Clause(reference, acts, frozenset(_quantities(head)), _is_open(head))


def _groups(spans: Sequence[Span]) -> Iterator[tuple[Item, ...]]:
    group: list[Item] = []
    for span in spans:
        if span.role is Role.JOINT and group:
            yield tuple(group)
            group = []
        group += span.items
    if group:
        yield tuple(group)


def _quantities(spans: Sequence[Span]) -> Iterator[Quantity]:
    for span in spans:
        if span.meaning is None:
            continue
        if span.role is Role.QUANTITY:
            yield Quantity(str(span.meaning.value))
        elif span.role is Role.UNIT and span.meaning.value in _UNIT_QUANTITY:
            yield _UNIT_QUANTITY[str(span.meaning.value)]
        elif span.role in (Role.COMPARATIVE, Role.COMPLAINT):
            yield from (Quantity(q) for act in span.meaning.acts if (q := act.partition(":")[2]))


def _is_open(spans: Sequence[Span]) -> bool:
    """Whether an unknown word stands at a thing that is not called by its whole name: "the nursery light"."""
    for n, span in enumerate(spans):
        beside = (*spans[max(n - 1, 0) : n], *spans[n + 1 : n + 2])
        vague = any(i.noun is not None or i.kind == "word" for i in span.items)
        if vague and any(s.is_unknown for s in beside):
            return True
    return False


def _unknown(way: Sequence[Span], tokens: Sequence[Token]) -> Iterator[str]:
    """The words that nothing explains; of a part without a verb the first is it: "give the lamp 40 percent"."""
    for piece in _pieces(way):
        verbless = any(s.items for s in piece) and not any(s.role in _ACTING for s in piece)
        first = next((s for s in piece if s.role not in _LIGHT), None)
        for span in piece:
            if span.is_unknown and not (verbless and span is first):
                yield from (t.folded for t in tokens[span.start : span.end])


def _acts_at(way: Sequence[Clause], at: int) -> frozenset[Act]:
    """The acts of a clause, else those of the nearest before it, else behind it."""
    nearest = (way[at], *reversed(way[:at]), *way[at + 1 :])
    return next((clause.acts for clause in nearest if clause.acts), frozenset())


def _names_thing(reference: Reference) -> bool:
    return any(item.kind not in _PLACES for item in reference.items)


def _goes_with_place(clause: Clause, entity: Entity) -> bool:
    """Whether a place, or a value, is enough to speak of an entity in it: no lock, no door, no robot."""
    return entity.domain in SWITCHED_BY_ALL or (Act.CLEAN in clause.acts and entity.domain == "vacuum")


def _holds(entities: Sequence[Entity], entity: Entity) -> bool:
    return any(e is entity for e in entities)
