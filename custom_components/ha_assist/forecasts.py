"""A forecast as it is told to a conversation agent; nothing here needs Home Assistant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

KEPT = (
    "condition",
    "temperature",
    "templow",
    "precipitation",
    "precipitation_probability",
    "wind_speed",
    "humidity",
)
MOST_ENTRIES = {"daily": 10, "hourly": 48}


def entries(forecast: Iterable[Mapping[str, Any]], kind: str, zone: tzinfo) -> list[dict[str, Any]]:
    """The entries with their times in the home's zone; what cannot be read is left out."""
    told = [entry for item in forecast if (entry := _entry(item, zone)) is not None]
    return told[: MOST_ENTRIES[kind]]


def days_of_halves(forecast: Sequence[Mapping[str, Any]], zone: tzinfo) -> list[dict[str, Any]]:
    """Whole days, where the weather service tells of days and nights apart: the night is that after its day."""
    days: dict[str, dict[str, Any]] = {}
    for entry in (e for item in forecast if (e := _entry(item, zone, more=("is_daytime",))) is not None):
        at = datetime.fromisoformat(entry["datetime"])
        is_day = bool(entry.pop("is_daytime", True))
        day = days.setdefault(at.date().isoformat(), {})
        if is_day or not day:
            low = day.get("templow")
            day.update(entry)
            if low is not None:
                day["templow"] = low
        if not is_day and entry.get("temperature") is not None:
            day["templow"] = min(v for v in (day.get("templow"), entry["temperature"]) if v is not None)
        chances = (day.get("precipitation_probability"), entry.get("precipitation_probability"))
        if (chance := max((c for c in chances if c is not None), default=None)) is not None:
            day["precipitation_probability"] = chance
    return list(days.values())[: MOST_ENTRIES["daily"]]


def _entry(item: Mapping[str, Any], zone: tzinfo, more: Sequence[str] = ()) -> dict[str, Any] | None:
    try:
        at = datetime.fromisoformat(str(item["datetime"]))
    except (KeyError, ValueError):
        return None
    at = at.astimezone(zone) if at.tzinfo is not None else at.replace(tzinfo=zone)
    values = {key: item[key] for key in (*KEPT, *more) if item.get(key) is not None}
    return {"datetime": at.isoformat(), **values}
