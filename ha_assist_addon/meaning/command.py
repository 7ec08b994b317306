"""What a person asked for, in the person's terms; no tool and no entity id stands here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..home.entity import Area
from .acts import Act, Quantity


class Scope(StrEnum):
    """Where something is meant that has no place of its own in the sentence."""

    OPEN = "open"
    """Nothing was said."""
    HERE = "here"
    HOME = "home"


class Degree(StrEnum):
    """How far a value moves where no number says it."""

    SMALL = "small"
    NORMAL = "normal"
    LARGE = "large"
    END = "end"


@dataclass(frozen=True, slots=True)
class Value:
    """A value that is set, or by how much it changes.

    `amount` is in `unit` ("percent", "degree", "kelvin" or none), absolute unless `relative`; `factor` multiplies.
    """

    amount: float | None = None
    unit: str | None = None
    relative: bool = False
    degree: Degree = Degree.NORMAL
    factor: float | None = None
    colour: str | None = None
    kelvin: int | None = None

    @property
    def is_set(self) -> bool:
        """Whether it says what is to be reached."""
        return (self.amount is not None and not self.relative) or self.colour is not None or self.kelvin is not None


@dataclass(frozen=True, slots=True)
class Item:
    """One part of a reference: words, and the entities that they can speak of.

    `kind` is "name", "word", "area", "floor" or a noun's kind of thing behind "noun:"; `exact` says that a name is
    written out.
    """

    kind: str
    text: str
    words: tuple[str, ...]
    bearers: frozenset[int]
    exact: bool = True
    area: Area | None = None
    plural: bool | None = None

    @property
    def noun(self) -> str | None:
        """The kind of thing, where this is a noun."""
        return self.kind[5:] if self.kind.startswith("noun:") else None


@dataclass(frozen=True, slots=True)
class Reference:
    """What the words say of the target. `everything` means all that can be switched, whatever it is."""

    items: tuple[Item, ...] = ()
    scope: Scope = Scope.OPEN
    all: bool = False
    both: bool = False
    everything: bool = False
    pronoun: bool = False
    other: bool = False
    exceptions: tuple[Reference, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the words name nothing at all."""
        return not (self.items or self.everything or self.pronoun or self.other) and self.scope is Scope.OPEN

    @property
    def names_no_thing(self) -> bool:
        """Whether rooms or floors are all that is named, if anything is."""
        return all(i.kind in ("area", "floor") for i in self.items) and not self.everything

    @property
    def plural(self) -> bool:
        """Whether more than one thing is spoken of."""
        return self.all or self.both or self.everything or any(item.plural is True for item in self.items)


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do. `acts` are what the verb can mean, best first; the target decides: raising a blind opens it."""

    acts: tuple[Act, ...]
    reference: Reference
    quantity: Quantity | None = None
    value: Value = Value()
    text: str = ""
