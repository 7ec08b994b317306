"""What a language has and lacks beside English, and that its words do not contradict each other.

`gaps.yaml` holds what is known to be missing or double. A test fails on a new gap, and on one that
was closed and is still listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest
import yaml

from ha_assist_addon.language.data import languages_with, read_file
from ha_assist_addon.language.lexicon import Meaning, _verbs, lexicon
from ha_assist_addon.language.lexicon_file import LexiconFile
from ha_assist_addon.language.tokens import tokens_of
from ha_assist_addon.meaning.acts import Act, Quantity
from ha_assist_addon.meaning.command import Degree
from ha_assist_addon.meaning.guard import guards
from ha_assist_addon.meaning.kinds import KINDS
from tests.support.shared import ROOT

KNOWN: Mapping[str, Any] = yaml.safe_load((ROOT / "tests/language/gaps.yaml").read_text(encoding="utf-8"))
FILES = (
    "claims", "conjunctions", "follow_ups", "grounding", "guards", "hearing", "lexicon", "prefixes",
    "prompts", "questions", "replies", "sentences", "spoken", "timers",
)  # fmt: skip
COMPARED = tuple(kind for kind in FILES if kind not in ("hearing", "prefixes", "questions", "sentences", "timers"))
"""Files with the same parts in every language; the others hold what only their language needs."""
LANGUAGES = tuple(language for language in languages_with("replies") if language != "en")
LEXICONS = languages_with("lexicon")

SMALL_PARTS = ("articles", "prepositions", "courtesies", "wake_words", "fillers")
"""Phrases that are passed over: none of them may say what is to be done or forbid it."""
NO_GUARDS = frozenset({"item", "other", "unfinished"})
"""Kinds that make no sentence unsafe, or only where they end it."""
OPPOSITES = (
    (Act.ON, Act.OFF), (Act.OPEN, Act.CLOSE), (Act.LOCK, Act.UNLOCK), (Act.UP, Act.DOWN), (Act.START, Act.STOP),
    (Act.PAUSE, Act.RESUME), (Act.NEXT, Act.PREVIOUS), (Act.MUTE, Act.UNMUTE),
)  # fmt: skip


def known(subject: str, language: str) -> Any:
    return KNOWN.get(subject, {}).get(language, [])


@cache
def words_file(language: str) -> LexiconFile:
    return LexiconFile.model_validate(read_file("lexicon", language))


def parts(data: Any, path: str = "") -> Iterator[str]:
    """The parts of a file that are not empty, by their path."""
    for key, value in data.items() if isinstance(data, Mapping) else ():
        if value not in (None, "", [], {}):
            yield f"{path}{key}"
            yield from parts(value, f"{path}{key}.")


def missing(wanted: Iterable[str], present: Iterable[str]) -> Iterator[str]:
    """What is wanted and not there; of a part that is missing altogether only its name."""
    lacking = set(wanted) - set(present)
    return (path for path in sorted(lacking) if path.rpartition(".")[0] not in lacking)


def comparable(kind: str, language: str) -> set[str]:
    """The parts of a file: the verbs of a lexicon by what they can do, since their forms differ.

    Of `spoken` only whole tables count: for a state that is not in them, Home Assistant's own word is said.
    """
    data = read_file(kind, language) or {}
    if kind == "spoken":
        return {part for part in parts(data) if "." not in part}
    if kind != "lexicon":
        return set(parts(data))
    verbs = {f"verbs.{act}" for _, meaning in verb_forms(language) for act in acts_of(meaning)}
    return verbs | {part for part in parts(data) if not part.startswith("verbs.")}


def verb_forms(language: str) -> Iterator[tuple[str, Meaning]]:
    return _verbs(words_file(language))


def acts_of(meaning: Meaning) -> set[str]:
    particles = {act for acts in meaning.particles.values() for act in acts}
    return {*meaning.acts, *meaning.bare, *meaning.state, *particles}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_lacks_only_the_files_that_are_known(language: str) -> None:
    assert [kind for kind in FILES if read_file(kind, language) is None] == known("files", language)


@pytest.mark.parametrize(("language", "kind"), list(product(LANGUAGES, COMPARED)))
def test_a_language_lacks_only_the_parts_that_are_known(language: str, kind: str) -> None:
    if read_file(kind, language) is None:
        assert kind in known("files", language)
        return
    lacking = list(missing(comparable(kind, "en"), comparable(kind, language)))
    assert lacking == KNOWN["parts"].get(kind, {}).get(language, [])


def test_a_gap_is_seen() -> None:
    english = set(parts({"bare": {"on": ["on"], "off": ["off"]}, "joints": ["and"], "both": []}))
    assert list(missing(english, parts({"bare": {"on": ["an"], "off": []}}))) == ["bare.off", "joints"]
    assert list(missing(english, parts({"joints": ["und"]}))) == ["bare"]


@pytest.mark.parametrize("language", LEXICONS)
def test_a_lexicon_keeps_to_its_schema_and_its_terms(language: str) -> None:
    """Every act, quantity, degree and kind of thing that it names exists."""
    file = words_file(language)
    named = [act for _, meaning in verb_forms(language) for act in acts_of(meaning)]
    named += [*file.bare, *file.states, *file.comparatives, *file.complaints]
    for act, _, quantity in (text.partition(":") for text in named):
        assert act in set(Act), act
        assert quantity in {"", *Quantity}, quantity
    assert set(file.quantities) <= set(Quantity)
    assert set(file.degrees) <= set(Degree)
    assert set(file.nouns) <= set(KINDS)


@pytest.mark.parametrize("language", LEXICONS)
def test_no_phrase_that_is_passed_over_is_a_guard_word(language: str) -> None:
    patterns = {kind: pattern for kind, pattern in (guards(language) or {}).items() if kind not in NO_GUARDS}
    found = [
        f"{phrase}: {kind}"
        for part in SMALL_PARTS
        for phrase in getattr(words_file(language), part)
        for kind, pattern in patterns.items()
        if pattern.search(f"x {phrase}")  # behind a word: a guard of the beginning of a sentence does not count
    ]
    assert found == known("guarded_small_phrases", language)


@pytest.mark.parametrize("language", LEXICONS)
def test_no_phrase_that_is_passed_over_tells_an_act(language: str) -> None:
    words = lexicon(language)
    assert words is not None
    found = []
    for phrase in (phrase for part in SMALL_PARTS for phrase in getattr(words_file(language), part)):
        tokens = tokens_of(phrase)
        readings = [m for end, meanings in words.starting(tokens, 0) if end == len(tokens) for m in meanings]
        if acts := {act for m in readings for act in (*m.acts, *m.bare, *m.state)}:
            found.append(f"{phrase}: {', '.join(sorted(acts))}")
    assert found == known("acting_small_phrases", language)


@pytest.mark.parametrize("language", LEXICONS)
def test_no_form_means_both_of_two_opposites(language: str) -> None:
    """A verb alone, a verb with one particle, and a state: each goes one way."""
    file = words_file(language)
    said: dict[str, set[str]] = {}
    for form, meaning in verb_forms(language):
        said.setdefault(form, set()).update(meaning.acts)
        for particle, acts in meaning.particles.items():
            said.setdefault(f"{form} {particle}", set()).update(acts)
    for name, table in (("bare", file.bare), ("state", file.states)):
        for act, phrases in table.items():
            for phrase in phrases:
                said.setdefault(f"{name}: {phrase}", set()).add(act)
    assert sorted(form for form, acts in said.items() if _contradict(acts)) == known("both_ways", language)


def _contradict(acts: Iterable[str]) -> bool:
    plain = {act.partition(":")[0] for act in acts}
    return any(plain.issuperset(pair) for pair in OPPOSITES)


def test_a_contradiction_is_seen() -> None:
    assert _contradict({"up:brightness", "down:volume"})
    assert not _contradict({"open", "on", "up"})
