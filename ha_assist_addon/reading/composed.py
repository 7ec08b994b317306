"""What a composed sentence comes to: calls, a read before them, or a question that says what is missing."""

from __future__ import annotations

from functools import lru_cache

from ..home.catalogue import Home
from ..home.entity import Entity
from ..home.mentions import Kind, Known, Mention
from ..language.lexicon import Lexicon, lexicon
from ..language.replies import say
from ..meaning.guard import Guarded, find_guards
from ..meaning.plan import NotPlanned
from ..meaning.reference import Missing, Several
from ..recognition.recognise import normalise
from ..turn.outcome import Act, Ask, Generate, Outcome, PlannedCall, Reason
from ..wording.respond import labels, listed
from .composition.compose import Ambiguous, Composed, Composer, Open
from .composition.spans import Speller
from .interpret import ASKED_BY_NAME, Interpretation, Interpreter


def composer(interpreter: Interpreter) -> Composer | None:
    """The composer for a request in one language, or None where we have no lexicon of it."""
    words = lexicon(interpreter.grammar.language)
    return None if words is None else Composer(interpreter.house, words, _speller(interpreter.house.home, words))


@lru_cache(maxsize=32)
def _speller(home: Home, words: Lexicon) -> Speller:
    return Speller(home, words)


def interpret_composed(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as composed commands, or None where its words do not make any."""
    made = composer(interpreter)
    if made is None:
        return None
    sentence = normalise(text)
    found = made.compose(text)
    match found:
        case None:
            return None
        case Composed():
            return certify_composed(sentence, found, interpreter)
        case Ambiguous(readings=readings):
            reached = tuple({id(e): e for r in readings for f in r.found for e in f.entities}.values())
            return _ambiguous(reached, interpreter)
        case Open():
            return _asked(found, interpreter)


def certify_composed(sentence: str, found: Composed, interpreter: Interpreter) -> Interpretation:
    """The calls, unless a word of the sentence makes it no command."""
    language = interpreter.grammar.language
    if (guarded := _guard(sentence, found, interpreter)) is not None:
        why = f"{guarded.word!r} makes it no plain command ({guarded.kind})."
        return Interpretation(Generate(Reason.GUARDED, why), "guard", language)
    outcome: Outcome
    if found.changes:
        read = _read(found, interpreter)
        if read is None:
            return Interpretation(Generate(Reason.TOOL_NOT_OFFERED, "The states cannot be read."), "composed", language)
        outcome = Act((read,), Reason.READ_STATE, "What changes has to be known first, so it is read.")
    else:
        many = len(found.commands) > 1
        reason = Reason.COMPOUND if many else Reason.EXACT
        outcome = Act(tuple(p.call for p in found.planned), reason, "Every word of the sentence is explained.")
    candidates = tuple(p.candidate for p in found.planned)
    return Interpretation(
        outcome, "composed", language, found.planned, candidates, commands=found.commands, changes=found.changes
    )


def _guard(sentence: str, found: Composed, interpreter: Interpreter) -> Guarded | None:
    """A guard word outside names; that something changes, or is left out, the commands have understood."""
    language = interpreter.grammar.language
    known = (*interpreter.mentions(sentence), *_name_mentions(sentence, found))
    understood = {"relative"}
    if any(c.reference.exceptions for c in found.commands):
        understood.add("exception")
    return next((g for g in find_guards(sentence, known, language) if g.kind not in understood), None)


def _name_mentions(sentence: str, found: Composed) -> tuple[Mention, ...]:
    """Names that the composition found, as mentions."""
    lowered = sentence.casefold()
    texts = (i.text for span in found.spans for i in span.items if i.kind == "name")
    return tuple(
        Mention(sentence[at : at + len(text)], at, at + len(text), Known(text, Kind.NAME))
        for text in texts
        if (at := lowered.find(text.casefold())) >= 0
    )


def _read(found: Composed, interpreter: Interpreter) -> PlannedCall | None:
    """The read that tells the states of all that changes."""
    tool = interpreter.house.toolbox.find("GetLiveContext")
    if tool is None:
        return None
    domains = sorted({c.entity.domain for c in found.changes})
    arguments = {"domain": domains[0] if len(domains) == 1 else domains} if "domain" in tool.properties else {}
    if tool.problem(arguments) is not None:
        arguments = {}
    return PlannedCall(tool.name, arguments)


def _ambiguous(reached: tuple[Entity, ...], interpreter: Interpreter) -> Interpretation:
    language = interpreter.grammar.language
    names = labels(reached, language)
    ask = say("which", language, candidates=listed(names, language)) if len(names) > 1 else None
    outcome = Generate(Reason.AMBIGUOUS, "The sentence can mean different actions.", names, ask)
    return Interpretation(outcome, "composed", language, asked=reached)


def _asked(found: Open, interpreter: Interpreter) -> Interpretation | None:
    language = interpreter.grammar.language
    match found.problem:
        case Several(entities=entities):
            why = f"{len(entities)} entities could be meant."
            if len(entities) <= ASKED_BY_NAME:
                names = labels(entities, language)
                text = say("which", language, candidates=listed(names, language))
            else:
                names = tuple(dict.fromkeys(e.area for e in entities if e.area))
                text = say("which_area", language)
            outcome: Outcome = Ask(text, names, Reason.MISSING_TARGET, why)
            return Interpretation(outcome, "composed", language, asked=entities, commands=found.commands)
        case Missing(text=text):
            if not text:
                return None
            known = say("unknown_name", language, name=text, candidates="")
            outcome = Generate(Reason.UNKNOWN_NAME, f"Nothing here is {text!r} and can do that.", fallback=known)
            return Interpretation(outcome, "composed", language, commands=found.commands)
        case NotPlanned() as problem:
            return Interpretation(Generate(problem.reason, problem.why), "composed", language)
