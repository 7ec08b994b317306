"""Answers to a question of ours: yes, no, or which one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..home.entity import Entity
from ..language.lexicon import Role
from ..language.replies import say
from ..language.tokens import key_of
from ..meaning.acts import Act as Deed
from ..meaning.calls import Change, work_of
from ..meaning.command import Command, Reference
from ..meaning.plan import NotPlanned, Planned
from ..meaning.reference import Found
from ..turn.history import Turn
from ..turn.outcome import Act, Answer, Ask, Reason
from ..wording.respond import labels, listed
from .before import MOST_WORDS, Before
from .composed import composer, conclude_composed
from .composition.compose import Composed, Composer
from .composition.spans import Span
from .interpret import Interpreter
from .interpretation import Interpretation


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
        Role.COUNT,
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
