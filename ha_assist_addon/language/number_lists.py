"""Number lists that hassil keeps apart.

hassil caches the number words of a range for the whole process, under the range's start, stop, step and fractions, but
not its multiplier (docs/upstream.md). "Ten" of `volume_step_down` (0 to 100, times -1) and "ten" of `brightness` (0 to
100) then have the value of whichever was asked for first. A start that carries the multiplier makes two keys of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from hassil.intents import Intents, RangeSlotList, SlotList


class _ScaledStart(int):
    """The start of a range, equal only to that of a range with the same multiplier; a number in all else."""

    multiplier: float

    def __new__(cls, start: int, multiplier: float) -> Self:
        made = super().__new__(cls, start)
        made.multiplier = multiplier
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ScaledStart) and (int(self), self.multiplier) == (int(other), other.multiplier)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((int(self), self.multiplier))


def separate_scaled_lists(intents: Intents) -> None:
    """Give each range with a multiplier a place of its own in hassil's cache."""
    _separate(intents.slot_lists)
    for intent in intents.intents.values():
        for block in intent.data:
            _separate(block.slot_lists)


def _separate(lists: dict[str, SlotList]) -> None:
    for name, values in lists.items():
        if isinstance(values, RangeSlotList) and values.multiplier is not None:
            lists[name] = replace(values, start=_ScaledStart(values.start, values.multiplier))
