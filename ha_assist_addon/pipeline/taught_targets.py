"""A taught sentence that acts on several targets: read and certified for each alone, and done only if all can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..home.entity import Entity
from ..home.request_home import RequestHome
from ..language.grammar import GrammarLibrary
from ..meaning.calls import Change
from ..meaning.plan import Planned
from ..reading.composed import read_before_changes
from ..reading.understand import Understanding, understand
from ..settings.model import Assist
from ..taught.lessons import Lessons
from ..trace.trace import Trace
from ..turn.history import Turn
from ..turn.outcome import Act, Ask, Generate, Reason


async def understand_on_all(
    turn: Turn,
    house: RequestHome,
    grammars: GrammarLibrary,
    settings: Assist,
    trace: Trace,
    lessons: Lessons,
) -> Understanding:
    """What the sentence asks for; of several taught targets the first that cannot be had decides for all."""
    lesson = lessons.find(turn.sentence)
    if lesson is None or lesson.targets is None:
        return await understand(turn, house, grammars, settings, trace, lessons)
    found: list[Understanding] = []
    for alone in lesson.on_each():
        told = Trace("") if found else trace
        one = await understand(turn, house, grammars, settings, told, lessons.with_entry(alone))
        if isinstance(one.outcome, Ask) and one.outcome.reason is Reason.CONFIRM:
            why = "What is asked about first can be taught for one target only."
            return Understanding(Generate(Reason.NOT_CARRIED, why), one.language)
        if not isinstance(one.outcome, Act) or one.outcome.reason is not Reason.TAUGHT:
            return one
        found.append(one)
    return _together(found, house, trace)


def _together(found: Sequence[Understanding], house: RequestHome, trace: Trace) -> Understanding:
    """One turn that does it all; what two targets hold in common is done once."""
    language = found[0].language
    planned = _once(p for one in found for p in one.planned)
    changes = tuple({id(c.entity): c for one in found for c in one.changes}.values())
    calls = tuple(p.call for p in planned)
    if changes:
        read = read_before_changes(changes, house.toolbox)
        if read is None:
            why = "The states that change cannot be read here."
            return Understanding(Generate(Reason.TOOL_NOT_OFFERED, why), language)
        calls = (read,)
    reached = _reached(planned, changes)
    trace.note("ha_plan", area=None, name=", ".join(e.name for e in reached), targets=[e.name for e in reached])
    outcome = Act(calls, Reason.TAUGHT, "This is what was taught for exactly this sentence.")
    return Understanding(outcome, language, planned, changes)


def _once(planned: Iterable[Planned]) -> tuple[Planned, ...]:
    kept: list[Planned] = []
    covered: set[int] = set()
    for one in planned:
        reached = {id(entity) for entity in one.targets}
        if not reached or not reached <= covered:
            kept.append(one)
        covered |= reached
    return tuple(kept)


def _reached(planned: Sequence[Planned], changes: Sequence[Change]) -> list[Entity]:
    entities = [e for p in planned for e in p.targets] + [c.entity for c in changes]
    return list({id(e): e for e in entities}.values())
