"""Which commands may be planned for later, and whether one would open the home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent, llm

from .restoring import SHADES

SCHEDULABLE = frozenset(
    {
        "HassTurnOn", "HassTurnOff", "HassLightSet", "HassSetPosition", "HassFanSetSpeed", "HassClimateSetTemperature",
        "HassSetVolume", "HassMediaPause", "HassMediaUnpause", "HassMediaPlayerMute", "HassMediaPlayerUnmute",
        "HassVacuumStart", "HassVacuumReturnToBase", "HassLawnMowerStartMowing", "HassLawnMowerDock",
        "HassHumidifierSetpoint", "HassHumidifierMode",
    }
)  # fmt: skip
_OPENING = frozenset({"HassTurnOn", "HassSetPosition"})
_CLOSED_OFF = frozenset({"lock", "alarm_control_panel"})
WHATEVER = frozenset({"*"})
"""What a call opens that names nothing: nobody can say yes to that."""


def opened_by(
    hass: HomeAssistant, context: llm.LLMContext, tool: str, arguments: Mapping[str, Any]
) -> frozenset[str] | None:
    """The entities that a call would open, unlock or disarm; None where nothing fits it."""
    wanted = intent.MatchTargetsConstraints(
        name=_text(arguments.get("name")),
        area_name=_text(arguments.get("area")),
        floor_name=_text(arguments.get("floor")),
        domains=_listed(arguments.get("domain")),
        device_classes=_listed(arguments.get("device_class")),
        assistant=context.assistant,
        allow_duplicate_names=True,
    )
    if not wanted.has_constraints:
        return WHATEVER
    found = intent.async_match_targets(hass, wanted)
    if not found.is_match:
        return None
    return frozenset(state.entity_id for state in found.states if _opens(tool, state))


def _opens(tool: str, state: State) -> bool:
    if state.domain in _CLOSED_OFF:
        return tool != "HassTurnOn"  # which locks
    if state.domain == "valve":
        return tool in _OPENING
    return tool in _OPENING and state.domain == "cover" and state.attributes.get("device_class") not in SHADES


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _listed(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, list) and value else None
