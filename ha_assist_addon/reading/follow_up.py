"""The answer to a question of ours: "the left one" means the command that was asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from ..conversation import Role
from ..home.catalogue import Home
from ..home.entity import Entity
from ..home.mentions import longest
from ..language.data import look_up
from ..language.words import folded_words, words_of
from ..recognition.recognise import normalise
from ..turn.history import Turn
from ..turn.outcome import Act, Reason
from .exception import interpret_exception
from .interpret import Interpretation, Interpreter
from .unknown import find_unknown

MAX_WORDS = 6
"""A longer sentence is no answer to "which one?"."""


def answer_to_question(turn: Turn, interpreter: Interpreter) -> Interpretation | None:
    """What was asked about, decided by the current sentence; None where it answers no question of ours."""
    asked = _asked_about(turn)
    words = words_of(turn.sentence)
    if asked is None or not 0 < len(words) <= MAX_WORDS:
        return None
    sentence = normalise(turn.sentence)
    if interpreter.guard(sentence, interpreter.mentions(sentence)) is not None:
        return None
    proposed = interpret_exception(asked, interpreter)
    if proposed is not None:
        return _confirmed(proposed, turn.sentence, interpreter.grammar.language)
    before = interpreter.single(asked)
    if before is not None:
        return _chosen(before, asked, folded_words(turn.sentence), interpreter)
    return _completed(asked, turn, interpreter)


def _asked_about(turn: Turn) -> str | None:
    """The sentence before a question of the assistant that ended the last turn."""
    if len(turn.before) < 2:
        return None
    last = turn.before[-1]
    if last.role is not Role.ASSISTANT or last.tool_calls or not last.text.rstrip().endswith("?"):
        return None
    earlier = turn.earlier_sentences
    return earlier[-1] if earlier else None


def _chosen(
    before: Interpretation, asked: str, words: Sequence[str], interpreter: Interpreter
) -> Interpretation | None:
    """The one candidate that the answer points at, in the place of the ambiguous target."""
    if not before.asked or not before.candidates:
        return None
    expected = frozenset(folded_words(asked)).union(*map(_words_of_entity, before.asked))
    if not _adds_nothing(words, expected, interpreter):
        return None
    scores = {id(e): len(_own_words(e, before.asked) & set(words)) for e in before.asked}
    best = max(scores.values())
    pointed = [e for e in before.asked if scores[id(e)] == best]
    first = before.candidates[0]
    if not best:
        return None
    if len(pointed) == 1:
        only = pointed[0]
        slots = {**first.slots, "name": only.name, **({"area": only.area} if only.area else {})}
        return _as_answer(interpreter.decide((replace(first, slots=slots, domain=only.domain),)))
    areas = {e.area for e in pointed}
    area = areas.pop()
    if areas or area is None or "name" in first.slots or not _named(area, words):
        return None
    return _as_answer(interpreter.decide((replace(first, slots={**first.slots, "area": area}),)))


def _named(area: str, words: Sequence[str]) -> bool:
    """Whether the answer says the whole name of an area."""
    return set(words).issuperset(folded_words(area))


def _own_words(entity: Entity, others: Sequence[Entity]) -> set[str]:
    """The words that tell an entity from the others: of its names, and of its area."""
    own = _words_of_entity(entity)
    shared = set.intersection(*(_words_of_entity(e) for e in others)) if len(others) > 1 else set()
    return own - shared


def _words_of_entity(entity: Entity) -> set[str]:
    return {word for text in (*entity.names, *entity.areas) for word in folded_words(text)}


def _confirmed(proposed: Interpretation, answer: str, language: str) -> Interpretation | None:
    """What was proposed, after a yes."""
    if " ".join(words_of_answer(answer)) not in answers(language).get("yes", ()):
        return None
    act = Act(tuple(p.call for p in proposed.proposed), Reason.FOLLOW_UP, "The person said yes to these targets.")
    return replace(proposed, outcome=act, planned=proposed.proposed, stage="follow_up")


def _completed(asked: str, turn: Turn, interpreter: Interpreter) -> Interpretation | None:
    """The command with the unknown name replaced: by the name in the answer, or, after a yes, by the one we offered."""
    sentence, answer, home = normalise(asked), normalise(turn.sentence), interpreter.house.home
    unknown = find_unknown(sentence, interpreter.mentions(sentence), home, interpreter.grammar)
    if unknown is None:
        return None
    said = " ".join(words_of_answer(answer))
    if said in answers(interpreter.grammar.language).get("yes", ()):
        known = unknown.near[0] if _offered(turn.before[-1].text, home) == set(unknown.near[:1]) else None
    else:
        meant = longest(home.names.mentions(answer))
        known = meant[0].known.value if len({m.known.value for m in meant}) == 1 else None
        expected = frozenset(folded_words(asked))
        rest = f"{answer[: meant[0].start]} {answer[meant[0].end :]}" if meant else ""
        if not _adds_nothing(folded_words(rest), expected, interpreter):
            return None
    if known is None:
        return None
    found = interpreter.single(sentence.replace(unknown.text, known, 1))
    return _as_answer(found) if found is not None and found.certain else None


def _offered(question: str, home: Home) -> set[str]:
    """The names that a question of ours holds, without those that are only a piece of another one."""
    found = home.names.mentions(question)
    return {
        m.known.value
        for m in found
        if not any(x.start <= m.start and m.end <= x.end and x.text != m.text for x in found)
    }


def _adds_nothing(words: Sequence[str], expected: frozenset[str], interpreter: Interpreter) -> bool:
    """Whether an answer says nothing besides what it was asked: no colour, no number, no other command."""
    language = interpreter.grammar.language
    said = answers(language)
    fillers = {word for kind in ("yes", "no", "filler") for text in said.get(kind, ()) for word in folded_words(text)}
    return not said.get("filler") or set(words) <= fillers | expected


def words_of_answer(text: str) -> tuple[str, ...]:
    """The words of a short answer, in lower case."""
    return tuple(w.text.casefold() for w in words_of(text))


@lru_cache(maxsize=64)
def answers(language: str) -> Mapping[str, tuple[str, ...]]:
    """How a language says yes and no."""
    return {kind: tuple(words) for kind, words in (look_up("answers", language) or {}).items()}


def _as_answer(found: Interpretation) -> Interpretation:
    outcome = found.outcome
    if isinstance(outcome, Act):
        outcome = replace(
            outcome, reason=Reason.FOLLOW_UP, why="The sentence answers the question that was asked back."
        )
    return replace(found, outcome=outcome, stage="follow_up")
