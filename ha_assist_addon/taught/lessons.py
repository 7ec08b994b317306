"""What was taught, ready for use: sentences by their key, and changes that give new lessons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from secrets import token_hex
from typing import TypeVar

from .model import TaughtAlias, TaughtFile, TaughtSentence, key_of_taught

Entry = TaughtSentence | TaughtAlias
One = TypeVar("One", bound=TaughtSentence | TaughtAlias)


@dataclass(frozen=True, eq=False)
class Lessons:
    """Immutable; a change makes new ones. Compared by identity, as what is made of a home is kept by it."""

    file: TaughtFile = field(default_factory=TaughtFile)

    @cached_property
    def _by_key(self) -> Mapping[str, TaughtSentence]:
        return {one.key: one for one in self.file.sentences}

    @property
    def sentences(self) -> tuple[TaughtSentence, ...]:
        """In the order in which they were taught."""
        return self.file.sentences

    @property
    def aliases(self) -> tuple[TaughtAlias, ...]:
        """In the order in which they were taught."""
        return self.file.aliases

    def find(self, sentence: str) -> TaughtSentence | None:
        """What was taught for exactly this sentence."""
        return self._by_key.get(key_of_taught(sentence)) if self._by_key else None

    def entry(self, identity: str) -> Entry | None:
        """The lesson of this id."""
        found: list[Entry] = [*self.sentences, *self.aliases]
        return next((one for one in found if one.id == identity), None)

    def with_entry(self, entry: Entry) -> Lessons:
        """With one lesson more, or with one in the place of its former self. Raises pydantic's ValidationError."""
        others = self.without(entry.id)
        if isinstance(entry, TaughtSentence):
            return _lessons(_in_place(self.sentences, others.sentences, entry), others.aliases)
        return _lessons(others.sentences, _in_place(self.aliases, others.aliases, entry))

    def without(self, identity: str) -> Lessons:
        """Without the lesson of this id."""
        return _lessons(
            tuple(one for one in self.sentences if one.id != identity),
            tuple(one for one in self.aliases if one.id != identity),
        )

    def new_id(self) -> str:
        """An id that no lesson has."""
        while self.entry(identity := token_hex(4)) is not None:
            pass
        return identity


def _in_place(before: tuple[One, ...], others: tuple[One, ...], entry: One) -> tuple[One, ...]:
    places = (place for place, one in enumerate(before) if one.id == entry.id)
    at = next(places, len(others))
    return (*others[:at], entry, *others[at:])


def _lessons(sentences: tuple[TaughtSentence, ...], aliases: tuple[TaughtAlias, ...]) -> Lessons:
    return Lessons(TaughtFile(sentences=sentences, aliases=aliases))
