"""Devices and what the home answered, each in one short line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..conversation import Message, Role
from ..home.entity import Entity, fold
from ..home.live_context import read_live_context
from ..home.toolbox import plain_name
from ..turn.history import Round, ToolResult
from .tools import READ_TOOL

_MOST_ALIASES = 3
_MOST_STATES = 24
_SHOWN: Mapping[str, str] = {
    "current_temperature": "measures",
    "temperature": "temperature",
    "humidity": "humidity",
    "current_humidity": "humidity now",
    "brightness_pct": "brightness %",
    "current_position": "position %",
    "percentage": "speed %",
    "volume_level": "volume",
    "media_title": "title",
    "media_artist": "artist",
    "hvac_action": "action",
    "device_class": "class",
}
"""The attributes that answer questions, and how they are called."""


def entity_line(entity: Entity) -> str:
    """`Floor Lamp / Reading Lamp (light, Living Room)`, with the state where it is known."""
    names = " / ".join(entity.names[: _MOST_ALIASES + 1])
    place = f"{entity.domain}, {entity.area}" if entity.area else entity.domain
    return f"{names} ({place}){state_of(entity)}"


def state_of(entity: Entity) -> str:
    """` = on, brightness % 40`, empty where no state is known."""
    if entity.state is None:
        return ""
    unit = entity.attributes.get("unit_of_measurement")
    state = f"{entity.state} {unit}" if unit else entity.state
    more = [
        f"{label} {entity.attributes[key]}"
        for key, label in _SHOWN.items()
        if key in entity.attributes and isinstance(entity.attributes[key], str | int | float)
    ]
    return f" = {', '.join([state, *more])}"


def result_text(tool: str, result: ToolResult | None, relevant: Sequence[Entity]) -> str:
    """What a call gave, for a prompt: states of relevant entities only, everything else as compact JSON."""
    if result is None:
        return "no result"
    if plain_name(tool) == READ_TOOL and (states := _states(result.data, relevant)):
        return states
    if isinstance(result.data, str):
        return result.data
    return json.dumps(result.data, ensure_ascii=False, separators=(",", ":"))


def told_round(made: Round, relevant: Sequence[Entity], label: str) -> tuple[Message, Message]:
    """A round in the form in which the model writes itself, for those that know no tool messages."""
    calls = [{"tool": plain_name(call.name), "args": dict(call.arguments)} for call in made.calls]
    results = [
        f"{label} {plain_name(call.name)}: {result_text(call.name, result, relevant)}"
        for call, result in zip(made.calls, made.results, strict=True)
    ]
    return (
        Message(Role.ASSISTANT, json.dumps({"calls": calls}, ensure_ascii=False)),
        Message(Role.USER, lines(results)),
    )


def _states(data: Any, relevant: Sequence[Entity]) -> str:
    text = data.get("result") if isinstance(data, dict) else data
    found = read_live_context(text) if isinstance(text, str) else ()
    wanted = {(fold(e.name), e.domain) for e in relevant}
    kept = [e for e in found if (fold(e.name), e.domain) in wanted] or found[:_MOST_STATES]
    return lines(entity_line(e) for e in kept)


def lines(items: Iterable[str]) -> str:
    """One item a line."""
    return "\n".join(items)
