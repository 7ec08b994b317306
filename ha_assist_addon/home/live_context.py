"""The states that a GetLiveContext result holds."""

from __future__ import annotations

from .entity import Entity
from .entity_list import read_entities


def read_live_context(text: str) -> tuple[Entity, ...]:
    """Read `Live Context: An overview ...:` and the YAML list behind it."""
    start = text.find("\n- ")
    if start < 0:
        return ()
    return read_entities(text[start + 1 :])
