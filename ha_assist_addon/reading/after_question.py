"""A command about what a question was about: "is the telly on?", "turn it off"."""

from __future__ import annotations

from ..home.catalogue import Home
from ..home.entity import Entity
from ..home.match import Targets, find_targets
from ..meaning.acts import Act
from ..meaning.command import Command, Scope
from ..meaning.plan import PLACE_SLOTS
from ..recognition.recognise import Candidate
from ..turn.history import Turn
from .before import MOST_WORDS, Before
from .composed import composer
from .composition.clause import Clause, read_clause
from .interpret import Interpreter
from .interpretation import Interpretation
from .leaning import carry_out, the_same

_ASKED_OF = {
    "HassGetState": frozenset[str](),
    "HaAssistState": frozenset[str](),
    "HaAssistPlaying": frozenset({"media_player"}),
    "HassClimateGetTemperature": frozenset({"climate"}),
}
"""Questions about devices, and the domains that a command after them can be about; empty for those asked about."""
_OF_SEVERAL = frozenset({Act.OFF, Act.CLOSE, Act.LOCK})
"""Acts that change only those of several things that were asked about: what is off already stays off."""


def interpret_after_question(turn: Turn, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """A sentence whose "it" or "them" is what the question before was about; None where that is not one kind."""
    made = composer(interpreter)
    asked = _asked_about(before, interpreter.house.home)
    if made is None or not asked:
        return None
    parsed = made.speller.parse(turn.sentence)
    if not 0 < len(parsed.tokens) <= MOST_WORDS:
        return None
    for way in parsed.ways:
        if any(span.is_unknown for span in way):
            continue
        clause = read_clause(way, verb_first=made.lexicon.verb_first)
        if clause is None or not _points_back(clause):
            continue
        if len(asked) > 1 and not set(clause.acts) <= _OF_SEVERAL:
            return None
        command = Command(clause.acts, the_same(asked, made), clause.quantity, clause.value, turn.sentence)
        return carry_out(command, before, made, way)
    return None


def _points_back(clause: Clause) -> bool:
    """Whether it says what to do, and of its target only "it"."""
    reference = clause.reference
    named = reference.items or reference.exceptions or reference.everything or reference.scope is not Scope.OPEN
    return bool(clause.acts) and reference.pronoun and not named


def _asked_about(before: Before, home: Home) -> tuple[Entity, ...]:
    """What a question was about, where all of it is of one domain."""
    first = next(iter(before.meaning.candidates), None)
    if first is None or first.intent not in _ASKED_OF:
        return ()
    planned = before.meaning.planned
    found = planned[0].targets if planned and planned[0].targets else _found(first, home)
    wanted = _ASKED_OF[first.intent]
    entities = tuple(e for e in found if not wanted or e.domain in wanted)
    return entities if len({e.domain for e in entities}) == 1 else ()


def _found(asked: Candidate, home: Home) -> tuple[Entity, ...]:
    if "device_class" in asked.slots:
        return ()  # what is of a class, Home Assistant knows
    slots = {k: v for k, v in asked.slots.items() if k in PLACE_SLOTS or k == "domain"}
    kind = asked.slots.get("kind")
    if kind is not None and "domain" not in slots and "name" not in slots:
        slots["domain"] = kind
    found = find_targets(home, slots) if slots else None
    return found.entities if isinstance(found, Targets) else ()
