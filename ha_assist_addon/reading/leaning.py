"""A sentence that leaves to the one before what it does not say: "and the kitchen", "a bit more", "turn both off"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..home.entity import Entity
from ..language.lexicon import Role
from ..language.replies import say
from ..language.tokens import key_of, tokens_of
from ..meaning.acts import Act as Deed
from ..meaning.acts import Quantity
from ..meaning.command import Command, Item, Reference, Scope
from ..meaning.reference import Missing, Several
from ..turn.history import Turn
from ..turn.outcome import Generate, Reason
from .before import MOST_WORDS, Before
from .composed import composer, conclude_composed
from .composition.clause import Clause, read_clause
from .composition.compose import Composed, Composer, Open
from .composition.spans import Span
from .interpret import Interpreter
from .interpretation import Interpretation

_UNLIKELIER = 0.7
"""Ways to read a sentence that cost so much more than the cheapest are not leant on another sentence."""
_NEAREST: dict[Deed, Deed] = {Deed.CLOSE: Deed.LOCK, Deed.LOCK: Deed.CLOSE}
"""What may be meant instead of an act that a target does not have; never one that opens."""

Back = Callable[[Before], Before | None]
"""Finds the turn before a turn."""


def interpret_leaning(turn: Turn, before: Before, back: Back, interpreter: Interpreter) -> Interpretation | None:
    """A sentence that leaves to the one before what it does not say: the act stays what it was."""
    made = composer(interpreter)
    last = before.meaning.commands
    if made is None or not last or not before.meaning.certain:
        return None
    parsed = made.speller.parse(turn.sentence)
    if not 0 < len(parsed.tokens) <= MOST_WORDS:
        return None
    explained = [way for way in parsed.ways if not any(s.is_unknown for s in way)]
    least = sum(s.cost for s in explained[0]) if explained else 0.0
    directed = any(s.role is Role.DIRECTION for way in explained for s in way)
    for way in explained:
        if sum(s.cost for s in way) > least + _UNLIKELIER:
            break
        clause = read_clause(way, verb_first=made.lexicon.verb_first)
        if clause is None or clause.says_nothing or not _leans(clause, way):
            continue
        if clause.again and directed and not clause.acts:
            continue  # "on again" repeats nothing
        both = _is_both(clause)
        targets = _both(before, back) if both else before.targets
        command = _leaning_command(clause, before, targets, made, turn.sentence)
        if command is None:
            continue
        found = carry_out(command, before, made, way)
        if both and (found is None or _reached(found) < len(targets)):
            return None  # of two things one alone is not dimmed
        another = found is not None and clause.reference.names_no_thing and _is_called_otherwise(found, before, made)
        return replace(found, ask_first=True) if found is not None and another else found
    return None


def _reached(found: Interpretation) -> int:
    """How many things a reading acts on."""
    return len({id(e) for p in found.planned for e in p.targets} | {id(c.entity) for c in found.changes})


def _is_called_otherwise(found: Interpretation, before: Before, made: Composer) -> bool:
    """Whether covers of a room are reached that are not called as the one before: its "shutter", here a "blind"."""
    last = {e.name for p in before.meaning.planned for e in p.targets if e.domain == "cover"}
    here = {e.name for p in found.planned for e in p.targets if e.domain == "cover"}
    called = {noun for name in last for noun in _nouns(name, made)}
    return bool(called) and any(nouns and not nouns & called for nouns in (_nouns(name, made) for name in here))


def _nouns(name: str, made: Composer) -> set[tuple[str, ...]]:
    """The words in a name that say what kind of thing it is."""
    tokens = tokens_of(name)
    found = made.lexicon.phrases_in(tokens)
    return {tuple(t.folded for t in tokens[at:end]) for at, end, m in found if m.role is Role.NOUN}


def _leans(clause: Clause, way: Sequence[Span]) -> bool:
    """Whether something is left out that the sentence before says."""
    if clause.again and not clause.acts:
        return True
    if _is_both(clause):
        return True
    if clause.reference.pronoun:
        return bool(clause.acts or clause.has_value)
    if not clause.acts and any(s.role is Role.VERB for s in way):
        return False
    if clause.acts:
        told = clause.has_value or any(s.role is Role.COMPARATIVE for s in way) or _only_tells_act(way)
        return clause.reference == Reference() and told
    return clause.reference != Reference() or clause.has_value


def _only_tells_act(way: Sequence[Span]) -> bool:
    """Whether a whole verb or a direction is all that is said: "up again", but not "turn on", which may go on."""
    verbs = [s.meaning for s in way if s.role is Role.VERB and s.meaning is not None]
    directions = [s for s in way if s.role is Role.DIRECTION]
    whole = all(v.acts for v in verbs) and not (verbs and directions)
    return whole and all(s.role in _ACT_ALONE for s in way)


_ACT_ALONE = frozenset({Role.VERB, Role.DIRECTION, Role.AGAIN, Role.COURTESY, Role.FILLER, Role.JOINT})


def _is_both(clause: Clause) -> bool:
    """Whether something is to be done to "both", and nothing else says to what."""
    return bool(clause.acts) and replace(clause.reference, pronoun=False) == Reference(both=True)


def _both(before: Before, back: Back) -> tuple[Entity, ...]:
    """The two things of the turn before, or of the last two turns; nothing where they are more or less."""
    targets = before.targets
    if len(targets) == 1 and (earlier := back(before)) is not None:
        targets = tuple({id(e): e for e in (*earlier.targets, *targets)}.values())
    return targets if len(targets) == 2 else ()


def _leaning_command(
    clause: Clause, before: Before, targets: Sequence[Entity], made: Composer, sentence: str
) -> Command | None:
    last = before.meaning.commands[-1]
    reference = clause.reference
    if reference.pronoun and not reference.both and len({c.acts for c in before.meaning.commands}) > 1:
        return None
    if not targets or reference.exceptions:
        return None
    if _is_both(clause):
        reference = the_same(targets, made)
    elif reference.pronoun or reference == Reference():
        if reference.items or reference.scope is not Scope.OPEN:
            return None
        reference = the_same(targets, made)
    elif reference.names_no_thing and not clause.acts:
        nouns = tuple(i for c in before.meaning.commands for i in c.reference.items if i.noun is not None)
        kinds = nouns or (_of_domains({e.domain for e in targets}, made),)
        reference = replace(reference, items=(*reference.items, *kinds))
    if key_of(sentence) in made.lexicon.more and (further := _further(last)) is not None:
        acts, quantity = further
        return Command(acts, reference, quantity, clause.value, sentence)
    if clause.acts:
        return Command(clause.acts, reference, clause.quantity, clause.value, sentence)
    value = clause.value if clause.has_value else last.value
    if clause.has_value and not last.value.is_set and Deed.SET not in last.acts and value.is_set:
        return Command((Deed.SET,), reference, clause.quantity or last.quantity, value, sentence)
    return Command(last.acts, reference, clause.quantity or last.quantity, value, sentence)


_GOES_ON = {Deed.OPEN: Deed.UP, Deed.CLOSE: Deed.DOWN, Deed.UP: Deed.UP, Deed.DOWN: Deed.DOWN}


def _further(last: Command) -> tuple[tuple[Deed, ...], Quantity | None] | None:
    """What "a bit more" goes on with: the direction of the command before, where it had one."""
    act = last.acts[0]
    if act not in _GOES_ON:
        return None
    return (_GOES_ON[act],), Quantity.POSITION if act in (Deed.OPEN, Deed.CLOSE) else last.quantity


def the_same(targets: Sequence[Entity], made: Composer) -> Reference:
    """A reference to exactly these entities."""
    wanted = set(map(id, targets))
    bearers = frozenset(n for n, e in enumerate(made.house.home.entities) if id(e) in wanted)
    return Reference(
        (Item("area" if len(targets) > 1 else "name", "", (), bearers, plural=len(targets) > 1),), all=len(targets) > 1
    )


def _of_domains(domains: set[str], made: Composer) -> Item:
    bearers = frozenset(n for n, e in enumerate(made.house.home.entities) if e.domain in domains)
    return Item("kind", "", (), bearers, plural=True)


def carry_out(command: Command, before: Before, made: Composer, way: Sequence[Span]) -> Interpretation | None:
    """What a command comes to that takes something from the sentence before."""
    resolved = made.carry_out(command)
    if isinstance(resolved, tuple):
        found, work = resolved
        composed = Composed((command,), (found,), work.planned, work.changes, tuple(way))
        return replace(conclude_composed(composed, made), stage="carried_over", before=before.sentence)
    nearest = tuple(_NEAREST[a] for a in command.acts if a in _NEAREST)
    if nearest and isinstance(resolved, Missing):
        instead = replace(command, acts=nearest)
        other = made.carry_out(instead)
        if isinstance(other, tuple):
            composed = Composed((instead,), (other[0],), other[1].planned, other[1].changes, tuple(way))
            return replace(
                conclude_composed(composed, made), stage="carried_over", before=before.sentence, ask_first=True
            )
    if isinstance(resolved, Several):
        opened = Open((command,), 0, resolved, tuple(way))
        return conclude_composed(opened, made)
    language = made.lexicon.language
    names = " ".join(dict.fromkeys(i.text for i in command.reference.items if i.text))
    text = say("unknown_name", language, name=names, candidates="") if names else None
    outcome = Generate(Reason.UNKNOWN_NAME, "What was done before cannot be done to this.", fallback=text)
    return Interpretation(outcome, "carried_over", language)
