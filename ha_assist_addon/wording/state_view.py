"""A live entity as Home Assistant's response templates see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StateView:
    """A live entity as the official response templates see it (`helpers/template` in HA core)."""

    name: str
    domain: str
    state: str
    attributes: Mapping[str, Any]
    spoken: str | None = None

    @property
    def entity_id(self) -> str:
        """Stands for the id that the live context does not tell; `state_attr` takes it back."""
        return self.name

    @property
    def state_with_unit(self) -> str:
        """The state and its unit, as Home Assistant speaks it; in words where those were asked for."""
        if self.spoken is not None:
            return self.spoken
        unit = self.attributes.get("unit_of_measurement")
        return f"{self.state} {unit}" if unit else self.state
