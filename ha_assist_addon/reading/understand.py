"""What the current sentence asks for: in which languages it is read, and what came of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..home.floors_said import as_said
from ..home.request_home import RequestHome
from ..language.grammar import MAX_CHARACTERS, Grammar, GrammarLibrary
from ..language.replies import say
from ..meaning.adjusting import adjusting_call
from ..meaning.calls import Change
from ..meaning.change import Steps
from ..meaning.plan import Planned
from ..recognition.recognise import normalise
from ..settings.model import Assist
from ..taught.lessons import Lessons
from ..trace.trace import Trace
from ..turn.history import Turn
from ..turn.outcome import Act, Answer, Ask, Generate, Outcome, Reason, Wait
from .interpret import Interpreter
from .interpretation import Interpretation
from .readers import Readers

MAX_LANGUAGES = 4
"""How many languages are tried where the words leave it open."""
_NONE = Lessons()


@dataclass(frozen=True, slots=True)
class Understanding:
    """The first step of the turn, and the calls that the whole turn needs, in order."""

    outcome: Outcome
    language: str | None = None
    planned: tuple[Planned, ...] = ()
    changes: tuple[Change, ...] = ()
    parts: tuple[Interpretation, ...] = ()


async def understand(
    turn: Turn,
    house: RequestHome,
    grammars: GrammarLibrary,
    settings: Assist,
    trace: Trace,
    lessons: Lessons = _NONE,
) -> Understanding:
    """What the sentence asks for; where its word for a floor is none that the home knows, as if no floor was known."""
    found = await _understood(turn, house, grammars, settings, trace, lessons)
    if isinstance(found.outcome, Generate):
        home = as_said(house.home, turn.sentence, found.language or house.language or "en")
        if home is not house.home:
            again = await _understood(turn, replace(house, home=home), grammars, settings, trace, lessons)
            answered = isinstance(again.outcome, Answer) or (
                not isinstance(again.outcome, Wait) and again.outcome.reason is Reason.READ_STATE
            )
            found = again if answered else found
    return found


async def _understood(
    turn: Turn, house: RequestHome, grammars: GrammarLibrary, settings: Assist, trace: Trace, lessons: Lessons
) -> Understanding:
    """Read the sentence in the likeliest languages; what none of them holds is asked back, or left to a model."""
    if not turn.sentence:
        return Understanding(Ask(say("nothing_said", None), (), Reason.EMPTY, "The sentence is empty."))
    if len(turn.sentence) > MAX_CHARACTERS:
        return Understanding(Generate(Reason.TOO_LONG, f"The sentence is longer than {MAX_CHARACTERS} characters."))
    with trace.stage("language"):
        ranked = await rank_languages(turn, grammars, settings.ha_assist_languages, house)
        interpreters = [
            Interpreter(house, grammar, Steps(settings.ha_assist_step))
            for language in ranked[:MAX_LANGUAGES]
            if (grammar := await load(grammars, language)) is not None
        ]
    if not interpreters:
        return Understanding(Generate(Reason.NOT_RECOGNISED, "There is no grammar of an enabled language."))
    trace.note("ha_plan", original=turn.sentence, canonical=normalise(turn.sentence), repairs=[])
    found = Readers(tuple(interpreters), settings, trace, lessons).read(turn)
    note_interpretation(trace, found)
    outcome = _without_read(found, house, Steps(settings.ha_assist_step))
    return Understanding(outcome, found.language, found.planned, found.changes, found.parts)


def _without_read(found: Interpretation, house: RequestHome, steps: Steps) -> Outcome:
    """The first step, where one call changes all that is to be changed and nothing has to be read for it."""
    if not isinstance(found.outcome, Act) or not found.changes or found.planned:
        return found.outcome
    call = adjusting_call(found.changes, house, steps, found.language)
    return found.outcome if call is None else replace(found.outcome, calls=(call,))


async def rank_languages(
    turn: Turn, grammars: GrammarLibrary, languages: Sequence[str], house: RequestHome | None = None
) -> tuple[str, ...]:
    """Languages to try: the one that the client told unless the words speak against it, then by the words."""
    if len(languages) == 1:
        return (languages[0],)
    detector = await grammars.loads.detector(tuple(languages))
    names = house.home.sample if house else ""
    sentence = _without_names(turn.sentence, house)
    ranked = detector.rank(sentence, turn.earlier_sentences, names, named=sentence != turn.sentence)
    told = house.language if house and house.language in detector.languages else None
    if told is None:
        return ranked or ("en",)
    if told in ranked or not detector.knows(sentence):
        return (told, *(r for r in ranked if r != told))
    return (*ranked[:1], told, *ranked[1:])


def _without_names(sentence: str, house: RequestHome | None) -> str:
    """The sentence without the names of the home, whose language may be another; the whole where nothing is left."""
    if house is None:
        return sentence
    text = sentence
    for mention in sorted(house.home.names.mentions(sentence), key=lambda m: m.start - m.end):
        if mention.end - mention.start > 2:
            text = text.replace(mention.text, " ")
    return text if text.strip() else sentence


async def load(grammars: GrammarLibrary, language: str) -> Grammar | None:
    """A grammar, parsed in a thread when it is not in memory yet."""
    return await grammars.loads.grammar(language)


def common_words(grammars: GrammarLibrary, language: str | None) -> Collection[str]:
    """The folded words of a grammar that is in memory; none of another."""
    grammar = grammars.get(language) if language is not None and grammars.in_memory(language) else None
    return grammar.words.keys() if grammar is not None else ()


def note_interpretation(trace: Trace, found: Interpretation) -> None:
    """Put what was understood into the trace."""
    chosen = found.planned[0].candidate if found.planned else (found.candidates[0] if found.candidates else None)
    if found.heard:
        trace.note("ha_plan", canonical=found.heard)
    trace.note(
        "ha_intent",
        stage=found.stage,
        exact=chosen.intent if chosen else None,
        candidates=[
            {"intent": c.intent, "slots": dict(c.slots), "template": c.template, "language": c.language}
            for c in found.candidates[:8]
        ],
        source="own" if chosen and chosen.own else "official",
    )
    if chosen is None:
        items = [item for command in found.commands for item in command.reference.items]
        if items:
            areas = [item.text for item in items if item.area is not None]
            names = [item.text for item in items if item.area is None]
            trace.note("ha_plan", name=" ".join(names) or None, area=next(iter(areas), None))
        return
    named = getattr(found.outcome, "candidates", ())
    trace.note(
        "ha_plan",
        domain=chosen.slots.get("domain") or chosen.domain,
        area=chosen.slots.get("area"),
        name=chosen.slots.get("name"),
        action=chosen.intent,
        target_ambiguous=len(named) > 1,
        target_candidates=list(named),
        targets=[e.name for p in found.planned for e in p.targets],
    )
