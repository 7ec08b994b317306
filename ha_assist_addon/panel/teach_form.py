"""What somebody typed and chose to teach, and the lesson that it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from multidict import MultiMapping
from pydantic import ValidationError

from ..taught.deeds import COLOURS, Choice, common_choices
from ..taught.lessons import Entry, Lessons
from ..taught.model import MOST_TARGETS, AliasOf, Deed, Target, TaughtAlias, TaughtSentence
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
    more: str = ""
    """Further targets, one a line."""
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
        target = texts.get(f"target_{kind}", typed.target)
        more = form.get("more", "")
        if isinstance(form, MultiMapping):
            more = "\n".join(one for one in form.getall("more", ()) if isinstance(one, str))
        lines = [one.strip() for one in str(more)[: _LONGEST * MOST_TARGETS * 4].splitlines()]
        further = [one for one in dict.fromkeys(lines) if one and one != target]
        return replace(typed, kind=kind, amount=amount, target=target, more="\n".join(further))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values of all targets."""
        return tuple(one for one in (self.target, *self.more.splitlines()) if one)

    @classmethod
    def from_entry(cls, entry: Entry) -> Typed:
        """The form that comes to this lesson."""
        if isinstance(entry, TaughtAlias):
            of = Target(name=entry.of.name, domain=entry.of.domain, area=entry.of.area) if entry.of.domain else None
            target = value_of(of) if of is not None else value_of_area(entry.of.name)
            return cls(entry=entry.id, kind="name", alias=entry.alias, target=target)
        if entry.does is None:
            return cls(entry=entry.id, kind="model", sentence=entry.sentence)
        deed = entry.does
        return cls(
            entry=entry.id,
            sentence=entry.sentence,
            target=value_of(entry.target) if entry.target is not None else "",
            more="\n".join(value_of(one) for one in entry.targets or ()),
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


def targets_of_form(typed: Typed) -> tuple[Target, ...] | Objected:
    """The chosen devices, or all of a kind in an area, or what is wrong with the choice."""
    if len(typed.chosen) > MOST_TARGETS:
        return Objected(Objection.TOO_MANY_TARGETS)
    try:
        found = tuple(dict.fromkeys(Target.model_validate_json(one) for one in typed.chosen))
    except ValidationError:
        found = ()
    return found or Objected(Objection.NO_TARGET)


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
    targets = targets_of_form(typed)
    if isinstance(targets, Objected):
        return targets
    choice = next((one for one in common_choices(targets) if one.name == typed.choice), None)
    if choice is None:
        return Objected(Objection.NO_ACTION)
    deed = _deed(choice, typed)
    if isinstance(deed, Objected):
        return deed
    on = {"target": targets[0]} if len(targets) == 1 else {"targets": targets}
    return _validated(known | on | {"does": deed})


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
