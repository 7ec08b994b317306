"""What a composed sentence comes to: calls, a read before them, or a question that says what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from ..home.entity import Entity
from ..home.toolbox import Toolbox
from ..language.lexicon import Role, lexicon
from ..language.replies import say
from ..language.tokens import tokens_of
from ..meaning.calls import Change
from ..meaning.command import Reference
from ..meaning.plan import NotPlanned
from ..meaning.reference import Missing, Several
from ..turn.outcome import Act, Ask, Generate, Outcome, PlannedCall, Reason
from ..wording.respond import labels, listed
from .composition.compose import Ambiguous, Composed, Composer, Composition, Open
from .composition.spans import Span, speller_of
from .interpret import ASKED_BY_NAME, Interpreter
from .interpretation import Interpretation
from .questions import asks_behind


def composer(interpreter: Interpreter) -> Composer | None:
    """The composer for a request in one language, or None where we have no lexicon of it."""
    words = lexicon(interpreter.grammar.language)
    return None if words is None else Composer(interpreter.house, words, speller_of(interpreter.house.home, words))


def interpret_composed(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as composed commands, or None where its words do not make any."""
    made = composer(interpreter)
    found = made.compose(text) if made is not None else None
    if made is None or found is None:
        return None
    if isinstance(found, Composed) and len(found.commands) > 1 and asks_behind(text, interpreter):
        return None
    return conclude_composed(found, made)


def conclude_composed(found: Composition, made: Composer) -> Interpretation:
    """The calls of a composition, or the question for what keeps it open."""
    match found:
        case Composed():
            return _act(found, made)
        case Ambiguous(readings=readings):
            reached = tuple({id(e): e for r in readings for f in r.found for e in f.entities}.values())
            return _ambiguous(reached, made.lexicon.language)
        case Open():
            return _asked(found, made.lexicon.language)


def _act(found: Composed, made: Composer) -> Interpretation:
    language = made.lexicon.language
    outcome: Outcome
    if found.changes:
        read = read_before_changes(found.changes, made.house.toolbox)
        if read is None:
            outcome = Generate(Reason.TOOL_NOT_OFFERED, "The states that change cannot be read here.")
            return Interpretation(outcome, "composed", language)
        outcome = Act((read,), Reason.READ_STATE, "What changes has to be known first, so it is read.")
    else:
        calls = tuple(p.call for p in found.planned)
        if len(found.commands) > 1:
            outcome = Act(calls, Reason.COMPOUND, f"Each of the {len(found.commands)} parts is a complete command.")
        else:
            intent = found.planned[0].candidate.intent
            outcome = Act(calls, Reason.EXACT, f"The sentence matches {intent} exactly.")
    return Interpretation(
        outcome,
        "composed",
        language,
        found.planned,
        tuple(p.candidate for p in found.planned),
        commands=found.commands,
        changes=found.changes,
        complains=found.complains,
        has_reason=found.has_reason,
        as_state=_names_state(found, made),
        ask_first=found.complains,
        names=tuple(i.text for span in found.spans for i in span.items if i.kind == "name"),
        explained=_complaints(found),
    )


def _complaints(found: Composed) -> tuple[str, ...]:
    """What is wrong, in the words of the sentence."""
    text = found.commands[0].text
    tokens = tokens_of(text)
    spans = (span for span in found.spans if span.role is Role.COMPLAINT)
    return tuple(text[tokens[s.start].start : tokens[s.end - 1].end] for s in spans)


def _names_state(found: Composed, made: Composer) -> bool:
    """Whether no verb stands in a sentence, and its direction is no mere particle: "mill door open"."""
    tokens = tokens_of(found.commands[0].text)

    def is_either(span: Span) -> bool:
        meanings = [m.role for _, ms in made.lexicon.starting(tokens, span.start) for m in ms]
        return Role.VERB in meanings and Role.DIRECTION in meanings

    target = next((n for n, span in enumerate(found.spans) if span.items), 0)
    behind = found.spans[target:]
    if any(s.role in (Role.VERB, Role.WISH) and not (s in behind and is_either(s)) for s in found.spans):
        return False
    return any(
        is_either(span)
        or (span.role is Role.DIRECTION and (made.lexicon.verb_first or not (span.meaning and span.meaning.value)))
        for span in found.spans
    )


def read_before_changes(changes: Sequence[Change], toolbox: Toolbox) -> PlannedCall | None:
    """The read that tells the states of all that changes."""
    tool = toolbox.find("GetLiveContext")
    if tool is None:
        return None
    domains = sorted({c.entity.domain for c in changes})
    arguments = {"domain": domains[0] if len(domains) == 1 else domains} if "domain" in tool.properties else {}
    return PlannedCall(tool.name, {} if tool.problem(arguments) is not None else arguments)


def _ambiguous(reached: tuple[Entity, ...], language: str) -> Interpretation:
    names = labels(reached, language)
    ask = say("which", language, candidates=listed(names, language)) if len(names) > 1 else None
    outcome = Generate(Reason.AMBIGUOUS, "The sentence can mean different actions.", names, ask)
    return Interpretation(outcome, "composed", language, asked=reached)


def _asked(found: Open, language: str) -> Interpretation:
    outcome: Outcome
    match found.problem:
        case Several(entities=entities):
            why = f"{len(entities)} entities could be meant."
            if len(entities) <= ASKED_BY_NAME:
                names = labels(entities, language)
                text = say("which", language, candidates=listed(names, language))
            else:
                names = tuple(dict.fromkeys(e.area for e in entities if e.area))
                text = say("which_area", language)
            outcome = Ask(text, names, Reason.MISSING_TARGET, why)
            return Interpretation(
                outcome, "composed", language, asked=entities, commands=found.commands, open_at=found.at
            )
        case Missing(text=text):
            known = _say_missing(found.commands[found.at].reference, text, language) if text else None
            why = (
                f"Nothing here is {text!r} and can do that." if text else "The sentence names nothing that can do that."
            )
            outcome = Generate(Reason.UNKNOWN_NAME, why, fallback=known)
            return Interpretation(outcome, "composed", language, commands=found.commands)
        case NotPlanned() as problem:
            return Interpretation(Generate(problem.reason, problem.why), "composed", language)


def _say_missing(reference: Reference, text: str, language: str) -> str:
    """That a name is not known, or that there is nothing of the kind at a place that is."""
    if any(i.kind in ("name", "word") for i in reference.items):
        return say("unknown_name", language, name=text, candidates="")
    place = next((i.text for i in reference.items if i.kind in ("area", "floor")), None)
    return say("not_found_there", language, area=place)
