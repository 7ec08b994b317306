"""An example home and the tools that Home Assistant offers for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import yaml


def example_home() -> dict[str, Any]:
    """A small invented home: `satellite`, `entities` with names, domain and areas."""
    return dict(yaml.safe_load(files(__package__).joinpath("home.yaml").read_text(encoding="utf-8")))


def example_tools() -> list[dict[str, Any]]:
    """The function objects that Home Assistant 2026.11 offers to a satellite."""
    return list(json.loads(files(__package__).joinpath("tools.json").read_text(encoding="utf-8")))


def request_body(home: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """A chat request as Home Assistant sends it, for a home in the form of `home.yaml`."""
    tools = home.get("tools") or example_tools()
    return {
        "model": "HA-Assist",
        "messages": [{"role": "system", "content": system_prompt(home)}, {"role": "user", "content": sentence}],
        "tools": [{"type": "function", "function": tool} for tool in tools],
    }


def system_prompt(home: Mapping[str, Any]) -> str:
    """The system text of Home Assistant 2026.11 for a home, without its general instructions."""
    entities = [
        {
            "names": _join(entity["names"]),
            "domain": entity["domain"],
            **({"areas": _join(entity["areas"])} if entity.get("areas") else {}),
        }
        for entity in home.get("entities", ())
    ]
    listed = yaml.safe_dump(entities, sort_keys=False, allow_unicode=True)
    satellite = home.get("satellite") or {}
    area, floor = satellite.get("area"), satellite.get("floor")
    if area:
        storey = f" (floor {floor})" if floor else ""
        generic = "all generic commands like 'turn on the lights' should target this area."
        place = f"You are in area {area}{storey} and {generic}"
    else:
        place = (
            "When a user asks to turn on all devices of a specific type, ask the user to specify an area, "
            "unless there is only one device of that type."
        )
    return (
        "You are a voice assistant for Home Assistant.\n"
        "Static Context: An overview of the areas and the devices in this smart home:\n"
        f"{listed}\n{place}"
    )


def _join(names: str | list[str]) -> str:
    return names if isinstance(names, str) else ", ".join(names)
