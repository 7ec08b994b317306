"""Several questions in one sentence: each part is a question by itself, or asks the same of another place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..language.conjunctions import joints
from ..turn.outcome import Act, Answer, Reason
from .interpret import Interpreter
from .interpretation import Interpretation
from .question_again import with_new_place
from .questions import certain_question

STAGE = "questions"
MOST_QUESTIONS = 4
MOST_WORDS = 30
"""More joints or words are no few questions: each way to cut them is read as a whole."""
_SHORTEST = 2
"""Words that a question has at least."""

Read = Callable[[str], Interpretation | None]


def interpret_questions(text: str, interpreter: Interpreter, alone: Read) -> Interpretation | None:
    """The sentence as questions that are answered one after another, or None where a part of it is none."""
    words = joints(interpreter.grammar.language)
    if words is None:
        return None
    sentence = text.strip()
    cuts = [(m.start(), m.end()) for m in words.joint.finditer(sentence) if m.start() > 0]
    if not 0 < len(cuts) < MOST_QUESTIONS or len(sentence.split()) > MOST_WORDS:
        return None
    parts = next((p for p in _ways(sentence, cuts, interpreter, alone) if len(p) > 1), None)
    if parts is None:
        return None
    planned = tuple({p.call.key: p for part in parts for p in part.planned}.values())
    candidates = tuple(c for part in parts for c in part.candidates[:1])
    language = parts[0].language
    why = f"The sentence asks {len(parts)} questions."
    if not planned:
        told = " ".join(part.outcome.text for part in parts if isinstance(part.outcome, Answer))
        return Interpretation(Answer(told, Reason.READ_STATE, why), STAGE, language, (), candidates)
    act = Act((planned[0].call,), Reason.READ_STATE, why)
    return Interpretation(act, STAGE, language, planned, candidates, parts=tuple(parts))


def _ways(
    sentence: str, cuts: Sequence[tuple[int, int]], interpreter: Interpreter, alone: Read
) -> Iterator[list[Interpretation]]:
    """The sentence cut at one joint after another, as far as what stands before each is a question."""
    for number, (end, start) in enumerate(cuts):
        if len(sentence[:end].split()) < _SHORTEST:
            continue
        first = certain_question(alone(sentence[:end]))
        if first is None:
            continue
        rest = sentence[start:]
        later = [(a - start, b - start) for a, b in cuts[number + 1 :]][: MOST_QUESTIONS - 2]
        for more in _ways(rest, later, interpreter, alone):
            yield [first, *more]
        second = certain_question(alone(rest)) if len(rest.split()) >= _SHORTEST else None
        second = second or certain_question(
            with_new_place(sentence[end:].strip(" ,"), first.candidates[0], interpreter)
        )
        if second is not None:
            yield [first, second]
