"""What the turn before was about, and sentences that answer it or lean on it.

A question of ours, and the commands that were carried out, are understood again from the sentences that led to them:
the conversation itself is the only memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..conversation import Role as Speaker
from ..home.catalogue import Home
from ..home.entity import Entity
from ..language.lexicon import Role, key_of, tokens_of
from ..language.replies import say
from ..meaning.acts import Act as Deed
from ..meaning.calls import Change, work_of
from ..meaning.command import Command, Item, Reference, Scope
from ..meaning.from_calls import commands_of
from ..meaning.plan import NotPlanned, Planned
from ..meaning.reference import Found, Missing, Several
from ..turn.history import Turn
from ..turn.outcome import Act, Answer, Ask, Generate, Reason
from ..wording.respond import labels, listed
from .composed import composer, conclude_composed
from .composition.clause import Clause, read_clause
from .composition.compose import Composed, Composer, Open
from .composition.spans import Span
from .interpret import Interpreter
from .interpretation import Interpretation

MOST_WORDS = 12
"""A longer sentence neither answers "which one?" nor leans on the one before."""
_DEEPEST = 4
"""So many turns are looked back."""
_UNLIKELIER = 0.7
"""Ways to read a sentence that cost so much more than the cheapest are not leant on another sentence."""
_NEAREST: dict[Deed, Deed] = {Deed.CLOSE: Deed.LOCK, Deed.LOCK: Deed.CLOSE}
"""What may be meant instead of an act that a target does not have; never one that opens."""

Understand = Callable[[Turn], Interpretation]


@dataclass(frozen=True, slots=True)
class Before:
    """The turn before: its sentence, what that meant, and the question of ours that ended it."""

    sentence: str
    meaning: Interpretation
    question: str | None = None


def read_before(turn: Turn, home: Home, understand: Understand, depth: int = 0) -> Before | None:
    """Understand the sentence before this one again; None where there is none that meant something."""
    if depth >= _DEEPEST or not turn.earlier_sentences:
        return None
    sentence = turn.earlier_sentences[-1]
    messages = turn.before
    at = max(i for i, m in enumerate(messages) if m.role is Speaker.USER and m.text.strip())
    meaning = understand(replace(turn, sentence=sentence, rounds=(), before=messages[:at]))
    if not meaning.commands and meaning.certain:
        meaning = replace(meaning, commands=commands_of(meaning.planned, home))
    last = messages[-1]
    asked = last.role is Speaker.ASSISTANT and not last.tool_calls and last.text.rstrip().endswith("?")
    return Before(sentence, meaning, last.text.strip() if asked else None)


def interpret_answer(turn: Turn, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """The answer to a question of ours: yes, no, or which one; None where it is something else."""
    made = composer(interpreter)
    if made is None or before.question is None:
        return None
    language, key, meaning = interpreter.grammar.language, key_of(turn.sentence), before.meaning
    waits = meaning.held is not None or meaning.asked or isinstance(meaning.outcome, Ask)
    if waits and (key in made.lexicon.no or key in made.lexicon.never_mind):
        answer = Answer(say("okay", language), Reason.FOLLOW_UP, "The person said no to what was asked.")
        return Interpretation(answer, "follow_up", language)
    if meaning.held is not None and _asks(before, meaning):
        return _confirmed(meaning, meaning.held) if made.lexicon.agrees(turn.sentence) else None
    if meaning.changes and made.lexicon.agrees(turn.sentence):
        return _after_all(before, made)
    return _choice(turn.sentence, before, made) if meaning.asked else None


_AFTER_ALL = {"confirm_open": Deed.OPEN, "confirm_unlock": Deed.UNLOCK, "change_off": Deed.ON}
"""Questions that a change ends in once the states are known, and what a yes to them does."""


def _after_all(before: Before, made: Composer) -> Interpretation | None:
    """What a change that could not be made as it was said was asked about."""
    language, entities = made.lexicon.language, [c.entity for c in before.meaning.changes]
    for key, act in _AFTER_ALL.items():
        names = [n for n in labels(entities, language) if n in (before.question or "")]
        asked = say(key, language, names=listed(names, language, "and"), many=len(names) > 1)
        if before.question is None or not names or not before.question.endswith(asked):
            continue
        meant = tuple(
            c.entity for c, n in zip(before.meaning.changes, labels(entities, language), strict=False) if n in names
        )
        command = Command((act,), Reference(), text=before.sentence)
        work = work_of(command, Found(meant, by_name=True), made.house.home, made.house.toolbox, language)
        if isinstance(work, NotPlanned) or not work.planned:
            return None
        composed = Composed((command,), (Found(meant, by_name=True),), work.planned, (), ())
        return replace(conclude_composed(composed, made), stage="confirmed", before=before.sentence)
    return None


def _confirmed(meaning: Interpretation, held: Act) -> Interpretation:
    """What was asked about, after a yes."""
    return replace(
        meaning,
        outcome=replace(held, why="The person said yes to this."),
        planned=meaning.proposed,
        candidates=tuple(p.candidate for p in meaning.proposed),
        stage="confirmed",
        ask_first=False,
    )


def _asks(before: Before, meaning: Interpretation) -> bool:
    text = meaning.outcome.text if isinstance(meaning.outcome, Ask) else getattr(meaning.outcome, "fallback", None)
    return bool(text) and before.question is not None and before.question.endswith(str(text))


def _choice(sentence: str, before: Before, made: Composer) -> Interpretation | None:
    """Those of the asked entities that the answer points at, in the place of what was open."""
    asked = before.meaning.asked
    parsed = made.speller.parse(sentence)
    if not 0 < len(parsed.tokens) <= MOST_WORDS:
        return None
    for way in parsed.ways:
        if any(s.is_unknown or (s.role in _COMMANDING and not s.items) for s in way):
            continue
        chosen = _pointed_at(way, asked, made)
        if chosen:
            return _as_chosen(chosen, before, made)
    return None


_COMMANDING = frozenset(
    {
        Role.VERB,
        Role.DIRECTION,
        Role.COMPARATIVE,
        Role.NUMBER,
        Role.UNIT,
        Role.COLOUR,
        Role.LEVEL,
        Role.FACTOR,
        Role.EXCEPT,
    }
)


def _pointed_at(way: Sequence[Span], asked: Sequence[Entity], made: Composer) -> tuple[Entity, ...]:
    roles = {s.role for s in way}
    items = [item for span in way for item in span.items]
    numbers = {id(e): n for n, e in enumerate(made.house.home.entities)}
    left = list(asked)
    for item in items:
        inside = [e for e in left if item.area is not None and e.area in item.area.names]
        left = inside or [e for e in left if numbers.get(id(e)) in item.bearers]
    ordinal = next((int(s.meaning.value) for s in way if s.role is Role.ORDINAL and s.meaning is not None), None)
    if ordinal is not None:
        at = ordinal - 1 if ordinal > 0 else len(left) + ordinal
        return (left[at],) if 0 <= at < len(left) else ()
    if Role.BOTH in roles:
        return tuple(left) if len(left) == 2 else ()
    if roles & {Role.ALL, Role.EVERYTHING} or Role.EVERYWHERE in roles:
        return tuple(left)
    if not items:
        return ()
    if len(left) == 1 or any(i.area is not None or i.plural for i in items):
        return tuple(left)
    said = frozenset(w for i in items for w in i.words)
    names = {id(e): made.speller.words.says_name(numbers[id(e)], said) for e in left}
    most = max(names.values(), default=0)
    best = [e for e in left if names[id(e)] == most]
    return tuple(best) if most and len(best) == 1 else ()


def _as_chosen(chosen: tuple[Entity, ...], before: Before, made: Composer) -> Interpretation | None:
    meaning = before.meaning
    if not meaning.commands:
        return None
    done: list[Found] = []
    planned: list[Planned] = []
    changes: list[Change] = []
    for at, command in enumerate(meaning.commands):
        found = Found(chosen, by_name=len(chosen) == 1) if at == meaning.open_at else None
        if found is None:
            resolved = made.carry_out(command)
            if not isinstance(resolved, tuple):
                return None
            found = resolved[0]
        work = work_of(command, found, made.house.home, made.house.toolbox, made.lexicon.language)
        if isinstance(work, NotPlanned):
            return None
        done.append(found)
        planned += work.planned
        changes += work.changes
    if not planned and not changes:
        return None
    composed = Composed(meaning.commands, tuple(done), tuple(planned), tuple(changes), ())
    return replace(conclude_composed(composed, made), stage="follow_up", before=before.sentence, answers=True)


def interpret_leaning(turn: Turn, before: Before, interpreter: Interpreter) -> Interpretation | None:
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
        command = _leaning_command(clause, before, made, turn.sentence)
        if command is None:
            continue
        found = carry_out(command, before, made, way)
        another = found is not None and clause.reference.names_no_thing and _is_called_otherwise(found, before, made)
        return replace(found, ask_first=True) if found is not None and another else found
    return None


def _is_called_otherwise(found: Interpretation, before: Before, made: Composer) -> bool:
    """Whether covers of a room are reached that are not called as the one before: its "shutter", here a "blind"."""
    last = {e.name for p in before.meaning.planned for e in p.targets if e.domain == "cover"}
    here = {e.name for p in found.planned for e in p.targets if e.domain == "cover"}
    called = {noun for name in last for noun in _nouns(name, made)}
    return bool(called) and any(nouns and not nouns & called for nouns in (_nouns(name, made) for name in here))


def _nouns(name: str, made: Composer) -> set[tuple[str, ...]]:
    """The words in a name that say what kind of thing it is."""
    tokens = tokens_of(name)
    found = ((at, end, m) for at in range(len(tokens)) for end, ms in made.lexicon.starting(tokens, at) for m in ms)
    return {tuple(t.folded for t in tokens[at:end]) for at, end, m in found if m.role is Role.NOUN}


def _leans(clause: Clause, way: Sequence[Span]) -> bool:
    """Whether something is left out that the sentence before says."""
    if clause.again and not clause.acts:
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


def _leaning_command(clause: Clause, before: Before, made: Composer, sentence: str) -> Command | None:
    last = before.meaning.commands[-1]
    if clause.reference.pronoun and len({c.acts for c in before.meaning.commands}) > 1:
        return None
    targets = tuple({id(e): e for p in before.meaning.planned for e in p.targets}.values())
    targets = targets or tuple(c.entity for c in before.meaning.changes)
    reference = clause.reference
    if not targets or reference.exceptions:
        return None
    if reference.pronoun or reference == Reference():
        if reference.items or reference.scope is not Scope.OPEN:
            return None
        reference = the_same(targets, made)
    elif reference.names_no_thing and not clause.acts:
        nouns = tuple(i for c in before.meaning.commands for i in c.reference.items if i.noun is not None)
        kinds = nouns or (_of_domains({e.domain for e in targets}, made),)
        reference = replace(reference, items=(*reference.items, *kinds))
    if clause.acts:
        return Command(clause.acts, reference, clause.quantity, clause.value, sentence)
    value = clause.value if clause.has_value else last.value
    if clause.has_value and not last.value.is_set and Deed.SET not in last.acts and value.is_set:
        return Command((Deed.SET,), reference, clause.quantity or last.quantity, value, sentence)
    return Command(last.acts, reference, clause.quantity or last.quantity, value, sentence)


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
