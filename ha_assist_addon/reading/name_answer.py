"""The answer to "I don't know that name": the sentence before with the name that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..home.catalogue import Home
from ..home.mentions import longest
from ..language.lexicon import Role, lexicon
from ..language.tokens import key_of, tokens_of
from ..recognition.recognise import normalise
from ..turn.history import Turn
from ..turn.outcome import Act, Generate, Reason
from .before import Before
from .composed import interpret_composed
from .interpret import Interpreter
from .interpretation import Interpretation
from .unknown import find_unknown

MAX_WORDS = 6
_FILLING = frozenset({Role.SMALL, Role.COURTESY, Role.MEAN, Role.FILLER, Role.ONE})


def complete_name(turn: Turn, before: Before, interpreter: Interpreter) -> Interpretation | None:
    """The command with the unknown name replaced: by the name in the answer, or, after a yes, by the one we offered."""
    words = lexicon(interpreter.grammar.language)
    if words is None or before.question is None or not isinstance(before.meaning.outcome, Generate):
        return None
    sentence, answer, home = normalise(before.sentence), normalise(turn.sentence), interpreter.house.home
    if len(answer.split()) > MAX_WORDS:
        return None
    unknown = find_unknown(sentence, interpreter.mentions(sentence), home, interpreter.grammar)
    if unknown is None:
        return None
    if key_of(answer) in words.yes:
        known = unknown.near[0] if unknown.near and _offered(before.question, home) == set(unknown.near[:1]) else None
    else:
        known = _named(answer, home, interpreter.grammar.language)
    if known is None:
        return None
    text = sentence.replace(unknown.text, known, 1)
    found = interpret_composed(text, interpreter)
    if found is None or not found.certain:
        found = interpreter.single(text)
    if found is None or not isinstance(found.outcome, Act):
        return None
    act = replace(found.outcome, reason=Reason.FOLLOW_UP, why="The sentence answers the question that was asked back.")
    return replace(found, outcome=act, stage="follow_up", before=before.sentence, answers=True)


def _named(answer: str, home: Home, language: str) -> str | None:
    """The one name in an answer that says nothing besides."""
    meant = longest(home.names.mentions(answer))
    if len({m.known.value for m in meant}) != 1:
        return None
    rest = f"{answer[: meant[0].start]} {answer[meant[0].end :]}"
    return meant[0].known.value if _adds_nothing(rest, language) else None


def _adds_nothing(text: str, language: str) -> bool:
    """Whether the words only fill: no colour, no number, no other command."""
    words, tokens = lexicon(language), tokens_of(text)
    return words is not None and all(
        token.is_mark
        or any(m.role in _FILLING for end, ms in words.starting(tokens, at) for m in ms)
        or _continues(at, tokens, language)
        for at, token in enumerate(tokens)
    )


def _continues(at: int, tokens: Sequence[object], language: str) -> bool:
    """Whether a token is a later word of a phrase that fills."""
    words = lexicon(language)
    return words is not None and any(
        end > at and any(m.role in _FILLING for m in ms)
        for start in range(at)
        for end, ms in words.starting(tokens, start)  # type: ignore[arg-type]
    )


def _offered(question: str, home: Home) -> set[str]:
    """The names that a question of ours holds, without those that are only a piece of another one."""
    found = home.names.mentions(question)
    return {
        m.known.value
        for m in found
        if not any(x.start <= m.start and m.end <= x.end and x.text != m.text for x in found)
    }
