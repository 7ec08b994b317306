"""A conversation in a home whose devices do what they are told: what each turn comes to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import House, Pipeline, done, result

_STATES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "light": ("on", {"brightness": "128"}),
    "fan": ("on", {"percentage": "50"}),
    "climate": ("heat", {"temperature": "20", "current_temperature": "19"}),
    "media_player": ("playing", {"volume_level": "0.4"}),
    "cover": ("open", {"current_position": "50"}),
    "humidifier": ("on", {"humidity": "40"}),
    "lock": ("unlocked", {}),
    "vacuum": ("docked", {}),
}
_MOST_ROUNDS = 4


def talk(pipeline: Pipeline, house: House, sentences: Sequence[str]) -> list[str]:
    """The actions of each turn, as `Tool key=value, ...; Tool ...`; empty where nothing is done."""
    messages: list[str | Mapping[str, Any]] = []
    turns = []
    for sentence in sentences:
        messages.append(sentence)
        turns.append("; ".join(_turn(pipeline, house, messages)))
    return turns


def _turn(pipeline: Pipeline, house: House, messages: list[str | Mapping[str, Any]]) -> list[str]:
    actions: list[str] = []
    for _ in range(_MOST_ROUNDS):
        decision = pipeline.say(house, *messages)
        if not decision.calls:
            messages.append({"role": "assistant", "content": decision.text})
            return actions
        calls = [(name, arguments, f"c{len(messages)}_{at}") for at, (name, arguments) in enumerate(decision.calls)]
        listed = [
            {"id": identity, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for name, arguments, identity in calls
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": listed})
        for name, arguments, identity in calls:
            if plain_name(name) == "GetLiveContext":
                messages.append(result({"success": True, "result": _live(house)}, identity))
                continue
            actions.append(_written(plain_name(name), arguments))
            messages.append(result(done(str(arguments.get("name", "it"))), identity))
    raise AssertionError(f"{messages[0]!r} does not end")


def _written(tool: str, arguments: Mapping[str, Any]) -> str:
    values = {k: v[0] if isinstance(v, list) else v for k, v in arguments.items() if k != "domain"}
    return f"{tool} {', '.join(f'{k}={values[k]}' for k in sorted(values))}".strip()


def _live(house: House) -> str:
    listed = []
    for thing in house.things:
        state, attributes = _STATES.get(thing.domain, ("on", {}))
        item: dict[str, Any] = {"names": thing.name, "domain": thing.domain, "state": state}
        if thing.areas:
            item["areas"] = thing.areas[0]
        if attributes:
            item["attributes"] = dict(attributes)
        listed.append(item)
    text = yaml.safe_dump(listed, sort_keys=False, allow_unicode=True)
    return f"Live Context: An overview of the areas and the devices:\n{text}"
