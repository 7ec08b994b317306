"""Answers to questions about states, after the reads that they take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import House, Pipeline, Thing, called, result

State = tuple[Thing, str, Mapping[str, Any]]


NOW = {"date": "2026-11-30", "time": "08:05:00", "timezone": "CET", "weekday": "Monday"}
"""What the clock says: a Monday."""


def answer_to(
    pipeline: Pipeline,
    sentence: str,
    states: Sequence[State],
    items: Sequence[str] = (),
    *,
    events: Sequence[Mapping[str, Any]] = (),
    timer: Mapping[str, Any] | None = None,
    satellite: str | None = None,
) -> str:
    """What is answered; states, the items of a list, events and the clock are read where they are asked for."""
    house = House(tuple(t for t, _, _ in states), satellite=satellite)
    messages: list[str | Mapping[str, Any]] = [sentence]
    for number in range(5):
        decision = pipeline.say(house, *messages)
        assert decision.actions == []
        if not decision.calls:
            return decision.text
        for place, (name, arguments) in enumerate(decision.calls):
            read: Any = {
                "todo_get_items": [{"summary": item, "status": "needs_action"} for item in items],
                "calendar_get_events": list(events),
                "GetDateTime": NOW,
            }.get(plain_name(name), live(states))
            data = {"success": True, "result": read}
            if plain_name(name) == "HassTimerStatus":
                timers = [timer] if timer is not None and timer["name"] == arguments.get("name") else []
                data = {"response_type": "action_done", "speech_slots": {"timers": timers}}
                data = data if timers else {"error": "TimerNotFoundError", "error_text": ""}
            identity = f"call_{number}_{place}"
            messages += [called(name, arguments, identity), result(data, identity)]
    raise AssertionError(f"{sentence!r} gets no answer")


def live(states: Sequence[State]) -> str:
    """The live context with these states."""
    listed = [
        {
            "names": ", ".join(t.names),
            "domain": t.domain,
            "state": state,
            **({"areas": ", ".join(t.areas)} if t.areas else {}),
            **({"attributes": dict(attributes)} if attributes else {}),
        }
        for t, state, attributes in states
    ]
    return f"Live Context: An overview:\n{yaml.safe_dump(listed, sort_keys=False, allow_unicode=True)}"
