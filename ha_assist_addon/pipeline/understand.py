"""What the current sentence asks for, decided from the request alone: the deterministic heart."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..diagnostics.trace import Trace
from ..home.catalogue import Home
from ..home.mentions import Mention
from ..language.floors import floor_mentions
from ..language.grammar import Grammar, GrammarLibrary
from ..language.replies import official, say
from .context import House
from .history import Turn
from .outcome import Act, Answer, Ask, Generate, Outcome, Reason
from .plan import NotPlanned, Planned, plan
from .query import QUERY_INTENTS, plan_query
from .recognise import MAX_CHARACTERS, Candidate, best, normalise, recognise
from .respond import labels, listed, question
from .unknown import find_unknown

MAX_LANGUAGES = 4
"""How many languages are tried where the words leave it open."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """The first step of the turn, and the calls that the whole turn needs, in order."""

    outcome: Outcome
    language: str | None = None
    planned: tuple[Planned, ...] = ()


async def understand(
    turn: Turn, house: House, grammars: GrammarLibrary, languages: Sequence[str], trace: Trace
) -> Understanding:
    """Recognise the sentence in the likeliest languages and plan what it asks for."""
    if not turn.sentence:
        return Understanding(Ask(say("nothing_said", None), (), Reason.EMPTY, "The sentence is empty."))
    if len(turn.sentence) > MAX_CHARACTERS:
        return Understanding(Generate(Reason.TOO_LONG, f"The sentence is longer than {MAX_CHARACTERS} characters."))
    sentence = normalise(turn.sentence)
    with trace.stage("language"):
        ranked = await rank_languages(turn, grammars, languages, house.home)
    with trace.stage("canonicalize"):
        mentions = house.home.names.mentions(sentence)
    first = ranked[0] if ranked else None
    trace.note("ha_plan", original=turn.sentence, canonical=sentence, repairs=[], mentions=[m.known.value for m in mentions])
    with trace.stage("intent_recognition"):
        found = await recognise_languages(sentence, mentions, house.home, grammars, ranked)
        if found is None:
            return await _not_recognised(sentence, mentions, house.home, grammars, first, trace)
        grammar, candidates = found
        understood = decide(candidates, house, grammar)
        note_candidates(trace, candidates, understood)
        return understood


async def recognise_languages(
    sentence: str, mentions: Sequence[Mention], home: Home, grammars: GrammarLibrary, ranked: Sequence[str]
) -> tuple[Grammar, tuple[Candidate, ...]] | None:
    """The likeliest language that matches without free text; else the match with the least free text in it."""
    loosest: tuple[Grammar, tuple[Candidate, ...]] | None = None
    for language in ranked[:MAX_LANGUAGES]:
        grammar = await load(grammars, language)
        if grammar is None:
            continue
        floors = floor_mentions(sentence, language) if not home.floors_known else ()
        candidates = recognise(sentence, (*mentions, *floors), home, grammar)
        if candidates and not candidates[0].free_text:
            return grammar, candidates
        if candidates and (loosest is None or candidates[0].free_text < loosest[1][0].free_text):
            loosest = grammar, candidates
    return loosest


async def rank_languages(
    turn: Turn, grammars: GrammarLibrary, languages: Sequence[str], home: Home | None = None
) -> tuple[str, ...]:
    """Languages to try; where no word is known, the first enabled one."""
    if len(languages) == 1:
        return (languages[0],)
    detector = await asyncio.to_thread(grammars.detector, tuple(languages))
    names = " ".join(area.name for area in home.areas) if home else ""
    return detector.rank(turn.sentence, turn.earlier_sentences, names) or tuple(languages[:1]) or ("en",)


async def load(grammars: GrammarLibrary, language: str) -> Grammar | None:
    """A grammar, parsed in a thread when it is not in memory yet."""
    if grammars.in_memory(language):
        return grammars.get(language)
    return await asyncio.to_thread(grammars.get, language)


def decide(candidates: Sequence[Candidate], house: House, grammar: Grammar) -> Understanding:
    """Plan the best candidates; only one distinct valid call is certain."""
    language = grammar.language
    group = best(candidates)
    talk = next((c for c in group if c.intent in ("HassNevermind", "HassRespond")), None)
    if talk is not None:
        text = official(grammar.responses, talk.intent, talk.response, slots=dict(talk.slots))
        return Understanding(Answer(text or say("okay", language), Reason.SMALL_TALK, "This needs no device."), language)
    results = [
        (plan_query if c.intent in QUERY_INTENTS else plan)(c, house.home, house.toolbox) for c in group
    ]
    calls = {(p.call.name, repr(sorted(p.call.arguments.items()))): p for p in results if isinstance(p, Planned)}
    planned = tuple(calls.values())
    if len(planned) > 1 and not _same_effect(planned):
        names = labels([e for p in planned for e in p.targets], language)
        return Understanding(
            Generate(
                Reason.AMBIGUOUS,
                f"The sentence can mean {len(planned)} different actions.",
                candidates=names,
                fallback=say("which", language, candidates=listed(names, language)) if len(names) > 1 else None,
            ),
            language,
        )
    if planned:
        chosen = planned[0]
        if chosen.candidate.intent in QUERY_INTENTS:
            why = "The question needs live states, so they are read first."
            return Understanding(Act((chosen.call,), Reason.READ_STATE, why), language, (chosen,))
        why = f"The sentence matches {chosen.candidate.intent} exactly."
        return Understanding(Act((chosen.call,), Reason.EXACT, why), language, (chosen,))
    return Understanding(_unplanned([r for r in results if isinstance(r, NotPlanned)], grammar), language)


def _same_effect(planned: Sequence[Planned]) -> bool:
    """Whether calls differ only in how they name the same entities."""
    first = planned[0]
    values = [{k: v for k, v in p.call.arguments.items() if k not in ("name", "area", "floor", "domain", "device_class")} for p in planned]
    return bool(first.targets) and all(
        p.call.name == first.call.name and set(map(id, p.targets)) == set(map(id, first.targets)) and value == values[0]
        for p, value in zip(planned, values, strict=True)
    )


def _unplanned(problems: Sequence[NotPlanned], grammar: Grammar) -> Outcome:
    problem = problems[0]
    if problem.reason in (Reason.TOOL_NOT_OFFERED, Reason.NOT_CARRIED):
        return Generate(problem.reason, problem.why)
    text, names = question(problem, grammar)
    return Ask(text, names, problem.reason, problem.why)


async def _not_recognised(
    sentence: str, mentions: Sequence[Mention], home: Home, grammars: GrammarLibrary, language: str | None, trace: Trace
) -> Understanding:
    grammar = await load(grammars, language) if language else None
    unknown = find_unknown(sentence, mentions, home, grammar) if grammar is not None and home.entities else None
    if unknown is None:
        return Understanding(Generate(Reason.NOT_RECOGNISED, "No sentence of the grammar fits."), language)
    trace.note("ha_intent", unknown={"slot": unknown.slot, "text": unknown.text})
    return Understanding(unknown.outcome(language), language)


def note_candidates(trace: Trace, candidates: Sequence[Candidate], understood: Understanding) -> None:
    """Put what was understood into the trace."""
    chosen = understood.planned[0].candidate if understood.planned else candidates[0]
    trace.note(
        "ha_intent",
        stage="exact",
        exact=chosen.intent,
        fuzzy=[],
        candidates=[
            {"intent": c.intent, "slots": dict(c.slots), "template": c.template, "language": c.language} for c in candidates[:8]
        ],
        source="own" if chosen.own else "official",
        reason=str(understood.outcome.reason) if not hasattr(understood.outcome, "then") else "",
    )
    trace.note(
        "ha_plan",
        domain=chosen.slots.get("domain") or chosen.domain,
        area=chosen.slots.get("area"),
        name=chosen.slots.get("name"),
        action=chosen.intent,
        target_ambiguous=isinstance(understood.outcome, Ask) and len(understood.outcome.candidates) > 1,
        target_candidates=list(getattr(understood.outcome, "candidates", ())),
        targets=[e.name for p in understood.planned for e in p.targets],
    )


def without_generation(understood: Understanding, text: str) -> Understanding:
    """The same understanding with a reply in the place of a generation."""
    reason = understood.outcome.reason if isinstance(understood.outcome, Generate) else Reason.NO_MODEL
    return replace(understood, outcome=Answer(text, reason, "No language model is set up."))
