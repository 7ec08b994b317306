"""What became of undoing the last action."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ..language.times import say_timed
from ..wording.speak import enumerate_names
from .our_results import Told, read_told


class _Left(Told):
    name: str = Field(max_length=255)
    why: str


class _Undone(Told):
    found: bool
    undone: tuple[str, ...] = ()
    not_undone: tuple[_Left, ...] = ()


def answer_undone(data: Any, language: str) -> str | None:
    """What is as before and what is not; None where what was told cannot be read."""
    told = read_told(_Undone, data)
    if told is None:
        return None
    said: list[str] = []
    if told.undone:
        names = enumerate_names(told.undone, language)
        said.append(say_timed("undo_done", language, names=names, many=len(told.undone) > 1))
    if named := [one.name for one in told.not_undone if one.why != "hidden"]:
        said.append(say_timed("undo_left", language, names=enumerate_names(named, language)))
    if len(named) < len(told.not_undone):
        said.append(say_timed("undo_others", language))
    return " ".join(said) or say_timed("undo_nothing", language)
