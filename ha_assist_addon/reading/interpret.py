"""One sentence in one language: exact match, implicit target, or several commands, each complete in itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..answering.answer import answer_state
from ..answering.exists import answer_exists
from ..answering.query import further_reads, one_question, plan_query, states_known
from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.floors import floor_mentions
from ..home.intents import PLATFORM, QUERY_INTENTS, READ_ONLY, STATIC_INTENTS, SWITCHES, TALK_INTENTS
from ..home.match import Miss, NoTargets, as_list, find_targets
from ..home.mentions import Mention
from ..home.request_home import RequestHome
from ..language.conjunctions import joints
from ..language.grammar import Grammar
from ..language.personal import PERSONAL
from ..language.replies import official, say
from ..language.words import fold_word
from ..meaning.change import Steps
from ..meaning.guard import Guarded, find_guard, guards
from ..meaning.plan import NotPlanned, Planned, by_class_word, plan
from ..recognition.partial_names import cuts_number
from ..recognition.recognise import ANYWHERE, Candidate, best, normalise, recognise
from ..turn.outcome import Act, Answer, Ask, Generate, Outcome, Reason
from ..wording.respond import labels, listed, question
from .interpretation import Interpretation

_OPENED = frozenset({"cover", "lock", "valve", "binary_sensor", "switch"})

_OF_EVERY_ROOM = frozenset({"light", "switch", "cover"})
"""Domains of which every room has its own: one in another room is not meant."""

_OF_ONE_PLACE = frozenset({"garage", "gate"})
"""Device classes that a home has in one place: they are meant from every room."""

ASKED_BY_NAME = 5
"""Up to so many entities are named in a question; above it the area is asked for."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The house and the grammar that a sentence is read with."""

    house: RequestHome
    grammar: Grammar
    steps: Steps = field(default_factory=Steps)

    def mentions(self, sentence: str) -> tuple[Mention, ...]:
        """Names of the home in a normalised sentence, and the floor words of the language."""
        home = self.house.home
        known = tuple(m for m in home.names.mentions(sentence) if not cuts_number(sentence, m))
        if home.floors_known:
            return known
        floors = floor_mentions(sentence, self.grammar.language)
        return (*known, *(m for m in floors if fold(m.text) not in home.area_by_name))

    def single(self, text: str, mentions: Sequence[Mention] | None = None) -> Interpretation | None:
        """The sentence as one command or question, or None where the grammar does not hold it."""
        sentence = normalise(text)
        found = self.mentions(sentence) if mentions is None else tuple(mentions)
        candidates = recognise(sentence, found, self.house.home, self.grammar)
        if candidates:
            candidates = self._in_this_room(sentence, candidates)
            interpretation = self._guarded(sentence, found, candidates) or self.decide(candidates)
            first = best(candidates)[0]
            if self._has_its_own_place(first):
                meant = self._anywhere(sentence, found)
                return meant if meant is not None and meant.certain else interpretation
            if not isinstance(interpretation.outcome, Ask) or not first.from_satellite:
                return interpretation
            elsewhere = self._may_be_elsewhere(sentence, first)
            return (self._anywhere(sentence, found) if elsewhere else None) or interpretation
        return self._anywhere(sentence, found)

    def _in_this_room(self, sentence: str, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Make `all the lights`, said in a room, those of the room, unless the sentence says that it means the home."""
        home, words = self.house.home, joints(self.grammar.language)
        here = home.satellite_area
        if here is None or words is None or (words.everywhere is not None and words.everywhere.search(sentence)):
            return candidates
        return tuple(
            replace(c, slots={**c.slots, "area": here}, from_satellite=True)
            if _means_all(c) and any(e.domain in as_list(c.slots["domain"]) for e in home.in_area(here))
            else c
            for c in candidates
        )

    def _has_its_own_place(self, candidate: Candidate) -> bool:
        """Whether the garage door is meant, and nothing in the satellite's room is known to be one."""
        classes = _OF_ONE_PLACE.intersection(as_list(candidate.slots.get("device_class")))
        if not classes or not candidate.from_satellite:
            return False
        here = self.house.home.in_area(str(candidate.slots["area"]))
        return not any(e.device_class in classes or by_class_word(candidate, (e,)) is not None for e in here)

    def _may_be_elsewhere(self, sentence: str, candidate: Candidate) -> bool:
        """Whether something without equal in the home may be meant, although the satellite's room has none.

        "Turn off the fan" may; a light of another room, or what is said to be here or to be all, is not.
        """
        words = joints(self.grammar.language)
        if words is None or (words.here is not None and words.here.search(sentence)):
            return False
        domains = frozenset(as_list(candidate.slots.get("domain"))) or PLATFORM.get(candidate.intent, frozenset())
        return not domains & _OF_EVERY_ROOM

    def _anywhere(self, sentence: str, mentions: Sequence[Mention]) -> Interpretation | None:
        """A generic command without an area: where exactly one entity of the home can be meant, it is."""
        generic = self.generic(sentence, mentions)
        if not generic:
            return None
        guarded = self._guarded(sentence, mentions, generic)
        if guarded is not None:
            return guarded
        by_intent = {c.intent: c for c in reversed(best(generic))}
        readings = [r for c in by_intent.values() if (r := self._implicit(c, generic)) is not None]
        certain = [r for r in readings if r.certain]
        if len(certain) > 1:
            planned = [r.planned[0] for r in certain]
            reached = tuple({id(e): e for p in planned for e in p.targets}.values())
            return Interpretation(self._ambiguous(planned), "implicit", self.grammar.language, (), generic, reached)
        return next(iter(certain or readings), None)

    def generic(self, text: str, mentions: Sequence[Mention] | None = None) -> tuple[Candidate, ...]:
        """The sentence as commands that leave open where, the best first."""
        sentence = normalise(text)
        known = self.mentions(sentence) if mentions is None else mentions
        found = recognise(sentence, known, self.house.home, self.grammar, area=ANYWHERE)
        return tuple(
            replace(
                c,
                slots={slot: value for slot, value in c.slots.items() if value != ANYWHERE},
                said={slot: text for slot, text in c.said.items() if c.slots[slot] != ANYWHERE},
                from_satellite=False,
            )
            for c in found
            if c.from_satellite
        )

    def _implicit(self, first: Candidate, generic: tuple[Candidate, ...]) -> Interpretation | None:
        """One generic command on the one entity that it can mean, or a question where it can mean several."""
        if first.intent in QUERY_INTENTS:
            return replace(self.decide(generic), stage="implicit")
        domains = frozenset(as_list(first.slots.get("domain"))) or PLATFORM.get(first.intent, frozenset())
        if not domains:
            return None
        filters = {"domain": sorted(domains), "device_class": first.slots.get("device_class")}
        reach = find_targets(self.house.home, filters)
        if isinstance(reach, NoTargets):
            why = f"The home has no {' or '.join(sorted(domains))}."
            return self._asked(NotPlanned(first, Reason.MISSING_TARGET, why, (), reach.miss), generic)
        classed = _class_in_name(first, reach.entities, self.house.home)
        if len(classed) == 1:
            slots = dict(first.slots)
            meant = slots.pop("device_class", None)
            first = replace(first, slots=slots, said={**first.said, "device_class": str(meant or "")})
        elif len(reach.entities) > 1:
            return self._which(classed or reach.entities, generic)
        if "device_class" in first.slots:  # whether the only one is of this class, Home Assistant knows
            return replace(self.decide((first,)), stage="implicit")
        only = classed[0] if len(classed) == 1 else reach.entities[0]
        named = replace(first, slots={**first.slots, "name": only.name}, domain=only.domain)
        return replace(self.decide((named,)), stage="implicit")

    def decide(self, candidates: Sequence[Candidate]) -> Interpretation:
        """Plan the best candidates; only one distinct valid call is certain."""
        group = best(candidates)
        language = self.grammar.language
        talk = next((c for c in group if c.intent in TALK_INTENTS), None)
        if talk is not None:
            text = official(self.grammar.responses, talk.intent, talk.response, slots=dict(talk.slots))
            answer = Answer(text or say("okay", language), Reason.SMALL_TALK, "This needs no device.")
            return Interpretation(answer, "exact", language, (), tuple(candidates))
        if (asked := one_question(group)) is not None:
            return self._question(asked, candidates)
        home, toolbox = self.house.home, self.house.toolbox
        results = [(plan_query if c.intent in QUERY_INTENTS else plan)(c, home, toolbox) for c in group]
        calls = {p.call.key: p for p in results if isinstance(p, Planned)}
        planned = tuple(calls.values())
        double = next((r for r in results if isinstance(r, NotPlanned) and r.miss is Miss.DUPLICATE), None)
        if planned and double is not None:
            several = (*double.candidates, *(e for p in planned for e in p.targets))
            return self._asked(replace(double, candidates=several), candidates)
        if planned and (possible := _also_possible(planned[0], results, home)):
            reached = (*planned[0].targets, *possible)
            ambiguous = self._ambiguous_targets(reached)
            return Interpretation(ambiguous, "exact", language, (), tuple(candidates), reached)
        if len(planned) > 1 and not same_effect(planned):
            reached = tuple({id(e): e for p in planned for e in p.targets}.values())
            return Interpretation(self._ambiguous(planned), "exact", language, (), tuple(candidates), reached)
        if not planned:
            others = [c for c in candidates if not self._generic_name(c)]
            if others and len(others) < len(candidates):
                return self.decide(others)
            return self._asked(next(r for r in results if isinstance(r, NotPlanned)), candidates)
        chosen = planned[0]
        if (refused := self.refuse_delay(chosen)) is not None:
            return Interpretation(refused, "exact", language, (), tuple(candidates))
        act = Act((chosen.call,), Reason.EXACT, f"The sentence matches {chosen.candidate.intent} exactly.")
        return Interpretation(act, "exact", language, (chosen,), tuple(candidates))

    def _question(self, asked: Candidate, candidates: Sequence[Candidate]) -> Interpretation:
        """A question: answered from the request where that tells enough, else the first read that it needs."""
        home, language = self.house.home, self.grammar.language
        if asked.intent in STATIC_INTENTS:
            answer = Answer(answer_exists(asked, home), Reason.READ_STATE, "The prompt itself lists what there is.")
            return Interpretation(answer, "exact", language, (), tuple(candidates))
        planned = plan_query(asked, home, self.house.toolbox)
        if isinstance(planned, NotPlanned):
            return self._asked(planned, candidates)
        if states_known(planned.candidate, home):
            text = answer_state(planned.candidate, home.entities, self.grammar, planned.targets)
            if text is not None:
                answer = Answer(text, Reason.READ_STATE, "Answered from the states in the request.")
                return Interpretation(answer, "exact", language, (), tuple(candidates))
        act = Act((planned.call,), Reason.READ_STATE, "The question needs live data, so it is read first.")
        reads = further_reads(planned, self.house.toolbox)
        return Interpretation(act, "exact", language, reads, tuple(candidates))

    def refuse_delay(self, planned: Planned) -> Generate | None:
        """A command for later has to be one that Home Assistant's own agent will understand then."""
        command = planned.candidate.slots.get("conversation_command")
        if command is None:
            return None
        found = self.single(str(command))
        if found is not None and found.candidates and found.stage != "guard":
            official = [c for c in found.candidates if not c.own and not c.free_text]
            if any(c.intent not in READ_ONLY | TALK_INTENTS for c in official):
                return None
        return Generate(Reason.NOT_RECOGNISED, f"{command!r} is no command that could be carried out later.")

    def hopeless(self, text: str) -> bool:
        """Whether no repair can make a sentence a plain command: it is guarded, or the language has no guards."""
        sentence, language = normalise(text), self.grammar.language
        if guards(language) is None:
            return True
        return find_guard(sentence, self.mentions(sentence), language, whatever_intent=True) is not None

    def _generic_name(self, candidate: Candidate) -> bool:
        """Whether the name is a common word, as an alias can be: "light" of one room is not meant in another."""
        return "name" in candidate.slots and fold_word(candidate.said.get("name", "")) in self.grammar.words

    def guard(self, sentence: str, mentions: Sequence[Mention], candidate: Candidate | None = None) -> Guarded | None:
        """A word that forbids acting on this sentence."""
        texts = tuple(candidate.said.values()) if candidate else ()
        return find_guard(
            sentence, mentions, self.grammar.language, intent=candidate.intent if candidate else None, free_text=texts
        )

    def _guarded(
        self, sentence: str, mentions: Sequence[Mention], candidates: Sequence[Candidate]
    ) -> Interpretation | None:
        first = best(candidates)[0]
        if first.intent in READ_ONLY | TALK_INTENTS or first.metadata.get(PERSONAL):
            return None
        found = self.guard(sentence, mentions, first)
        if found is None:
            return None
        why = f"{found.word!r} makes it no plain command ({found.kind})."
        return Interpretation(Generate(Reason.GUARDED, why), "guard", self.grammar.language, (), tuple(candidates))

    def _ambiguous(self, planned: Sequence[Planned]) -> Generate:
        return self._ambiguous_targets([e for p in planned for e in p.targets])

    def _ambiguous_targets(self, entities: Sequence[Entity]) -> Generate:
        language = self.grammar.language
        names = labels(entities, language)
        ask = say("which", language, candidates=listed(names, language)) if len(names) > 1 else None
        return Generate(Reason.AMBIGUOUS, "The sentence can mean different actions.", names, ask)

    def _which(self, entities: Sequence[Entity], candidates: Sequence[Candidate]) -> Interpretation:
        language = self.grammar.language
        why = f"{len(entities)} entities could be meant and the sentence names none."
        if len(entities) <= ASKED_BY_NAME:
            names = labels(entities, language)
            asked = Ask(say("which", language, candidates=listed(names, language)), names, Reason.MISSING_TARGET, why)
        else:
            areas = tuple(dict.fromkeys(e.area for e in entities if e.area))
            asked = Ask(say("which_area", language), areas, Reason.MISSING_TARGET, why)
        return Interpretation(asked, "implicit", language, (), tuple(candidates), tuple(entities))

    def _asked(self, problem: NotPlanned, candidates: Sequence[Candidate]) -> Interpretation:
        outcome: Outcome
        if problem.reason in (Reason.TOOL_NOT_OFFERED, Reason.NOT_CARRIED):
            outcome = Generate(problem.reason, problem.why)
        else:
            text, names = question(problem)
            outcome = Ask(text, names, problem.reason, problem.why)
        asked = problem.candidates if isinstance(outcome, Ask) else ()
        return Interpretation(outcome, "exact", self.grammar.language, (), tuple(candidates), asked)


def _also_possible(planned: Planned, results: Sequence[Planned | NotPlanned], home: Home) -> tuple[Entity, ...]:
    """What another command of the same words would reach if it were said where: "return to base" of two robots."""
    others = (
        r.candidate
        for r in results
        if isinstance(r, NotPlanned)
        and r.reason is Reason.MISSING_TARGET
        and r.candidate.intent != planned.candidate.intent
    )
    domains = {d for c in others for d in as_list(c.slots.get("domain")) or PLATFORM.get(c.intent, ())}
    return tuple(e for e in home.entities if e.domain in domains)


def _class_in_name(candidate: Candidate, entities: Sequence[Entity], home: Home) -> list[Entity]:
    """Those whose name says the class word, unless something else in the home that can be opened says it too."""
    classed = [e for e in entities if by_class_word(candidate, (e,)) is not None]
    names = {fold(e.name) for e in classed}
    others = [e for e in home.entities if e.domain in _OPENED and fold(e.name) not in names]
    return [] if any(by_class_word(candidate, (e,)) is not None for e in others) else classed


def _means_all(candidate: Candidate) -> bool:
    """Whether a command switches everything of a kind, wherever it is."""
    targets = candidate.slots.keys() & {"name", "area", "floor", "device_class", "domain"}
    return candidate.intent in SWITCHES and targets == {"domain"}


def same_effect(planned: Sequence[Planned]) -> bool:
    """Whether calls differ only in how they name the same entities."""
    first = planned[0]
    return bool(first.targets) and all(
        p.call.name == first.call.name
        and set(map(id, p.targets)) == set(map(id, first.targets))
        and p.parameters == first.parameters
        and p.call.arguments.get("device_class") == first.call.arguments.get("device_class")
        for p in planned
    )
