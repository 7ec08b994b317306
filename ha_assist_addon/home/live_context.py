"""The states that a GetLiveContext result holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .entity import Entity
from .entity_list import read_entities

LARGEST = 1e15
"""No device measures more: a template that failed or a hostile device says 1e400, and it would be read out."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_NO_NUMBER = frozenset({"nan", "inf", "infinity"})
_UNIT = "unit_of_measurement"


def read_live_context(text: str) -> tuple[Entity, ...]:
    """Read `Live Context: An overview ...:` and the YAML list behind it."""
    start = text.find("\n- ")
    if start < 0:
        return ()
    return tuple(map(_believable, read_entities(text[start + 1 :])))


def _believable(entity: Entity) -> Entity:
    """Without values that are numbers and that nothing can have."""
    state, attributes = entity.state, entity.attributes
    if _UNIT in attributes and state is not None and _is_absurd(state, measured=True):
        entity = replace(entity, state="unknown")
    kept: Mapping[str, Any] = {key: value for key, value in attributes.items() if not _is_absurd(value)}
    return entity if len(kept) == len(attributes) else replace(entity, attributes=kept)


def _is_absurd(value: Any, *, measured: bool = False) -> bool:
    text = str(value).strip()
    if measured and text.lstrip("+-").casefold() in _NO_NUMBER:
        return True
    return _NUMBER.fullmatch(text) is not None and not abs(float(text)) <= LARGEST
