"""The readers of a sentence, in their order; whatever one of them would do goes through the gate.

An answer to a question of ours, a sentence that was taught, one that leans on the one before, words that compose,
Home Assistant's own grammar, and the same again with small faults put right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from ..home.intents import CALENDAR_INTENTS, FREE_TEXT_INTENTS, LIST_INTENTS
from ..language.grammar import MAX_CHARACTERS
from ..language.lexicon import lexicon
from ..language.small_talk import talk_back
from ..recognition.recognise import normalise
from ..settings.model import Assist
from ..taught.lessons import Lessons
from ..trace.trace import Trace
from ..turn.history import Turn
from ..turn.outcome import Act, Answer, Ask, Generate, Reason
from .after_question import interpret_after_question
from .agenda import interpret_agenda
from .before import Before, read_before
from .certify import certified, is_guarded
from .composed import interpret_composed
from .correction import without_correction
from .dialogue import interpret_answer
from .interpret import Interpreter
from .interpretation import Interpretation
from .items import interpret_items, interpret_more_items, names_another_list, names_item, with_each_item
from .lacking import interpret_lacking
from .leaning import interpret_leaning
from .name_answer import complete_name
from .named_tool import interpret_named_tool
from .question_again import ask_again
from .questions import interpret_question
from .repair import interpret_repaired, knows_all_words, mistyped
from .scheduling import interpret_delayed, interpret_scheduled
from .taught import interpret_taught
from .timed import interpret_timed
from .timers import interpret_length, interpret_timer, interpret_timer_again
from .two_questions import interpret_questions
from .unknown import find_unknown
from .whole import interpret_whole

MAX_REPAIRED = 2
"""In how many languages a sentence is repaired."""
_SEARCH = "HassMediaSearchAndPlay"


@dataclass(frozen=True, slots=True)
class Readers:
    """All readers for one request; `interpreters` are those of the languages that it may be in, the likeliest first."""

    interpreters: tuple[Interpreter, ...]
    settings: Assist
    trace: Trace
    lessons: Lessons

    @property
    def first(self) -> Interpreter:
        """The likeliest language."""
        return self.interpreters[0]

    def read(self, turn: Turn, depth: int = 0) -> Interpretation:
        """What the turn's sentence means; where no reader knows, what is unknown in it, or that a model is needed."""
        found = self._understood(turn, depth)
        if found is None or (isinstance(found.outcome, Generate) and not found.commands and not found.taught):
            with self.trace.stage("unknown_names"):
                unknown = self._unknown(turn.sentence)
            found = unknown if found is None or unknown.stage == "unknown" else found
        if isinstance(found.outcome, Generate) and not found.taught:
            found = self._lacking(turn.sentence) or found
        return found

    def _lacking(self, sentence: str) -> Interpretation | None:
        """What the sentence would need that Home Assistant does not offer here."""
        return interpret_lacking(sentence, self.first, partial(self._alone, only=self.first))

    def _understood(self, turn: Turn, depth: int) -> Interpretation | None:
        with self.trace.stage("intent_recognition"):
            before = self._before(turn, depth)
            answer = self._answer(turn, before)
            instead = without_correction(turn.sentence, self.first.grammar.language) if before and not answer else None
            turn = turn if instead is None else replace(turn, sentence=instead)
            if answer is None and (taught := interpret_taught(turn.sentence, self.first, self.lessons)) is not None:
                return certified(taught, turn.sentence, self.first)
            found = answer or self._leaning(turn, before, depth)
            if found is not None and _is_settled(found):
                return found
            found = self._alone(turn.sentence) or found
            if found is None or not _is_settled(found):
                found = self._questions(turn.sentence) or found
            if before is not None and (found is None or not _is_settled(found)):
                found = ask_again(turn.sentence, before, self.first) or found
            if found is None or not _is_settled(found):
                found = self._for_later(turn.sentence) or found
        doubtful = found is not None and self._doubtful(found)
        if found is None or doubtful:
            with self.trace.stage("canonicalize"):
                repaired = self._repaired(turn.sentence)
            found = repaired if repaired is not None and not _free_text(repaired) else _kept(found)
        return found

    def _before(self, turn: Turn, depth: int) -> Before | None:
        """The turn before one."""
        return read_before(turn, self.first.house.home, lambda earlier: self._silently(earlier, depth + 1), depth)

    def _silently(self, turn: Turn, depth: int) -> Interpretation:
        """An earlier sentence, which leaves no trace; one that is too long to be a command asked for nothing."""
        if len(turn.sentence) > MAX_CHARACTERS:
            language = self.first.grammar.language
            return Interpretation(Generate(Reason.TOO_LONG, "An earlier sentence is too long."), "none", language)
        return replace(self, trace=Trace("")).read(turn, depth)

    def _answer(self, turn: Turn, before: Before | None) -> Interpretation | None:
        """The sentence as an answer to our question."""
        if before is None:
            return None
        answer = (
            interpret_answer(turn, before, self.first)
            or interpret_length(turn, before, self.first)
            or complete_name(turn, before, self.first)
        )
        return certified(answer, turn.sentence, self.first) if answer is not None else None

    def _leaning(self, turn: Turn, before: Before | None, depth: int) -> Interpretation | None:
        """The sentence as one that leans on the sentence before."""
        if before is None:
            return None
        leaning = (
            interpret_leaning(turn, before, lambda last: self._before(last.turn, depth + 1), self.first)
            or interpret_after_question(turn, before, self.first)
            or interpret_more_items(turn, before, self.first)
            or interpret_timer_again(turn, before, self.first)
        )
        return certified(leaning, turn.sentence, self.first) if leaning is not None else None

    def _alone(self, sentence: str, only: Interpreter | None = None) -> Interpretation | None:
        """The sentence by itself: the first language that settles it, else the first that understands some of it.

        What a language understands and one of its words forbids, no other language may do.
        """
        fallback: Interpretation | None = None
        loosest: Interpretation | None = None
        forbidden = False
        for interpreter in self.interpreters if only is None else (only,):
            if only is None and self._is_of_the_first(sentence, interpreter):
                continue
            guarded = False
            for found in self._readings(sentence, interpreter):
                guarded |= found.stage == "guard"
                if forbidden and isinstance(found.outcome, Act):
                    continue
                if not _free_text(found) and _is_settled(found):
                    return found
                if _free_text(found) and _is_settled(found):
                    loosest = found if loosest is None or _free_text(found) < _free_text(loosest) else loosest
                elif fallback is None or (_asks(found) and not _asks(fallback)):
                    fallback = found
            forbidden |= guarded
        return loosest or fallback

    def _is_of_the_first(self, sentence: str, other: Interpreter) -> bool:
        """Whether a sentence is one of the likeliest language, and of another one only by some of its words."""
        if other is self.first or lexicon(self.first.grammar.language) is None:
            return False
        return knows_all_words(sentence, self.first) and not knows_all_words(sentence, other)

    def _for_later(self, sentence: str) -> Interpretation | None:
        """The sentence as a command that is to be carried out at a time."""
        for interpreter in self.interpreters:
            read = partial(self._alone, only=interpreter)
            found = interpret_scheduled(sentence, interpreter, read) or interpret_delayed(sentence, interpreter, read)
            if found is not None:
                return certified(found, sentence, interpreter)
        return None

    def _questions(self, sentence: str) -> Interpretation | None:
        """The sentence as several questions."""
        read = (interpret_questions(sentence, i, partial(self._alone, only=i)) for i in self.interpreters)
        return next((found for found in read if found is not None), None)

    def _readings(self, sentence: str, interpreter: Interpreter) -> Iterator[Interpretation]:
        if (timed := interpret_timed(sentence, interpreter)) is not None:
            yield timed
        if (whole := interpret_whole(sentence, interpreter)) is not None:
            yield certified(whole, sentence, interpreter)
        composed = interpret_composed(sentence, interpreter)
        if composed is not None and (composed.certain or not is_guarded(composed, sentence, interpreter)):
            yield certified(composed, sentence, interpreter, wishes=self.settings.ha_assist_wishes == "ask")
            if composed.quantified and not composed.certain:
                return  # the grammar would take "all" for some
        exact = interpreter.single(sentence)
        if exact is not None and "," in sentence and names_item(exact):
            exact = interpret_items(sentence, interpreter) or exact  # the grammar reads no commas
        if exact is not None and not names_another_list(exact, interpreter):
            yield certified(with_each_item(exact, interpreter), sentence, interpreter)
        if (timer := interpret_timer(sentence, interpreter)) is not None:
            yield certified(timer, sentence, interpreter)
        if (asked := interpret_question(sentence, interpreter)) is not None:
            yield asked
        if (agenda := interpret_agenda(sentence, interpreter)) is not None:
            yield agenda
        if (items := interpret_items(sentence, interpreter)) is not None:
            yield certified(items, sentence, interpreter)
        if (named := interpret_named_tool(sentence, interpreter)) is not None:
            yield named
        if (text := talk_back(sentence, interpreter.grammar.language)) is not None:
            answer = Answer(text, Reason.SMALL_TALK, "This needs no device.")
            yield Interpretation(answer, "small_talk", interpreter.grammar.language)

    def _repaired(self, sentence: str) -> Interpretation | None:
        """The sentence with small faults put right; one that needs free text waits for the other languages."""
        found: Interpretation | None = None
        for interpreter in self.interpreters[:MAX_REPAIRED]:
            if self._is_of_the_first(sentence, interpreter):
                continue
            repaired = interpret_repaired(sentence, interpreter, self.settings, self.trace)
            if repaired is not None:
                repaired = certified(repaired, sentence, interpreter)
                if not _free_text(repaired):
                    return repaired
                found = found or repaired
        return found

    def _unknown(self, text: str) -> Interpretation:
        """A command about something that the home does not have, or no command at all."""
        interpreter = self.first
        sentence, home, language = normalise(text), interpreter.house.home, interpreter.grammar.language
        mentions = interpreter.mentions(sentence)
        guarded = interpreter.guard(sentence, mentions)
        if guarded is not None:
            why = f"{guarded.word!r} makes it no plain command ({guarded.kind})."
            return Interpretation(Generate(Reason.GUARDED, why), "guard", language)
        unknown = find_unknown(sentence, mentions, home, interpreter.grammar) if home.entities else None
        if unknown is None:
            return Interpretation(Generate(Reason.NOT_RECOGNISED, "No sentence of the grammar fits."), "none", language)
        self.trace.note("ha_intent", unknown={"slot": unknown.slot, "text": unknown.text, "near": list(unknown.near)})
        return Interpretation(unknown.outcome(language), "unknown", language)

    def _doubtful(self, found: Interpretation) -> bool:
        """Whether free text swallowed a mistyped word: `the kithcen timer` is no timer called kithcen."""
        first = found.candidates[0] if found.candidates else None
        if first is None or not first.free_text or first.intent in FREE_TEXT_INTENTS - {_SEARCH}:
            return False
        if first.intent in LIST_INTENTS | CALENDAR_INTENTS:  # what is looked for there is the person's own word
            return False
        if _number_in_name(found):
            return True
        return any(mistyped(text, reader) for reader in self.interpreters[:MAX_REPAIRED] for text in first.free_texts)


def _is_settled(found: Interpretation) -> bool:
    """Whether it acts, answers, or asks for a yes."""
    return isinstance(found.outcome, Act | Answer) or found.stage == "asked"


def _asks(found: Interpretation) -> bool:
    return isinstance(found.outcome, Ask)


def _free_text(found: Interpretation) -> int:
    return found.candidates[0].free_text if found.candidates else 0


def _number_in_name(found: Interpretation | None) -> bool:
    first = found.candidates[0] if found is not None and found.candidates else None
    return first is not None and "Timer" in first.intent and any(c.isdigit() for c in str(first.slots.get("name", "")))


def _kept(found: Interpretation | None) -> Interpretation | None:
    """A doubtful reading that could not be put right: any words may be a title or a timer's name, but no number."""
    if found is None or not _number_in_name(found):
        return found
    why = "No timer is called by a number, and what else it means is not clear."
    return replace(found, outcome=Generate(Reason.NOT_RECOGNISED, why), planned=(), stage="doubtful")
