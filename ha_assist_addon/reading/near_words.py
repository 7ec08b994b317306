"""What a word that nobody knows may stand for: one mistyped, one that sounds alike, or two written together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from ..language.data import look_up, look_up_words
from ..language.lexicon import ARTICLES, Meaning, Role, lexicon
from ..language.prefixes import turns_around
from ..language.sounds import sound_of
from ..language.tokens import tokens_of
from ..language.words import fold_word

MAX_OPTIONS = 6
SHORTEST = 4
"""Letters that a repaired word has at least; what is typed may lack one of them."""


@dataclass(frozen=True, slots=True)
class Option:
    """What an unknown word may stand for; `edits` is how far away it is."""

    text: str
    edits: int
    kind: str


def may_compose(options: Sequence[Option], language: str) -> bool:
    """Whether the words of a repair may compose: one that was split has to begin with a verb, a joint or an article."""
    words = lexicon(language)
    if words is None:
        return False
    split = [tokens_of(o.text) for o in options if o.kind == "split"]
    return all(any(_begins_split(m) for _, ms in words.starting(t, 0) for m in ms) for t in split)


def _begins_split(meaning: Meaning) -> bool:
    return meaning.role in (Role.VERB, Role.JOINT) or (meaning.role is Role.SMALL and meaning.value in ARTICLES)


def options_of(
    word: str, known: Mapping[str, str], language: str, in_names: Collection[str] = frozenset()
) -> list[Option]:
    """What an unknown word may stand for, the nearest first; empty where nothing is near enough.

    `in_names` are the folded words of the home's names. A word that people know was hardly mistyped: it may stand for
    a name or a thing, and for what sounds like it, but not for a word that tells what to do.
    """
    folded = fold_word(word)
    if folded in known:
        return [Option(known[folded], 0, "spelling")]
    if len(folded) < SHORTEST - 1 or any(c.isdigit() for c in folded):
        return []
    found = [Option(f"{known[a]} {known[b]}", 1, "split") for a, b in _splits(folded) if a in known and b in known]
    most = 1 if len(folded) < 7 else 2
    is_word = folded in look_up_words("real_words", language)
    known = {key: text for key, text in known.items() if not _is_number(key, language)}
    near = process.extract(folded, known.keys(), scorer=DamerauLevenshtein.distance, score_cutoff=most, limit=None)
    found += [
        Option(known[key], int(edits), "typing")
        for key, edits, _ in near
        if len(key) >= SHORTEST
        and (edits < 2 or folded[0] == key[0])
        and _starts_alike(folded, key)
        and not turns_around(folded, key, language)
        and not (is_word and key not in in_names and tells_act(key, language))
    ]
    if (sound := sound_of(folded, language)) is not None:
        alike = (k for k in known if k[0] == folded[0] and len(k) >= SHORTEST and sound_of(k, language) == sound)
        found += [Option(known[key], 1, "sound") for key in alike if not turns_around(folded, key, language)]
    nearest = sorted(found, key=lambda option: (option.edits, option.text, option.kind == "typing"))
    return list({option.text: option for option in reversed(nearest)}.values())[::-1][:MAX_OPTIONS]


_ACTING = frozenset({Role.VERB, Role.DIRECTION, Role.COMPARATIVE, Role.WISH})


@lru_cache(maxsize=16384)
def tells_act(word: str, language: str) -> bool:
    """Whether a word tells what to do: a verb, a direction, a comparative."""
    words = lexicon(language)
    if words is None:
        return False
    return any(m.role in _ACTING for end, ms in words.starting(tokens_of(word), 0) if end == 1 for m in ms)


def _splits(word: str) -> Iterator[tuple[str, str]]:
    return ((word[:i], word[i:]) for i in range(2, len(word) - 1))


def _starts_alike(word: str, key: str) -> bool:
    """People seldom mistake the first letter: it is the same, missing, one too many, or swapped with the second."""
    return word[0] == key[0] or word[1:3] == key[:2] or word[:2] == key[1:3] or word[:2] == key[1::-1]


_KEPT = frozenset({"negation", "hold", "condition", "schedule", "exception", "past", "correction"})
"""Kinds of guard word that are recognised when they are mistyped, too: the sentence then stays as it is."""


def may_forbid(word: str, known: Mapping[str, str], language: str) -> bool:
    """Whether a word may be a mistyped one that keeps a sentence from being a command: "nevr".

    Two letters swapped say more than one too few or too many, and that more than one in the place of another:
    "weter" is "weiter" and hardly "weder".
    """
    folded = fold_word(word)
    if len(folded) < SHORTEST:
        return False
    near = process.extract(folded, _forbidding(language), scorer=DamerauLevenshtein.distance, score_cutoff=1)
    likely = [key for key, _, _ in near if key[0] == folded[0] or key[1::-1] == folded[:2]]
    if not likely:
        return False
    others = process.extract(folded, known.keys(), scorer=DamerauLevenshtein.distance, score_cutoff=1, limit=None)
    return min(_fault(folded, key) for key in likely) <= min((_fault(folded, key) for key, _, _ in others), default=2)


def _fault(word: str, key: str) -> int:
    """How unlikely the one fault is that tells two words apart."""
    return 0 if sorted(word) == sorted(key) else 1 if len(word) != len(key) else 2


@lru_cache(maxsize=64)
def _forbidding(language: str) -> tuple[str, ...]:
    """The guard words that are one plain word."""
    listed = look_up("guards", language) or {}
    return tuple({fold_word(w) for kind in _KEPT for w in listed.get(kind, ()) if w.isalpha() and len(w) >= SHORTEST})


@lru_cache(maxsize=16384)
def _is_number(word: str, language: str) -> bool:
    """Whether a word counts: no repair makes one of what was said."""
    words = lexicon(language)
    token = tokens_of(word)
    return words is not None and {m.role for _, ms in words.starting(token, 0) for m in ms} == {Role.NUMBER}
