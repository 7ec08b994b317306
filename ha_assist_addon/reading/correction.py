"""A sentence that takes the one before back and says it otherwise: "no, the snug lamp", "I meant the kitchen"."""

from __future__ import annotations

from collections.abc import Sequence

from ..language.lexicon import Lexicon, Role, lexicon
from ..language.tokens import Token, key_of, tokens_of
from ..meaning.evidence import says_verb
from ..meaning.guard import find_guards

_NEGATION = "negation"


def without_correction(sentence: str, language: str) -> str | None:
    """What is said instead, without the words that take back; None where nothing is taken back.

    Where "no" is also how a language negates a verb, no verb may follow: Spanish "no, enciende" is not sure.
    """
    words = lexicon(language)
    if words is None or key_of(sentence) in words.no:
        return None
    tokens = tokens_of(sentence)
    start = _behind_correction(tokens, words)
    if start is None or start >= len(tokens):
        return None
    taken_back, rest = sentence[: tokens[start].start], sentence[tokens[start].start :]
    negates = any(g.kind == _NEGATION for g in find_guards(taken_back, (), language))
    return None if negates and says_verb(rest, language) else rest


def _behind_correction(tokens: Sequence[Token], words: Lexicon) -> int | None:
    """The token behind a "no" that a comma ends, behind an "I meant", or behind both."""
    no = _behind_no(tokens, words)
    at = _behind_marks(tokens, no or 0)
    meant = max((end for end, ms in words.starting(tokens, at) if any(m.role is Role.MEAN for m in ms)), default=None)
    if meant is not None:
        return _behind_marks(tokens, meant)
    return at if no is not None and at > no else None


def _behind_no(tokens: Sequence[Token], words: Lexicon) -> int | None:
    for size in range(min(len(tokens), 4), 0, -1):
        if " ".join(t.folded for t in tokens[:size]) in words.no:
            return size
    return None


def _behind_marks(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].is_mark:
        at += 1
    return at
