"""A sentence of which a person taught what it means: one action on one device, or on all of a kind in one area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.request_home import RequestHome
from ..language.replies import say
from ..meaning.acts import Quantity
from ..meaning.calls import Work, work_of
from ..meaning.command import Command, Item, Reference, Value
from ..meaning.plan import NotPlanned
from ..meaning.reference import Found
from ..recognition.recognise import Candidate
from ..taught.deeds import OF_AREAS, choice_of
from ..taught.lessons import Lessons
from ..taught.model import Deed, Target, TaughtSentence
from ..turn.outcome import Act, Generate, Reason
from .composed import read_before_changes
from .interpret import Interpreter
from .interpretation import Interpretation


@dataclass(frozen=True, slots=True)
class TaughtWork:
    """What a deed comes to in one home."""

    command: Command
    work: Work


def interpret_taught(sentence: str, interpreter: Interpreter, lessons: Lessons) -> Interpretation | None:
    """What was taught for exactly this sentence; where it cannot be done here, no other reading takes its place."""
    lesson = lessons.find(sentence)
    if lesson is None:
        return None
    language = lesson.language or interpreter.grammar.language
    if lesson.target is None or lesson.does is None:
        why = "It was taught that this sentence is left to the language model."
        return Interpretation(Generate(Reason.TAUGHT_MODEL, why), "taught", language, taught=True)
    made = work_of_taught(lesson.does, lesson.target, interpreter.house, language, sentence)
    if isinstance(made, NotPlanned):
        fallback = _unknown(lesson, language) if made.reason is Reason.UNKNOWN_NAME else None
        return Interpretation(
            Generate(made.reason, f"What was taught cannot be done here: {made.why}", fallback=fallback),
            "taught",
            language,
            taught=True,
        )
    planned, changes = made.work.planned, made.work.changes
    calls = tuple(p.call for p in planned)
    if changes:
        read = read_before_changes(changes, interpreter.house.toolbox)
        if read is None:
            outcome = Generate(Reason.TOOL_NOT_OFFERED, "The states that change cannot be read here.")
            return Interpretation(outcome, "taught", language, taught=True)
        calls = (read,)
    return Interpretation(
        Act(calls, Reason.TAUGHT, "This is what was taught for exactly this sentence."),
        "taught",
        language,
        planned,
        tuple(p.candidate for p in planned),
        commands=(made.command,),
        changes=changes,
        taught=True,
    )


def work_of_taught(
    deed: Deed, target: Target, house: RequestHome, language: str, sentence: str
) -> TaughtWork | NotPlanned:
    """The calls of a deed on its target, or why they cannot be made in this home."""
    entities = _meant(target, house.home)
    bearers = frozenset(n for n, e in enumerate(house.home.entities) if any(e is one for one in entities))
    reference = Reference((Item("kind", "", (), bearers, plural=len(entities) > 1),), all=len(entities) > 1)
    command = Command((deed.act,), reference, deed.quantity, _value(deed), sentence)
    if not entities:
        return _not_planned(command, language, Reason.UNKNOWN_NAME, f"{target.name or target.area!r} is not offered.")
    if target.name is not None and len(entities) > 1:
        return _not_planned(
            command, language, Reason.DUPLICATE_NAME, f"{len(entities)} devices are called {target.name!r}.", entities
        )
    if choice_of(deed, target.domain) is None or (target.name is None and target.domain not in OF_AREAS):
        return _not_planned(command, language, Reason.NOT_CARRIED, f"No action on {target.domain} is like this.")
    area = house.home.area_by_name.get(fold(target.area)) if target.name is None and target.area else None
    found = Found(tuple(entities), area=area.name if area else None, by_name=target.name is not None)
    work = work_of(command, found, house.home, house.toolbox, language)
    if isinstance(work, NotPlanned):
        return work
    if not work.planned and not work.changes:
        return _not_planned(command, language, Reason.NOT_CARRIED, f"No action on {target.domain} is like this.")
    return TaughtWork(command, work)


def _meant(target: Target, home: Home) -> Sequence[Entity]:
    """The device as it was chosen, by its own name; or all of the kind in the area."""
    if target.name is None:
        return [e for e in home.in_area(target.area or "") if e.domain == target.domain]
    named = [e for e in home.by_name.get(fold(target.name), ()) if e.domain == target.domain]
    placed = [e for e in named if fold(e.area or "") == fold(target.area or "")]
    return placed or (named if target.area is None else ())


def _value(deed: Deed) -> Value:
    if deed.colour is not None:
        return Value(amount=deed.amount, colour=deed.colour)
    unit = "degree" if deed.quantity is Quantity.TEMPERATURE else "percent"
    return Value() if deed.amount is None else Value(deed.amount, unit)


def _unknown(lesson: TaughtSentence, language: str) -> str | None:
    name = (lesson.target.name or lesson.target.area) if lesson.target is not None else None
    return say("unknown_name", language, name=name, candidates="")


def _not_planned(
    command: Command, language: str, reason: Reason, why: str, entities: Sequence[Entity] = ()
) -> NotPlanned:
    nothing = Candidate("", language, {}, {}, None, "default", "", (), command.text)
    return NotPlanned(nothing, reason, why, tuple(entities))
