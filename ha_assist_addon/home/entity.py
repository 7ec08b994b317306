"""One exposed entity, as the prompt or the live context describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Area:
    """An area: its name, then its aliases."""

    names: tuple[str, ...]
    floor: str | None = None
    taught: frozenset[str] = frozenset()
    """Those of the names, folded, that Home Assistant does not know."""

    @property
    def name(self) -> str:
        """The area's own name, the spelling to emit."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity without its id: Home Assistant's prompt names entities, it does not identify them.

    `state`, `attributes`, `device_class` and `floor` are known only from a live context or from `ha_context`.
    """

    names: tuple[str, ...]
    domain: str
    areas: tuple[str, ...] = ()
    state: str | None = None
    device_class: str | None = None
    floor: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    taught: frozenset[str] = frozenset()
    """Those of the names, folded, that Home Assistant does not know."""

    @property
    def name(self) -> str:
        """The friendly name, the spelling to emit."""
        return self.names[0] if self.names else ""

    @property
    def area(self) -> str | None:
        """The area's own name."""
        return self.areas[0] if self.areas else None


def fold(text: str) -> str:
    """The form under which Home Assistant compares names: trimmed and case-folded (`helpers/intent.py`)."""
    return text.strip().casefold()
