"""Conservative repair: a mistyped name or command word, put right only where one reading is left.

Words that the grammar or the catalogue holds are never changed, nothing is ever dropped, words of three letters and
numbers stay as they are. Every repaired sentence is parsed and validated again from the start.
"""

from __future__ import annotations

import re
import time
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import cast

from rapidfuzz import fuzz
from rapidfuzz.distance import DamerauLevenshtein

from ..home.floors import floor_words
from ..home.mentions import Mention
from ..language.conjunctions import joint_words
from ..language.data import look_up
from ..language.lexicon import lexicon
from ..language.words import Word, fold_word, words_of
from ..meaning.guard import find_guard, is_other_word
from ..meaning.plan import PLACE_SLOTS
from ..recognition.partial_names import believable
from ..recognition.recognise import normalise
from ..settings.model import Assist
from ..trace.trace import Trace
from ..turn.outcome import Act, Generate, Reason
from .composed import interpret_composed
from .interpret import Interpreter
from .interpretation import Interpretation
from .near_words import SHORTEST, Option, may_compose, may_forbid, options_of
from .needed import is_sound

MAX_UNKNOWN_WORDS = 3
MAX_PARSES, MAX_PARSED = 24, 2400
MAX_SECONDS = 0.25
"""Bounds of the search, in characters and in the processor's own time too; over them the model has the sentence."""

_SOUNDS_ALIKE = 96.0
"""The likeness of words that are spoken alike."""
_ALONE = 2
"""So many mistyped command words are each compared by themselves; more are compared together."""
_SHORT_SENTENCE = 20
"""Characters: in a shorter command one slip does not weigh more."""
_SHORT_WORD = 95
"""The likeness that a name needs whose mistyped word is shorter than that."""


@dataclass(frozen=True, slots=True)
class Repair:
    """One changed word and how alike it is (0-100), as the trace shows it."""

    source: str
    target: str
    kind: str
    score: float


@dataclass(frozen=True, slots=True)
class _Reading:
    interpretation: Interpretation
    repairs: tuple[Repair, ...]
    score: float
    acceptable: bool = True


def interpret_repaired(text: str, interpreter: Interpreter, settings: Assist, trace: Trace) -> Interpretation | None:
    """The sentence with small faults put right, or None where that is not certain."""
    language = interpreter.grammar.language
    sentence = normalise(text)
    if interpreter.hopeless(text):
        return None
    if settings.ha_assist_fuzzy_enabled:
        names = interpreter.house.home.names
        pieces = believable(names.partial(sentence), interpreter.house.home, language)
        for loose in (names.inflected(sentence, language), pieces):
            if (found := _with_mentions(sentence, loose, interpreter)) is not None:
                return _accept(found, trace) if isinstance(found, _Reading) else found
    readings = list(_readings(text, interpreter, settings))
    chosen, rivals = _unique(readings, settings)
    trace.note(
        "ha_intent",
        fuzzy=[{"score": round(r.score, 1), "repairs": [_shown(x) for x in r.repairs]} for r in readings[:8]],
        sentence_recovery=chosen is not None and any(r.kind == "word" for r in chosen.repairs),
    )
    if chosen is None:
        if not rivals:
            return None
        why = f"{len(rivals) + 1} repaired readings are too close to each other."
        trace.note("ha_plan", repair_refused=why)
        return Interpretation(
            Generate(Reason.AMBIGUOUS, why), "repaired", language, (), rivals[0].interpretation.candidates
        )
    return _accept(chosen, trace)


def mistyped(text: str, interpreter: Interpreter) -> bool:
    """Whether a piece of free text looks like something that the grammar or the catalogue should have held."""
    known, language = _known_words(interpreter), interpreter.grammar.language
    in_names = interpreter.house.home.names.words
    return any(options_of(w.text, known, language, in_names) for w in _unknown_words(text, interpreter, known))


def knows_all_words(text: str, interpreter: Interpreter) -> bool:
    """Whether a language and the catalogue hold every word of a sentence."""
    known: Mapping[str, str] = ChainMap(*(cast("dict[str, str]", v) for v in reversed(_vocabularies(interpreter))))
    return next(_unknown_words(normalise(text), interpreter, known), None) is None


def _accept(reading: _Reading, trace: Trace) -> Interpretation:
    trace.note("ha_plan", repairs=[_shown(r) for r in reading.repairs])
    outcome = reading.interpretation.outcome
    if isinstance(outcome, Act) and outcome.reason is Reason.EXACT:
        changed = ", ".join(f"{r.source!r} as {r.target!r}" for r in reading.repairs)
        outcome = replace(outcome, reason=Reason.REPAIRED, why=f"Read {changed}; then the sentence matches.")
    return replace(reading.interpretation, outcome=outcome, stage="repaired")


def _shown(repair: Repair) -> dict[str, object]:
    return {"from": repair.source, "to": repair.target, "kind": repair.kind, "score": round(repair.score, 1)}


def _with_mentions(
    sentence: str, loose: Sequence[Mention], interpreter: Interpreter
) -> _Reading | Interpretation | None:
    """The sentence with names that are meant but not written out; a question back where several are meant."""
    if not loose:
        return None
    found = interpreter.single(sentence, (*interpreter.mentions(sentence), *loose))
    if found is None or found.by_name_alone or any(p.candidate.free_text for p in found.planned):
        return None
    if not found.certain:
        return found if len(found.asked) > 1 else None
    if any({"name", "floor"} <= p.candidate.slots.keys() for p in found.planned):
        return None  # which floor a thing is on is not known, so a piece of its name does not tell it
    used = {str(v) for p in found.planned for v in p.candidate.slots.values()}
    repairs = tuple(Repair(m.text, m.known.value, "slot", m.score) for m in loose if m.known.value in used)
    return _Reading(found, repairs[:1], repairs[0].score) if repairs else None


def _readings(text: str, interpreter: Interpreter, settings: Assist) -> Iterator[_Reading]:
    """All repaired sentences that are a certain command or question, within the bounds of the search."""
    language = interpreter.grammar.language
    heard = _as_heard(text, language)
    if heard != text and settings.ha_assist_sentence_repair and (found := _certain(heard, interpreter)) is not None:
        yield _Reading(replace(found, heard=heard), (Repair(text, heard, "word", 100.0),), 100.0)
        return
    known = _known_words(interpreter)
    unknown = list(_unknown_words(heard, interpreter, known))
    if not unknown or len(unknown) > MAX_UNKNOWN_WORDS:
        return
    if any(
        find_guard(w.text, (), language) or is_other_word(w.text, language) or may_forbid(w.text, known, language)
        for w in unknown
    ):
        return
    in_names = interpreter.house.home.names.words
    options = [options_of(w.text, known, language, in_names) for w in unknown]
    if not all(options):
        return
    ranked = sorted(product(*options), key=lambda combination: sum(o.edits for o in combination))
    deadline = time.thread_time() + MAX_SECONDS
    for number, combination in enumerate(islice(ranked, max(1, min(MAX_PARSES, MAX_PARSED // len(heard))))):
        if number and time.thread_time() > deadline:
            return
        repaired, spans = _replaced(heard, unknown, combination)
        found = _certain(repaired, interpreter, spans, composed=may_compose(combination, language))
        if found is not None:
            found = replace(found, heard=repaired)
            yield _scored(heard, repaired, unknown, combination, spans, found, settings)


def _certain(
    text: str, interpreter: Interpreter, spans: Sequence[tuple[int, int]] = (), *, composed: bool = True
) -> Interpretation | None:
    found = interpret_composed(text, interpreter) if composed else None
    if found is not None and found.certain:
        return found if is_sound(found, text, spans, interpreter) else None
    found = interpreter.single(text)
    return found if found is not None and found.certain and not found.by_name_alone else None


@lru_cache(maxsize=64)
def _heard(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    loaded = look_up("hearing", language) or {}
    return tuple((re.compile(rf"(?<!\w)(?:{said})(?!\w)", re.IGNORECASE), meant) for said, meant in loaded.items())


def _as_heard(text: str, language: str) -> str:
    for pattern, meant in _heard(language):
        text = pattern.sub(meant, text)
    return text


def _known_words(interpreter: Interpreter) -> Mapping[str, str]:
    """Words that may stand in a sentence, as they are spelt, by their folded form; the catalogue's spelling wins."""
    return {key: word for words in _vocabularies(interpreter) for key, word in words.items()}


def _vocabularies(interpreter: Interpreter) -> tuple[Mapping[str, str], ...]:
    """Where those words come from; the spelling of a later one wins."""
    language = interpreter.grammar.language
    floors = {fold_word(w.text): w.text for name in floor_words(language) for w in words_of(name)}
    joining = {fold_word(word): word for word in joint_words(language)}
    words = lexicon(language)
    composing = words.words if words is not None else {}
    return floors, joining, composing, interpreter.grammar.words, interpreter.house.home.names.words


def _unknown_words(text: str, interpreter: Interpreter, known: Mapping[str, str]) -> Iterator[Word]:
    """Words outside known names that neither the grammar nor the catalogue holds."""
    spans = [(m.start, m.end) for m in interpreter.house.home.names.mentions(text)]
    for word in words_of(text):
        if word.text.isdigit() or known.get(fold_word(word.text), "").casefold() == word.text.casefold():
            continue
        if any(start <= word.start and word.end <= end for start, end in spans):
            continue
        yield word


def _replaced(text: str, words: Sequence[Word], options: Sequence[Option]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentence with its unknown words replaced, and where the new ones stand."""
    pieces, spans, last, length = [], [], 0, 0
    for word, option in zip(words, options, strict=True):
        kept = text[last : word.start]
        length += len(kept)
        spans.append((length, length + len(option.text)))
        pieces += [kept, option.text]
        length += len(option.text)
        last = word.end
    return "".join([*pieces, text[last:]]), tuple(spans)


def _scored(
    text: str,
    repaired: str,
    words: Sequence[Word],
    options: Sequence[Option],
    spans: Sequence[tuple[int, int]],
    found: Interpretation,
    settings: Assist,
) -> _Reading:
    """The reading with its repairs; not acceptable where one of them is less alike than the settings want."""
    said = [(slot, text) for p in found.planned for slot, text in p.candidate.said.items() if text]
    slots = tuple(dict.fromkeys(text for slot, text in said if slot in PLACE_SLOTS))
    places = [_slot_at(repaired, span, slots) for span in spans]
    commands = [(span, word.text) for span, word, place in zip(spans, words, places, strict=True) if place is None]
    whole = len(commands) > _ALONE
    repairs: list[Repair] = []
    acceptable = True
    for word, option, span, place in zip(words, options, spans, places, strict=True):
        if option.kind == "spelling":
            repairs.append(Repair(word.text, option.text, "spelling", 100.0))
        elif option.kind == "sound":
            repairs.append(Repair(word.text, option.text, "sound", _SOUNDS_ALIKE))
            acceptable &= settings.ha_assist_fuzzy_enabled if place is not None else settings.ha_assist_sentence_repair
        elif place is not None:
            clean = repaired[place[0] : place[1]]
            typed = repaired[place[0] : span[0]] + word.text + repaired[span[1] : place[1]]
            repairs.append(Repair(word.text, option.text, "slot", similarity(typed.casefold(), clean.casefold())))
            least = max(settings.ha_assist_fuzzy_threshold, _SHORT_WORD if len(word.text) < SHORTEST else 0)
            acceptable &= settings.ha_assist_fuzzy_enabled and repairs[-1].score >= least
        else:
            kind = "split" if option.kind == "split" else "word"
            undone = _undone(repaired, commands if whole else [(span, word.text)])
            structure = similarity(_skeleton(undone, slots), _skeleton(repaired, slots), _SHORT_SENTENCE)
            score = similarity(text.casefold(), repaired.casefold()) if kind == "split" else structure
            repairs.append(Repair(word.text, option.text, kind, score))
            acceptable &= settings.ha_assist_sentence_repair and score >= settings.ha_assist_sentence_threshold
    return _Reading(found, tuple(repairs), min((r.score for r in repairs), default=100.0), acceptable)


def _slot_at(text: str, span: tuple[int, int], slots: Sequence[str]) -> tuple[int, int] | None:
    """The slot of the sentence in which a changed word stands, or None where it is a word of the command."""
    lowered = text.casefold()
    for slot in slots:
        start = lowered.find(slot.casefold())
        while start >= 0:
            if start <= span[0] and span[1] <= start + len(slot):
                return start, start + len(slot)
            start = lowered.find(slot.casefold(), start + 1)
    return None


def _undone(text: str, changes: Sequence[tuple[tuple[int, int], str]]) -> str:
    """The repaired sentence with some of its words as they were typed."""
    for (start, end), typed in reversed(changes):
        text = text[:start] + typed + text[end:]
    return text


def _skeleton(text: str, slots: Sequence[str]) -> str:
    """The sentence with a mark in the place of each slot, so that a long name cannot hide a changed command word."""
    skeleton = text.casefold()
    for slot in sorted(slots, key=len, reverse=True):
        skeleton = skeleton.replace(slot.casefold(), "{slot}")
    return skeleton


def similarity(one: str, other: str, shortest: int = 0) -> float:
    """Likeness (0-100): rapidfuzz's character ratio, or Damerau-Levenshtein where a swap of neighbours counts once.

    Texts that have fewer characters than `shortest` are compared as if they had as many.
    """
    length = max(len(one) + len(other), 2 * shortest)
    if not length:
        return 100.0
    edits = DamerauLevenshtein.distance(one, other)
    return max(fuzz.ratio(one, other), 100.0 * (1 - edits / length))


def _unique(readings: Sequence[_Reading], settings: Assist) -> tuple[_Reading | None, list[_Reading]]:
    """The best acceptable reading, unless another one does something else and is nearly as good."""
    plain = [r for r in readings if not any(p.candidate.free_text for p in r.interpretation.planned)]
    readings = plain or readings
    best = max((r for r in readings if r.acceptable), key=lambda r: r.score, default=None)
    if best is None:
        return None, []
    rivals = [
        r for r in readings if _effect(r) != _effect(best) and best.score - r.score < settings.ha_assist_fuzzy_margin
    ]
    return (None, rivals) if rivals else (best, [])


def _effect(reading: _Reading) -> tuple[object, ...]:
    return tuple(
        (
            p.call.name,
            frozenset(map(id, p.targets)) or repr(sorted(p.call.arguments.items())),
            repr(sorted(p.parameters.items())),
        )
        for p in reading.interpretation.planned
    )
