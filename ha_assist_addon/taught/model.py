"""What was taught, as its file holds it: every field is checked, and nothing in it is a pattern."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from ..meaning.acts import Act, Quantity
from ..recognition.recognise import normalise

LONGEST_SENTENCE = 200
LONGEST_NAME = 60
LONGEST_KNOWN = 255
"""Characters of a name of Home Assistant's."""
MOST_SENTENCES = 500
MOST_ALIASES = 500
MOST_TARGETS = 12
_OF_TEMPLATES = re.compile(r"[\[\]{}()<>|]")


def key_of_taught(text: str) -> str:
    """The form in which sentences are compared: the whole of it, without case, punctuation and double spaces.

    A question mark makes another sentence of it: "lights off?" asks what "lights off" orders.
    """
    plain = " ".join(normalise(unicodedata.normalize("NFC", text)).casefold().split())
    return f"{plain}?" if plain and text.rstrip().endswith(("?", "？", "؟")) else plain


def _plain(text: str) -> str:
    """Words alone: a template would say more than one sentence, and an unseen character other than what is read."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    if _OF_TEMPLATES.search(text):
        raise ValueError("brackets and bars are no words")
    if not text.isprintable() or not any(c.isalnum() for c in text):
        raise ValueError("there are no words in it")
    return text


Sentence = Annotated[str, Field(min_length=1, max_length=LONGEST_SENTENCE), AfterValidator(_plain)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^,;:]*$"), AfterValidator(_plain)]
KnownName = Annotated[str, Field(min_length=1, max_length=LONGEST_KNOWN)]
Identity = Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


class Target(_Part):
    """One device, by its name, its domain and where it stands; or, without a name, all of a domain in an area."""

    name: KnownName | None = None
    domain: Annotated[str, Field(pattern=r"^[a-z_]{1,64}$")]
    area: KnownName | None = None

    @model_validator(mode="after")
    def _is_somewhere(self) -> Self:
        if self.name is None and self.area is None:
            raise ValueError("it names neither a device nor an area")
        return self


class Deed(_Part):
    """One action; with `amount` in percent or degrees, or a `colour` by its English name."""

    act: Act
    quantity: Quantity | None = None
    amount: Annotated[float, Field(ge=0, le=100)] | None = None
    colour: Annotated[str, Field(pattern=r"^[a-z]{2,30}$")] | None = None


class _Lesson(_Part):
    id: Identity


class TaughtSentence(_Lesson):
    """A sentence that means one action on one or several targets, or that is left to the model."""

    sentence: Sentence
    language: Annotated[str, Field(pattern=r"^[A-Za-z-]{2,16}$")] | None = None
    target: Target | None = None
    targets: Annotated[tuple[Target, ...], Field(min_length=2, max_length=MOST_TARGETS)] | None = None
    does: Deed | None = None
    model: Literal[True] | None = None

    @model_validator(mode="after")
    def _means_one_thing(self) -> Self:
        acts = self.does is not None
        if acts == (self.model is not None) or (self.target is not None) + (self.targets is not None) != acts:
            raise ValueError("it needs either `target` or `targets` with `does`, or `model: true`")
        if self.targets is not None and len(set(self.targets)) < len(self.targets):
            raise ValueError("a target stands in it twice")
        return self

    @property
    def meant(self) -> tuple[Target, ...]:
        """All that it acts on; whole areas first, so that a device of such an area comes after all of its kind."""
        if self.targets is not None:
            return tuple(sorted(self.targets, key=lambda one: one.name is not None))
        return (self.target,) if self.target is not None else ()

    @property
    def domain(self) -> str:
        """What it acts on is all of this domain; empty where it differs."""
        domains = {one.domain for one in self.meant}
        return next(iter(domains)) if len(domains) == 1 else ""

    def on_each(self) -> list[TaughtSentence]:
        """The same sentence with each of its targets alone."""
        return [self.model_copy(update={"target": one, "targets": None}) for one in self.meant]

    @property
    def key(self) -> str:
        """What it is found by."""
        return key_of_taught(self.sentence)


class AliasOf(_Part):
    """The device or, without a domain, the area that gets another name."""

    name: KnownName
    domain: Annotated[str, Field(pattern=r"^[a-z_]{1,64}$")] | None = None
    area: KnownName | None = None


class TaughtAlias(_Lesson):
    """Another name of a device or an area."""

    alias: Name
    of: AliasOf


class TaughtFile(_Part):
    """All that was taught."""

    version: Literal[1] = 1
    sentences: Annotated[tuple[TaughtSentence, ...], Field(max_length=MOST_SENTENCES)] = ()
    aliases: Annotated[tuple[TaughtAlias, ...], Field(max_length=MOST_ALIASES)] = ()

    @model_validator(mode="after")
    def _says_nothing_twice(self) -> Self:
        for found in ([one.key for one in self.sentences], [key_of_taught(one.alias) for one in self.aliases]):
            if len(set(found)) < len(found):
                raise ValueError("a sentence or a name stands in it twice")
        identities = [*(one.id for one in self.sentences), *(one.id for one in self.aliases)]
        if len(set(identities)) < len(identities):
            raise ValueError("an id stands in it twice")
        return self
