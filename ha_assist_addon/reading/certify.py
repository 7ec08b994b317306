"""Every reading that would act goes through the gate here; what it asks about becomes a question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..home.intents import READ_ONLY
from ..home.mentions import Kind, Known, Mention
from ..home.toolbox import plain_name
from ..language.personal import PERSONAL
from ..meaning.gate import AskFirst, Evidence, Passed, Refused, certify
from ..meaning.guard import find_guards
from ..recognition.recognise import normalise
from ..turn.outcome import Act, Ask, Generate, Reason
from ..wording.proposals import Proposal, ask_for
from .composition.clauses import is_placed
from .doubts import is_in_doubt
from .interpret import Interpreter
from .interpretation import Interpretation
from .scheduling import STAGE as SCHEDULED
from .whole import STAGE as WHOLE

_COMPOSED = frozenset({"composed", "follow_up", "carried_over", "confirmed", "items", "timer"})


def certified(found: Interpretation, sentence: str, interpreter: Interpreter, *, wishes: bool = True) -> Interpretation:
    """The reading if it may act as it is, else the question or the refusal that takes its place."""
    if not isinstance(found.outcome, Act) or not _acts(found):
        return found
    if found.complains and not wishes:
        return replace(
            found,
            outcome=Generate(Reason.NOT_RECOGNISED, "A wish is left to the language model."),
            planned=(),
            changes=(),
        )
    text = normalise(sentence)
    evidence = Evidence(
        text,
        (*interpreter.mentions(text), *_named(text, found.names)),
        found.language,
        heard=found.heard,
        before=found.before,
        confirmed=found.stage == "confirmed",
        answers=found.answers,
        asks=sentence.rstrip().endswith(("?", "？", "؟")),
        free_texts=tuple(t for c in found.candidates[:1] for t in c.said.values() if c.free_text),
        personal=any(p.candidate.metadata.get(PERSONAL) for p in found.planned),
        as_state=found.as_state,
        understood=_understood(found),
        explained=found.explained,
        taught=found.taught,
    )
    ruling = certify(found.planned, evidence, interpreter.house.toolbox)
    if isinstance(ruling, Passed) and (found.ask_first or _leaves_out(found) or _opens_all(found)):
        ruling = AskFirst("What is left, or meant instead, is put as a question.")
    elif isinstance(ruling, Passed) and is_in_doubt(found, text, interpreter.house.home):
        ruling = AskFirst("The number may be meant in degrees.")
    match ruling:
        case Passed():
            return found
        case AskFirst(why=why):
            text = found.question or ask_for(
                [Proposal.of(p) for p in found.planned], found.changes, found.language, interpreter.steps
            )
            return replace(
                found,
                outcome=Ask(text, (), Reason.CONFIRM, why),
                planned=(),
                proposed=found.planned,
                held=found.outcome,
                stage="asked",
            )
        case Refused(why=why, guard=guard):
            reason = Reason.GUARDED if guard is not None else Reason.UNSAID
            return replace(found, outcome=Generate(reason, why), planned=(), changes=(), stage="guard")


def is_guarded(found: Interpretation, sentence: str, interpreter: Interpreter) -> bool:
    """Whether a word makes a sentence no command, which then is not asked about either."""
    text = normalise(sentence)
    known = (*interpreter.mentions(text), *_named(text, found.names))
    understood = _understood(found)
    return any(g.kind not in understood for g in find_guards(text, known, found.language, explained=found.explained))


def _acts(found: Interpretation) -> bool:
    """Whether something in the home would change."""
    return bool(found.changes) or any(p.candidate.intent not in READ_ONLY for p in found.planned)


def _understood(found: Interpretation) -> frozenset[str]:
    """The guard kinds that a command carries itself."""
    if found.stage == WHOLE:  # every word of it is known
        return frozenset({"correction", "negation", "past", "question", "schedule", "vague"})
    if found.stage == SCHEDULED:
        # Its time has been read; without it the command was certified by itself.
        return frozenset({"schedule", "relative", "request"})
    if found.stage not in _COMPOSED:
        return frozenset()
    kinds = {"relative", "request"}
    if found.ask_first or found.has_reason:
        kinds.add("statement")
    if found.complains or found.has_reason:
        # "I can't see anything", "c'est trop fort": every word of them is explained.
        kinds |= {"negation", "reported", "vague"}
    if any(c.reference.exceptions for c in found.commands):
        kinds.add("exception")
    return frozenset(kinds)


def _leaves_out(found: Interpretation) -> bool:
    return found.stage != "confirmed" and any(c.reference.exceptions for c in found.commands)


def _opens_all(found: Interpretation) -> bool:
    """Whether all there is of something would be opened, or everything in the home be switched."""
    if found.stage == "confirmed":
        return False
    if any(c.reference.everything and not is_placed(c.reference) for c in found.commands):
        return True
    if not any(c.reference.all or c.reference.everything for c in found.commands):
        return False
    opened = [
        e for p in found.planned if plain_name(p.call.name) == "HassTurnOn" for e in p.targets if e.domain == "cover"
    ]
    return len(opened) > 1


def _named(sentence: str, names: Iterable[str]) -> tuple[Mention, ...]:
    """Names that the composition found in other forms, as mentions."""
    lowered = sentence.casefold()
    return tuple(
        Mention(sentence[at : at + len(text)], at, at + len(text), Known(text, Kind.NAME))
        for text in names
        if text and (at := lowered.find(text.casefold())) >= 0
    )
