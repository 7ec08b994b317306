"""What somebody typed and chose to teach, and the lesson that it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import ValidationError

from ..taught.deeds import COLOURS, Choice, choices_for
from ..taught.lessons import Entry, Lessons
from ..taught.model import AliasOf, Deed, Target, TaughtAlias, TaughtSentence
from ..taught.objections import Objected, Objection

Kind = Literal["action", "name", "model"]
_LONGEST = 1200
"""Characters of a field: a target holds two names of Home Assistant's."""
KINDS: tuple[Kind, ...] = ("action", "name", "model")
DEFAULT_AMOUNTS: Mapping[str, str] = {"temperature": "21"}
"""What stands in the field of a number; 50 percent elsewhere."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields of the form, as text."""

    request: str = ""
    entry: str = ""
    kind: str = "action"
    sentence: str = ""
    alias: str = ""
    target: str = ""
    choice: str = ""
    amount: str = ""
    colour: str = ""

    @classmethod
    def of(cls, form: Mapping[str, Any]) -> Typed:
        """What came in; each kind has a field of its own for the target, each action one for its number."""
        texts = {name: value.strip()[:_LONGEST] for name, value in form.items() if isinstance(value, str)}
        typed = cls(**{name: texts.get(name, "") for name in cls.__dataclass_fields__})
        kind = typed.kind if typed.kind in KINDS else "action"
        amount = texts.get(f"amount_{typed.choice}", typed.amount)
        return replace(typed, kind=kind, amount=amount, target=texts.get(f"target_{kind}", typed.target))

    @classmethod
    def from_entry(cls, entry: Entry) -> Typed:
        """The form that comes to this lesson."""
        if isinstance(entry, TaughtAlias):
            of = Target(name=entry.of.name, domain=entry.of.domain, area=entry.of.area) if entry.of.domain else None
            target = value_of(of) if of is not None else value_of_area(entry.of.name)
            return cls(entry=entry.id, kind="name", alias=entry.alias, target=target)
        if entry.target is None or entry.does is None:
            return cls(entry=entry.id, kind="model", sentence=entry.sentence)
        deed = entry.does
        return cls(
            entry=entry.id,
            sentence=entry.sentence,
            target=value_of(entry.target),
            choice=Choice(deed.act, deed.quantity).name,
            amount=f"{deed.amount:g}" if deed.amount is not None else "",
            colour=deed.colour or "",
        )


def value_of(target: Target) -> str:
    """A target as the value of a form's field."""
    return target.model_dump_json(exclude_none=True)


def value_of_area(name: str) -> str:
    """An area as the target of a name."""
    return AliasOf(name=name).model_dump_json(exclude_none=True)


def target_of(typed: Typed) -> Target | None:
    """The chosen device, or all of a kind in an area; None where nothing usable was chosen."""
    try:
        return Target.model_validate_json(typed.target)
    except ValidationError:
        return None


def lesson_of(typed: Typed, language: str, lessons: Lessons) -> Entry | Objected:
    """The lesson that the form comes to, or what is missing in it."""
    former = lessons.entry(typed.entry)
    identity = former.id if former is not None else lessons.new_id()
    if typed.kind == "name":
        return _alias(typed, identity)
    told = former.language if isinstance(former, TaughtSentence) else None
    known = {"id": identity, "sentence": typed.sentence, "language": told or language}
    if typed.kind == "model":
        return _validated(known | {"model": True})
    target = target_of(typed)
    if target is None:
        return Objected(Objection.NO_TARGET)
    choice = next((one for one in choices_for(target.domain) if one.name == typed.choice), None)
    if choice is None:
        return Objected(Objection.NO_ACTION)
    deed = _deed(choice, typed)
    return deed if isinstance(deed, Objected) else _validated(known | {"target": target, "does": deed})


def _alias(typed: Typed, identity: str) -> TaughtAlias | Objected:
    try:
        of = AliasOf.model_validate_json(typed.target)
    except ValidationError:
        return Objected(Objection.NO_TARGET)
    try:
        return TaughtAlias(id=identity, alias=typed.alias, of=of)
    except ValidationError:
        return Objected(Objection.NO_NAME)


def _validated(fields: Mapping[str, Any]) -> TaughtSentence | Objected:
    try:
        return TaughtSentence.model_validate(fields)
    except ValidationError:
        return Objected(Objection.NO_SENTENCE)


def _deed(choice: Choice, typed: Typed) -> Deed | Objected:
    if choice.wants_colour and typed.colour not in COLOURS:
        return Objected(Objection.NO_VALUE)
    try:
        amount = float(typed.amount.replace(",", ".")) if choice.wants_amount else None
        colour = typed.colour if choice.wants_colour else None
        return Deed(act=choice.act, quantity=choice.quantity, amount=amount, colour=colour)
    except ValueError:
        return Objected(Objection.NO_VALUE)
