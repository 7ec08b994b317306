"""Answers to questions about states, after the reads that they take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import House, Pipeline, Thing, called, result

State = tuple[Thing, str, Mapping[str, Any]]


def answer_to(pipeline: Pipeline, sentence: str, states: Sequence[State], items: Sequence[str] = ()) -> str:
    """What is answered; the states and the items of a list are read where they are asked for."""
    house = House(tuple(t for t, _, _ in states))
    messages: list[str | Mapping[str, Any]] = [sentence]
    for number in range(3):
        decision = pipeline.say(house, *messages)
        assert decision.actions == []
        if not decision.calls:
            return decision.text
        for name, arguments in decision.calls:
            listed = [{"summary": item, "status": "needs_action"} for item in items]
            data = {"result": listed if plain_name(name) == "todo_get_items" else live(states)}
            messages += [called(name, arguments, f"call_{number}"), result({"success": True, **data}, f"call_{number}")]
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
