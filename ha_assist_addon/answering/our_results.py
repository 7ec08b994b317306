"""Reads what our own tools tell."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError


class Told(BaseModel):
    """Something that a tool tells; what a newer one tells besides is passed over."""

    model_config = ConfigDict(frozen=True)


_T = TypeVar("_T", bound=Told)


def read_told(kind: type[_T], data: Any) -> _T | None:
    """What a tool told, or None where that cannot be read."""
    try:
        return kind.model_validate(data)
    except ValidationError:
        return None
