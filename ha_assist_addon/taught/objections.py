"""What speaks against a lesson before it is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from pydantic import ValidationError

from ..home.catalogue import Home
from ..home.entity import fold
from ..language.lexicon import Lexicon
from ..language.tokens import key_of
from ..language.words import fold_word, word_texts
from .lessons import Entry, Lessons
from .model import MOST_ALIASES, MOST_SENTENCES, TaughtAlias, TaughtSentence, key_of_taught
from .names import bearer_of, entities_named


class Objection(StrEnum):
    """Why a lesson is not kept; the panel has a sentence for each."""

    NO_SENTENCE = "no_sentence"
    NO_NAME = "no_name"
    ANSWER = "answer"
    TWICE = "twice"
    TOO_MANY = "too_many"
    NO_TARGET = "no_target"
    TOO_MANY_TARGETS = "too_many_targets"
    GONE = "gone"
    ALIKE = "alike"
    NO_ACTION = "no_action"
    NO_VALUE = "no_value"
    NOT_OFFERED = "not_offered"
    NOTHING_COMMON = "nothing_common"
    ITS_OWN = "its_own"
    TAKEN = "taken"
    ORDINARY = "ordinary"
    NOT_SAVED = "not_saved"


@dataclass(frozen=True, slots=True)
class Objected:
    """An objection, and the name that it is about."""

    objection: Objection
    name: str = ""


def object_to_sentence(lesson: TaughtSentence, lexicons: Iterable[Lexicon]) -> Objected | None:
    """A short answer would be taken for an order wherever no question of ours is open."""
    said = key_of(lesson.sentence)
    if any(said in words.yes | words.no | words.never_mind | words.more for words in lexicons):
        return Objected(Objection.ANSWER)
    return None


def object_to_alias(alias: TaughtAlias, home: Home, ordinary: Collection[str]) -> Objected | None:
    """A name must not be somebody else's, nor one of the words of which commands are made."""
    meant = alias.of.name
    if alias.of.domain is not None:
        found = entities_named(alias.of, home)
        if len(found) != 1:
            return Objected(Objection.ALIKE if found else Objection.GONE, meant)
        own = {fold(name) for name in found[0].names}
    else:
        area = home.area_by_name.get(fold(meant))
        if area is None:
            return Objected(Objection.GONE, meant)
        own = {fold(name) for name in area.names}
    bearer = bearer_of(alias.alias, home)
    if bearer is not None:
        return Objected(Objection.ITS_OWN if fold(bearer) in own else Objection.TAKEN, bearer)
    if all(fold_word(word) in ordinary for word in word_texts(alias.alias)):
        return Objected(Objection.ORDINARY)
    return None


def add(entry: Entry, lessons: Lessons) -> Lessons | Objected:
    """The lessons with this one, or what stands against it among them."""
    if isinstance(entry, TaughtSentence):
        if any(one.key == entry.key and one.id != entry.id for one in lessons.sentences):
            return Objected(Objection.TWICE, entry.sentence)
        full = len(lessons.sentences) >= MOST_SENTENCES
    else:
        key = key_of_taught(entry.alias)
        if any(key_of_taught(one.alias) == key and one.id != entry.id for one in lessons.aliases):
            return Objected(Objection.TWICE, entry.alias)
        full = len(lessons.aliases) >= MOST_ALIASES
    if full and lessons.entry(entry.id) is None:
        return Objected(Objection.TOO_MANY)
    try:
        return lessons.with_entry(entry)
    except ValidationError:
        return Objected(Objection.TWICE)
