"""A sentence as clauses: taken apart at its joints and verbs, each given what it leaves to the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...language.lexicon import Role
from ...meaning.acts import OPPOSITES, Act
from ...meaning.command import Reference, Scope, Value
from .clause import Clause, read_clause
from .spans import Span

MOST_CLAUSES = 8


def read_clauses(way: Sequence[Span], *, verb_first: bool = False) -> tuple[Clause, ...] | None:
    """The clauses of one way to take a sentence apart, each complete, or None where they are not."""
    clauses: list[Clause] = []
    for piece, joined in _pieces(way):
        clause = read_clause(piece, verb_first=verb_first)
        if clause is None or (not joined and clause.reference == Reference()):
            return None
        if not clause.says_nothing:
            clauses.append(clause)
        elif any(span.role is Role.VERB for span in piece):
            return None
    clauses = _without_reasons(clauses)
    if not 0 < len(clauses) <= MOST_CLAUSES:
        return None
    if len(clauses) == 1:
        return tuple(clauses)
    return _completed(_with_shared_ends(clauses, verb_first=verb_first))


def _without_reasons(clauses: list[Clause]) -> list[Clause]:
    """The commands alone, where the others say why: "it is too dark, turn on the light", "too loud, turn it down"."""
    reasons = [c for c in clauses if c.complains]
    commands = [c for c in clauses if not c.complains]
    if not reasons or not any(c.acts for c in commands):
        return clauses
    if any(OPPOSITES.get(c.acts[0]) in reasons[-1].acts for c in commands if c.acts):
        return []  # "it is too dark, turn it down"
    return [_for_reason(c, reasons[-1]) for c in commands]


def _for_reason(clause: Clause, reason: Clause) -> Clause:
    """A command with what the reason tells of it: "it" is what is wrong, and "down" is the volume of what is loud."""
    moves = bool(clause.acts) and clause.acts[0] in reason.acts
    if _is_pronoun(clause.reference) or (moves and clause.reference == Reference()):
        clause = replace(clause, reference=replace(reason.reference, pronoun=False))
    elif all(i.noun is not None for i in clause.reference.items) and not is_placed(clause.reference):
        places = tuple(i for i in reason.reference.items if i.kind in ("area", "floor"))
        clause = replace(clause, reference=replace(clause.reference, items=(*clause.reference.items, *places)))
    quantity = clause.quantity or (reason.quantity if moves else None)
    return replace(clause, quantity=quantity, has_reason=True)


def _pieces(way: Sequence[Span]) -> Iterator[tuple[tuple[Span, ...], bool]]:
    """The pieces, each with whether it may lean on others: one that a verb begins without a joint may not."""
    piece: list[Span] = []
    joined, verb, target, excepted, complained = True, False, False, False, False
    for span in way:
        role = span.role
        new_verb = role is Role.VERB and ((verb and target) or complained)
        if (role is Role.JOINT and not excepted) or new_verb:
            if piece:
                yield tuple(piece), joined
            piece, verb, target, excepted, complained = [], False, False, False, False
            joined = role is Role.JOINT
            if joined:
                continue
        if role is Role.COMPLAINT:
            start = _begin_of_complaint(piece)
            complained |= start < len(piece) or [s.role for s in piece] == [Role.SMALL]  # "it's" is folded to "its"
            if verb and 0 < start < len(piece):
                yield tuple(piece[:start]), joined
                piece, verb, target, joined = piece[start:], False, False, True
        excepted |= role is Role.EXCEPT
        verb |= role is Role.VERB
        target |= bool(span.items) or role in (Role.PRONOUN, Role.EVERYTHING)
        piece.append(span)
    if piece:
        yield tuple(piece), joined


def _begin_of_complaint(piece: Sequence[Span]) -> int:
    """Where "it is" begins at the end of a piece, behind which a complaint stands: "turn it up it is too dim"."""
    start = len(piece)
    while start and piece[start - 1].role in (Role.WISH, Role.PRONOUN):
        start -= 1
    return start


def _with_shared_ends(clauses: Sequence[Clause], *, verb_first: bool) -> list[Clause]:
    """What ends the last of several targets of one verb is said of all: "turn the lamp and the kettle off"."""
    found = list(clauses)
    for n, clause in enumerate(found):
        verbs = [span for span in clause.spans if span.role is Role.VERB]
        if len(verbs) != 1 or clause.acts or clause.has_value or clause.reference == Reference():
            continue
        for m, other in enumerate(found[n + 1 :], n + 1):
            if other.reference == Reference() or any(span.role is Role.VERB for span in other.spans):
                break
            if not other.acts and not other.has_value:
                continue
            whole = read_clause((verbs[0], *other.spans), verb_first=verb_first)
            if whole is not None and whole.acts:
                found[n : m + 1] = [
                    replace(each, acts=whole.acts, quantity=whole.quantity, value=whole.value)
                    for each in found[n : m + 1]
                ]
            break
    return found


def _completed(clauses: Sequence[Clause]) -> tuple[Clause, ...] | None:
    """Acts from the clause before, else from the next one that has one; targets from the one before."""
    found = list(clauses)
    inherited = [False] * len(found)
    for n, clause in enumerate(found):
        if clause.acts and clause.acts != (Act.SET,):
            continue
        giver = next((c for c in reversed(found[:n]) if c.acts), None)
        if giver is None:
            giver = next((c for c in clauses[n + 1 :] if c.acts), None)
        if clause.acts == (Act.SET,) and (giver is None or clause.reference != Reference()):
            if giver is not None and giver.quantity is not None and clause.quantity is None:
                found[n] = replace(clause, quantity=giver.quantity)
            continue
        if n and giver is not None and giver.acts != (Act.SET,) and _is_bare_number(clause):
            return None  # "turn on the lamp and four"
        if clause.acts == (Act.SET,) and not (n and clause.reference == Reference() and _has_amount(found[n - 1])):
            continue
        if n and clause.reference == Reference() and _has_amount(clause) and _has_amount(found[n - 1]):
            return None  # "one hundred and five" is one number, which is not known
        if any(span.role is Role.VERB for span in clause.spans):
            return None  # a verb that says nothing by itself takes no act from another one
        if giver is None or (clause.has_value and giver.has_value and giver.acts != (Act.SET,)):
            return None
        inherited[n] = True
        value = clause.value if clause.has_value else giver.value
        found[n] = replace(clause, acts=giver.acts, quantity=clause.quantity or giver.quantity, value=value)
    _share_nouns(found, inherited)
    _share_place(found)
    if not _share_targets(found):
        return None
    return _merged(found)


def _share_targets(found: list[Clause]) -> bool:
    """Give a clause without a target the one before; False where "it" may be one of several."""
    for n, clause in enumerate(found[1:], 1):
        if clause.reference != Reference() and not _is_pronoun(clause.reference):
            continue
        if _is_pronoun(clause.reference) and n > 1 and found[n - 2].acts == found[n - 1].acts:
            return False  # "turn on the lamp and the fan and dim it"
        found[n] = replace(clause, reference=found[n - 1].reference)
    return True


def _is_pronoun(reference: Reference) -> bool:
    """Whether a reference is nothing but "it" or "them"."""
    return reference == Reference(pronoun=True)


def _is_bare_number(clause: Clause) -> bool:
    """Whether nothing but a number is said: neither a unit nor what it is a value of, nor what is set."""
    value = clause.value
    plain = value.unit is None and value.colour is None and value.kelvin is None and not value.relative
    return value.amount is not None and plain and clause.quantity is None and clause.reference == Reference()


def _has_amount(clause: Clause) -> bool:
    return clause.value.amount is not None


def _share_nouns(found: list[Clause], inherited: Sequence[bool]) -> None:
    """`the kitchen and hall lights`: what is only a place is that place's thing of the neighbour's kind."""
    for n, clause in enumerate(found):
        items = clause.reference.items
        if not items or any(i.kind not in ("area", "floor") for i in items):
            continue
        neighbours = ([n - 1] if inherited[n] and n else []) + (
            [n + 1] if n + 1 < len(found) and inherited[n + 1] else []
        )
        for other in neighbours:
            nouns = tuple(i for i in found[other].reference.items if i.noun is not None)
            if nouns:
                reference = replace(clause.reference, items=(*items, *nouns), all=found[other].reference.all)
                found[n] = replace(clause, reference=reference)
                break
            if found[other].reference.everything:
                found[n] = replace(clause, reference=replace(clause.reference, everything=True))
                break


def _share_place(found: list[Clause]) -> None:
    """`the fan and the heater in the office`: the place behind the last of several things is the place of all.

    `both the lamp and the fan` counts these two, and no pair of lamps.
    """
    for n in reversed(range(len(found) - 1)):
        clause, following = found[n], found[n + 1]
        if clause.acts != following.acts or any(span.role is Role.VERB for span in following.spans):
            continue
        reference = replace(clause.reference, both=False)
        behind = tuple(i for i in following.reference.items if i.kind in ("area", "floor"))
        if all(i.noun is not None for i in reference.items) and reference.items and reference.scope is Scope.OPEN:
            reference = replace(reference, items=(*reference.items, *behind), scope=following.reference.scope)
        found[n] = replace(clause, reference=reference)


def _merged(found: Sequence[Clause]) -> tuple[Clause, ...]:
    """A colour and a brightness of the same thing are one command."""
    merged: list[Clause] = []
    for clause in found:
        last = merged[-1] if merged else None
        if (
            last is not None
            and clause.acts == last.acts == (Act.SET,)
            and clause.reference == last.reference
            and (last.value.colour or last.value.kelvin)
            and clause.value.amount is not None
            and last.value.amount is None
        ):
            merged[-1] = replace(last, value=_both(last.value, clause.value))
            continue
        merged.append(clause)
    return tuple(merged)


def _both(one: Value, other: Value) -> Value:
    return replace(one, amount=other.amount, unit=other.unit)


def is_placed(reference: Reference) -> bool:
    """Whether the words say where."""
    return reference.scope is Scope.HERE or any(i.kind in ("area", "floor") for i in reference.items)
