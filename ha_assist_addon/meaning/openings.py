"""What stands between the home and the street."""

from __future__ import annotations

import re
from functools import lru_cache

from ..home.entity import Entity
from ..language.data import look_up
from .kinds import cover_class

_CLOSING_OFF = frozenset({"door", "garage", "gate", "garage_door"})


def opens_the_home(entity: Entity, language: str) -> bool:
    """Whether opening an entity lets somebody, or water, in: by its domain, its class, or what its name says it is."""
    if entity.domain in ("lock", "alarm_control_panel", "valve"):
        return True
    if entity.domain != "cover":
        return False
    if cover_class(entity, language) in _CLOSING_OFF:
        return True
    patterns = [p for code in (language, "en") if (p := _guarded(code)) is not None]
    return entity.device_class is None and any(p.search(name) for p in patterns for name in entity.names)


@lru_cache(maxsize=32)
def _guarded(language: str) -> re.Pattern[str] | None:
    """Words in the names of what closes off the home."""
    text = (look_up("grounding", language) or {}).get("guarded")
    return re.compile(rf"(?<!\w)(?:{text})(?!\w)", re.IGNORECASE) if text else None


def opens(intent: str, entity: Entity, language: str) -> bool:
    """Whether an intent opens an entity that stands between the home and the street."""
    if not opens_the_home(entity, language):
        return False
    if entity.domain == "lock":
        return intent in ("HassTurnOff", "HassToggle")
    return intent in ("HassTurnOn", "HassSetPosition", "HassToggle")
