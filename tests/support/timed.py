"""Our own tools as Home Assistant offers them, and what they tell."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

PERIODS = (
    "today", "yesterday", "last_night", "this_morning", "this_afternoon", "this_evening", "yesterday_morning",
    "yesterday_afternoon", "yesterday_evening", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday", "last_hour", "last_24_hours", "last_7_days", "last_10_days",
)  # fmt: skip
FORECAST: Mapping[str, Any] = {
    "name": "ha_assist__get_forecast",
    "description": "Reads the weather forecast and changes nothing.",
    "parameters": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "type": {"type": "string", "enum": ["daily", "hourly"]}},
        "required": [],
    },
}
HISTORY: Mapping[str, Any] = {
    "name": "ha_assist__get_history",
    "description": "Reads what a device did in the past and changes nothing.",
    "parameters": {
        "type": "object",
        "properties": {
            **{key: {"type": "string"} for key in ("name", "area", "domain", "device_class")},
            "period": {"type": "string", "enum": list(PERIODS)},
        },
        "required": [],
    },
}
NOW = datetime.fromisoformat("2026-12-01T10:30:00+01:00")
"""A Tuesday."""


def days(*told: Mapping[str, Any]) -> dict[str, Any]:
    """A forecast that begins today."""
    listed = [
        {"datetime": (NOW.replace(hour=0, minute=0) + timedelta(days=n)).isoformat(), **day}
        for n, day in enumerate(told)
    ]
    return {"name": "Home", "now": NOW.isoformat(), "type": "daily", "temperature_unit": "°C",
            "wind_speed_unit": "km/h", "forecast": listed}  # fmt: skip


def hours(first: str, *told: Mapping[str, Any]) -> dict[str, Any]:
    """A forecast of the hours from a time on."""
    start = datetime.fromisoformat(first)
    listed = [{"datetime": (start + timedelta(hours=n)).isoformat(), **hour} for n, hour in enumerate(told)]
    return {**days(), "type": "hourly", "forecast": listed}


def history(name: str, domain: str, state: str, *changes: tuple[str, str], **more: Any) -> dict[str, Any]:
    """The history of an entity; `first` is how it began, the changes are `(state, time)`."""
    first = more.pop("first", "off")
    start = more.pop("start", "2026-11-21T10:30:00+01:00")
    instants = [datetime.fromisoformat(start), *(datetime.fromisoformat(f"{at}:00+01:00") for _, at in changes), NOW]
    states: dict[str, dict[str, Any]] = {}
    for number, one in enumerate((first, *(s for s, _ in changes))):
        told = states.setdefault(one, {"times": 0, "seconds": 0, "began": None, "ended": None})
        told["seconds"] += (instants[number + 1] - instants[number]).total_seconds()
        if number:
            told["times"] += 1
    return {
        "name": name, "domain": domain, "now": NOW.isoformat(), "from": start, "to": NOW.isoformat(), "state": state,
        "since": NOW.isoformat(), "known_from": start, "first": first, "states": states,
        "changes": [{"state": s, "at": f"{at}:00+01:00"} for s, at in changes], "changes_in_all": len(changes), **more,
    }  # fmt: skip


UNDO: Mapping[str, Any] = {
    "name": "ha_assist__undo",
    "description": "Acts: brings back the states before the last action.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}
SCHEDULE: Mapping[str, Any] = {
    "name": "ha_assist__schedule",
    "description": "Acts later, once.",
    "parameters": {
        "type": "object",
        "properties": {
            "what": {"type": "string"},
            "tool": {"type": "string"},
            "arguments": {"type": "object", "additionalProperties": True},
            "time": {"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"},
            "either_half": {"type": "boolean"},
            "day": {
                "type": "string",
                "enum": ["today", "tomorrow", "day_after_tomorrow", "monday", "tuesday", "wednesday", "thursday",
                         "friday", "saturday", "sunday"],
            },
            "after_seconds": {"type": "integer", "minimum": 1},
            "sun": {"type": "string", "enum": ["sunrise", "sunset"]},
            "confirmed": {"type": "boolean"},
        },
        "required": ["what", "tool", "arguments"],
    },
}  # fmt: skip
LIST: Mapping[str, Any] = {
    "name": "ha_assist__list_scheduled",
    "description": "Reads what is planned.",
    "parameters": {"type": "object", "properties": {}, "required": []},
}
CANCEL: Mapping[str, Any] = {
    "name": "ha_assist__cancel_scheduled",
    "description": "Acts: takes back what is planned.",
    "parameters": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "which": {"type": "string", "enum": ["last", "all"]}},
        "required": [],
    },
}
ADJUST: Mapping[str, Any] = {
    "name": "ha_assist__adjust",
    "description": "Acts: changes one quantity of the named entities from what it is now.",
    "parameters": {
        "type": "object",
        "properties": {
            "quantity": {
                "type": "string",
                "enum": ["brightness", "volume", "temperature", "speed", "position", "humidity"],
            },
            "names": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 20},
            "area": {"type": "string"},
            "by": {"type": "number", "minimum": -100, "maximum": 100},
            "factor": {"type": "number", "minimum": 0.01, "maximum": 10},
        },
        "required": ["quantity"],
    },
}
