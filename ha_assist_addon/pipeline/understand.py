"""What the current sentence asks for, decided from the request alone: the deterministic heart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..diagnostics.trace import Trace
from ..home.floors_said import as_said
from ..language.grammar import Grammar, GrammarLibrary
from ..language.replies import say
from ..settings.model import Assist
from .carry_over import carried_over
from .compound import interpret_compound
from .context import House
from .exception import interpret_exception
from .follow_up import answer_to_question
from .guard import FREE_TEXT_INTENTS
from .history import Turn
from .interpret import Interpretation, Interpreter
from .outcome import Answer, Ask, Generate, Outcome, Reason, Wait
from .plan import Planned
from .query import CALENDAR_INTENTS, LIST_INTENTS
from .recognise import ITEM_INTENTS, MAX_CHARACTERS, normalise
from .reorder import interpret_reordered
from .repair import interpret_repaired, mistyped
from .unknown import find_unknown

MAX_LANGUAGES = 4
"""How many languages are tried where the words leave it open."""

MAX_REPAIRED = 2
"""In how many of them a sentence is repaired."""

_SEARCH = "HassMediaSearchAndPlay"


@dataclass(frozen=True, slots=True)
class Understanding:
    """The first step of the turn, and the calls that the whole turn needs, in order."""

    outcome: Outcome
    language: str | None = None
    planned: tuple[Planned, ...] = ()


async def understand(
    turn: Turn, house: House, grammars: GrammarLibrary, settings: Assist, trace: Trace
) -> Understanding:
    """What the sentence asks for; where its word for a floor is none that the home knows, as if no floor was known."""
    found = await _understood(turn, house, grammars, settings, trace)
    if isinstance(found.outcome, Generate):
        home = as_said(house.home, turn.sentence, found.language or house.language or "en")
        if home is not house.home:
            again = await _understood(turn, replace(house, home=home), grammars, settings, trace)
            answered = isinstance(again.outcome, Answer) or (
                not isinstance(again.outcome, Wait) and again.outcome.reason is Reason.READ_STATE
            )
            found = again if answered else found
    return found


async def _understood(
    turn: Turn, house: House, grammars: GrammarLibrary, settings: Assist, trace: Trace
) -> Understanding:
    """Recognise the sentence in the likeliest languages; what none of them holds is repaired, or asked back."""
    if not turn.sentence:
        return Understanding(Ask(say("nothing_said", None), (), Reason.EMPTY, "The sentence is empty."))
    if len(turn.sentence) > MAX_CHARACTERS:
        return Understanding(Generate(Reason.TOO_LONG, f"The sentence is longer than {MAX_CHARACTERS} characters."))
    with trace.stage("language"):
        ranked = await rank_languages(turn, grammars, settings.ha_assist_languages, house)
        interpreters = [
            Interpreter(house, grammar)
            for language in ranked[:MAX_LANGUAGES]
            if (grammar := await load(grammars, language)) is not None
        ]
    trace.note("ha_plan", original=turn.sentence, canonical=normalise(turn.sentence), repairs=[])
    with trace.stage("intent_recognition"):
        found = interpret(turn.sentence, interpreters)
        if interpreters and (found is None or not found.certain or found.by_name_alone):
            found = answer_to_question(turn, interpreters[0]) or carried_over(turn, interpreters[0]) or found
    doubtful = found is not None and _doubtful(found, interpreters)
    if (found is None or doubtful) and interpreters:
        with trace.stage("canonicalize"):
            repaired = repair(turn.sentence, interpreters, settings, trace)
        found = repaired if repaired is not None and not _free_text(repaired) else _kept(found)
    if found is None and interpreters:
        with trace.stage("unknown_names"):
            return _unknown(turn.sentence, interpreters[0], trace)
    if found is None:
        return Understanding(Generate(Reason.NOT_RECOGNISED, "No grammar of an enabled language fits."))
    note_interpretation(trace, found)
    return Understanding(found.outcome, found.language, found.planned)


def repair(text: str, interpreters: Sequence[Interpreter], settings: Assist, trace: Trace) -> Interpretation | None:
    """The sentence put right: first its words, then their order; one that needs free text waits for the others."""
    found: Interpretation | None = None
    for interpreter in interpreters[:MAX_REPAIRED]:
        repaired = interpret_repaired(text, interpreter, settings, trace)
        if repaired is not None and not _free_text(repaired):
            return repaired
        found = found or repaired
    if found is None and settings.ha_assist_sentence_repair:
        found = interpret_reordered(text, interpreters[0])
    return found


def _doubtful(found: Interpretation, interpreters: Sequence[Interpreter]) -> bool:
    """Whether free text swallowed a mistyped word: `the kithcen timer` is no timer called kithcen."""
    first = found.candidates[0] if found.candidates else None
    if first is None or not first.free_text or first.intent in FREE_TEXT_INTENTS - {_SEARCH}:
        return False
    if first.intent in LIST_INTENTS | CALENDAR_INTENTS:  # what is looked for there is the person's own word
        return False
    if _number_in_name(found):
        return True
    return any(mistyped(text, reader) for reader in interpreters[:MAX_REPAIRED] for text in first.free_texts)


def _number_in_name(found: Interpretation | None) -> bool:
    first = found.candidates[0] if found is not None and found.candidates else None
    return first is not None and "Timer" in first.intent and any(c.isdigit() for c in str(first.slots.get("name", "")))


def _kept(found: Interpretation | None) -> Interpretation | None:
    """A doubtful reading that could not be put right: any words may be a title or a timer's name, but no number."""
    if found is None or not _number_in_name(found):
        return found
    why = "No timer is called by a number, and what else it means is not clear."
    return replace(found, outcome=Generate(Reason.NOT_RECOGNISED, why), planned=(), stage="doubtful")


def interpret(text: str, interpreters: Sequence[Interpreter]) -> Interpretation | None:
    """The likeliest language that understands the sentence; one that needs free text for it waits for the others."""
    loosest: Interpretation | None = None
    for interpreter in interpreters:
        found = interpreter.single(text)
        if found is None:
            continue
        free = _free_text(found)
        if not free:
            return found
        if loosest is None or free < _free_text(loosest):
            loosest = found
    if loosest is not None and not _names_two_lists(loosest, interpreters[0]):
        return loosest
    several = (read(text, i) for i in interpreters[:2] for read in (interpret_compound, interpret_exception))
    return next((found for found in several if found is not None), None)


def _names_two_lists(found: Interpretation, interpreter: Interpreter) -> bool:
    """Whether an item holds the name of a list: `milk to the groceries and eggs` is no item of another list."""
    first = found.candidates[0]
    if first.intent not in ITEM_INTENTS:
        return False
    item = str(first.said.get("item", ""))
    lists = (m for m in interpreter.house.home.names.mentions(item) if m.known.domain == "todo" and m.start > 0)
    return any(not item[m.start - 1].isalnum() and not item[m.end : m.end + 1].isalnum() for m in lists)


def _free_text(found: Interpretation) -> int:
    return found.candidates[0].free_text if found.candidates else 0


async def rank_languages(
    turn: Turn, grammars: GrammarLibrary, languages: Sequence[str], house: House | None = None
) -> tuple[str, ...]:
    """Languages to try: the one that the client told unless the words speak against it, then by the words."""
    if len(languages) == 1:
        return (languages[0],)
    detector = await grammars.loads.detector(tuple(languages))
    names = house.home.sample if house else ""
    ranked = detector.rank(_without_names(turn.sentence, house), turn.earlier_sentences, names)
    told = house.language if house and house.language in detector.languages else None
    if told is None:
        return ranked or tuple(languages[:1]) or ("en",)
    return (
        (told, *(r for r in ranked if r != told)) if told in ranked or not ranked else (*ranked[:1], told, *ranked[1:])
    )


def _without_names(sentence: str, house: House | None) -> str:
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


def _unknown(text: str, interpreter: Interpreter, trace: Trace) -> Understanding:
    sentence, home, language = normalise(text), interpreter.house.home, interpreter.grammar.language
    mentions = interpreter.mentions(sentence)
    guarded = interpreter.guard(sentence, mentions)
    if guarded is not None:
        why = f"{guarded.word!r} makes it no plain command ({guarded.kind})."
        return Understanding(Generate(Reason.GUARDED, why), language)
    unknown = find_unknown(sentence, mentions, home, interpreter.grammar) if home.entities else None
    if unknown is None:
        return Understanding(Generate(Reason.NOT_RECOGNISED, "No sentence of the grammar fits."), language)
    trace.note("ha_intent", unknown={"slot": unknown.slot, "text": unknown.text, "near": list(unknown.near)})
    return Understanding(unknown.outcome(language), language)


def note_interpretation(trace: Trace, found: Interpretation) -> None:
    """Put what was understood into the trace."""
    chosen = found.planned[0].candidate if found.planned else (found.candidates[0] if found.candidates else None)
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
