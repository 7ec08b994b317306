"""Questions about states in any wording: what their words come to is a read, and the answers of answering/ to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..answering.answer import answer_state
from ..answering.measure import MEASURES, SET_QUANTITIES, SETTING
from ..answering.quality import UNAVAILABLE, domains_with
from ..answering.query import plan_query, states_known
from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.intents import QUERY_INTENTS
from ..language.conjunctions import joints
from ..language.question_words import Asks, question_lexicon
from ..language.replies import say
from ..meaning.command import Scope
from ..meaning.kinds import KINDS
from ..meaning.plan import NotPlanned
from ..meaning.reference import SWITCHED_BY_ALL, Missing, Resolver
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, Answer, Reason
from .composition.question import Question, read_question
from .composition.spans import Speller, speller_of
from .interpret import Interpreter
from .interpretation import Interpretation

_CLOSE = 0.35
"""Readings that cost so little more than the best one are as likely."""
_DEVICES = frozenset(d for kind in KINDS.values() for d in kind.domains) - {"todo", "scene", "script", "button"} | {
    "water_heater", "alarm_control_panel", "camera",
}  # fmt: skip
"""What a question about a state means before it means a sensor."""
_NEVER_AWAY = frozenset({"todo", "calendar", "scene", "script", "zone", "sun"})
_SWITCHED = frozenset({"on", "off", "running"})


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with the entities that it is about."""

    question: Question
    entities: tuple[Entity, ...]

    @property
    def meant(self) -> tuple[object, ...]:
        """What it asks, to compare readings."""
        asked = self.question
        return (asked.asks, asked.qualities, asked.measure, tuple((e.names, e.domain, e.areas) for e in self.entities))


def interpret_question(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as a question about states, or None where its words do not make one."""
    words = question_lexicon(interpreter.grammar.language)
    if words is None:
        return None
    home = interpreter.house.home
    asked = _asked(text, speller_of(home, words))
    if asked is None:
        return None
    if not asked.entities and asked.question.reference.scope is Scope.HERE and asked.question.measure is None:
        told = say("none_there", words.language, area=home.satellite_area)
        answer = Answer(told, Reason.READ_STATE, "No such thing is in this room.")
        return Interpretation(answer, "asked_composed", words.language)
    candidate = _candidate(asked, text, words.language)
    planned = plan_query(candidate, home, interpreter.house.toolbox)
    if isinstance(planned, NotPlanned):
        return None
    if candidate.intent != "HaAssistMeasure" or (len(asked.entities) > 1 and not _only_place(asked.question)):
        planned = replace(planned, targets=asked.entities)
    if states_known(candidate, home):
        known = answer_state(candidate, home.entities, interpreter.grammar, planned.targets)
        if known is not None:
            answer = Answer(known, Reason.READ_STATE, "Answered from the states in the request.")
            return Interpretation(answer, "asked_composed", words.language, (), (candidate,))
    act = Act((planned.call,), Reason.READ_STATE, "Every word of the question is explained; the states are read first.")
    return Interpretation(act, "asked_composed", words.language, (planned,), (candidate,))


def _asked(text: str, speller: Speller) -> _Asked | None:
    """The likeliest reading; None where two that ask something different are as likely."""
    best: list[_Asked] = []
    least = 0.0
    for way in speller.parse(text).ways:
        cost = sum(span.cost for span in way)
        if best and cost > least + _CLOSE:
            break
        question = read_question(way)
        found = _resolve(question, speller) if question is not None else None
        if found is not None:
            least = least if best else cost
            best.append(found)
    return best[0] if len({asked.meant for asked in best}) == 1 else None


def _resolve(question: Question, speller: Speller) -> _Asked | None:
    """The question with what its words name; None where the home has no such thing."""
    home = speller.home
    resolver = Resolver(home, speller.words, speller.lexicon.language)
    reference = question.reference
    whole = question.any or question.asks in (Asks.HOW_MANY, Asks.WHICH) or reference.everything
    if whole and reference.scope is Scope.OPEN:
        reference = replace(reference, scope=Scope.HOME)
    reference = replace(reference, everything=False, all=reference.all or whole)
    if question.measure is not None and not reference.items:
        able = set(MEASURES[question.measure].attributes) - {"weather"} | {"sensor"}
        return _Asked(question, tuple(e for e in home.entities if e.domain in able))
    for domains in _domains(question, home):
        found = resolver.resolve(reference, domains, all_everywhere=True)
        if not isinstance(found, Missing):
            return _Asked(question, found.entities)
    only_nouns = bool(reference.items) and all(item.noun is not None for item in reference.items)
    return _Asked(question, ()) if only_nouns and reference.scope is Scope.HERE and home.satellite_area else None


def _domains(question: Question, home: Home) -> Sequence[Collection[str]]:
    """Where the answer can stand, the likeliest first."""
    match question.asks:
        case Asks.ITEMS | Asks.COUNT_ITEMS:
            return ({"todo"},)
        case Asks.PLAYING:
            return ({"media_player"},)
        case Asks.WHAT:
            if question.measure == SETTING:
                return (SET_QUANTITIES,)
            measure = MEASURES[str(question.measure)]
            holding = frozenset(measure.attributes) - {"weather"}
            if _only_place(question):
                return (holding | {"sensor"},)
            return (holding, _DEVICES, {"sensor"}) if measure.classes or measure.units else (holding,)
        case Asks.STATE:
            return (_DEVICES, frozenset(e.domain for e in home.entities) - {"todo", "calendar", "scene", "script"})
        case _:
            if question.people:
                return ({"person"},)
            if UNAVAILABLE in question.qualities:
                return (frozenset(e.domain for e in home.entities) - _NEVER_AWAY,)
            able = frozenset.intersection(*(domains_with(q) for q in question.qualities))
            if len(question.qualities) > 1:
                able = frozenset.union(*(domains_with(q) for q in question.qualities))
            if question.reference.everything:
                return (able & SWITCHED_BY_ALL if set(question.qualities) & _SWITCHED else able,)
            return (able & _DEVICES, able)


def _only_place(question: Question) -> bool:
    """Whether a quantity is asked for and a place is all that is named."""
    if question.asks is not Asks.WHAT or question.measure == SETTING:
        return False
    return all(i.area for i in question.reference.items)


def _candidate(asked: _Asked, text: str, language: str) -> Candidate:
    """The question in the terms of answering/."""
    question, entities = asked.question, asked.entities
    slots: dict[str, Any] = {"domain": sorted({e.domain for e in entities})}
    said: dict[str, str] = {}
    if len({fold(e.name) for e in entities}) == 1:
        slots["name"] = entities[0].name
    areas = {fold(e.area) for e in entities if e.area}
    area = next((i.area for i in question.reference.items if i.area is not None), None)
    if "name" not in slots and area is not None and areas == {fold(area.name)}:
        slots["area"] = said["area"] = area.name
    intent, response = "HaAssistState", "default"
    match question.asks:
        case Asks.ITEMS | Asks.COUNT_ITEMS:
            intent, response = "HaAssistList", "items" if question.asks is Asks.ITEMS else "count"
        case Asks.PLAYING:
            intent = "HaAssistPlaying"
        case Asks.WHAT:
            intent = "HaAssistMeasure"
            slots["measure"] = question.measure
            if _only_place(question):
                slots = {"measure": question.measure, **({"area": area.name} if area is not None else {})}
                said = {"area": area.name} if area is not None else {}
            elif question.measure == SETTING:
                slots |= {"measure": SET_QUANTITIES[entities[0].domain], SETTING: True}
            if "name" in slots:
                del slots["domain"]
        case Asks.STATE:
            intent = "HaAssistStateOf"
        case Asks.HOW_MANY | Asks.WHICH:
            response = question.asks.value
        case _ if len(question.qualities) > 1:
            intent = "HaAssistStateOf"
        case _ if question.reference.all and not question.any:
            response = "all"
        case _:
            pass
    if intent == "HaAssistState":
        slots["quality"] = question.qualities[0]
    domain = entities[0].domain if "name" in slots else None
    return Candidate(intent, language, slots, said, domain, response, "", (0,), text, own=True)


def certain_question(found: Interpretation | None) -> Interpretation | None:
    """A reading that does nothing but ask, and is certain."""
    if found is None or not found.candidates or found.candidates[0].intent not in QUERY_INTENTS:
        return None
    return found if isinstance(found.outcome, Act | Answer) and not found.parts and not found.changes else None


def asks_behind(text: str, interpreter: Interpreter) -> bool:
    """Whether a part behind a joint is a question by itself: "is" then commands nothing."""
    words = joints(interpreter.grammar.language)
    rests = [text[m.end() :] for m in words.joint.finditer(text)] if words is not None else []
    return any(
        interpret_question(rest, interpreter) is not None or certain_question(interpreter.single(rest)) is not None
        for rest in rests
    )
