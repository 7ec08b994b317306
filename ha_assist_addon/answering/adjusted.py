"""What became of values that were changed by so much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from ..home.entity import Entity, fold
from ..language.replies import say
from ..meaning.change import Halt, Halted
from ..wording.respond import halted
from ..wording.speak import amount, enumerate_names
from .our_results import Told, read_told

_MOST = 5
"""Values that are told one by one."""
_WHY = {"off": Halt.OFF, "at_end": Halt.AT_END, "unavailable": Halt.UNAVAILABLE, "unknown": Halt.UNKNOWN}


class Changed(Told):
    """A value as it is now."""

    name: str = Field(max_length=255)
    to: float


class _Unchanged(Told):
    name: str = Field(max_length=255)
    why: str


class Adjusted(Told):
    """The values that changed, and those that did not."""

    unit: str = Field(max_length=16)
    changed: tuple[Changed, ...]
    unchanged: tuple[_Unchanged, ...]


def read_adjusted(data: Any) -> Adjusted | None:
    """What the tool told, or None where that cannot be read."""
    return read_told(Adjusted, data)


def say_adjusted(told: Adjusted, language: str | None, meant: Sequence[Entity]) -> str:
    """What each value is now, and why others are as they were."""
    said: list[str] = []
    if len(told.changed) > _MOST:
        said.append(say("done", language))
    elif told.changed:
        values = [say("value_of", language, name=c.name, value=amount(c.to, told.unit, language)) for c in told.changed]
        said.append(f"{enumerate_names(values, language)}.")
    for why in dict.fromkeys(one.why for one in told.unchanged):
        names = [one.name for one in told.unchanged if one.why == why]
        entities = tuple(e for e in meant if fold(e.name) in set(map(fold, names)))
        if (halt := _WHY.get(why)) is not None and entities:
            # Only where nothing moved is it asked whether what is off is to be turned on.
            if not (halt is Halt.OFF and told.changed):
                said.append(halted(Halted(halt, entities), language))
        else:
            said.append(say("failed_named", language, names=enumerate_names(names, language)))
    return " ".join(said) or say("no_state", language)
