"""Homes and turns for the tests of retrieval."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from ha_assist_addon.generation.retrieve import Selection, retrieve
from ha_assist_addon.home.catalogue import HomeCache
from ha_assist_addon.home.request_home import read_request_home
from ha_assist_addon.retrieval.finder import Finder
from ha_assist_addon.turn.history import read_turn
from ha_assist_addon.wire.chat import parse_chat
from tests.support.house import House, Thing, body

ROOMS = ("Kitchen", "Living Room", "Bedroom", "Bathroom", "Office", "Hallway", "Nursery", "Garage", "Attic", "Cellar")
DEVICES = (
    ("Ceiling Light", "light"),
    ("Blind", "cover"),
    ("Thermostat", "climate"),
    ("Speaker", "media_player"),
    ("Motion", "binary_sensor"),
    ("Plug", "switch"),
)


def large_home(*extra: Thing, satellite: str | None = None) -> House:
    """Sixty devices in ten rooms, and the extra ones."""
    things = [Thing((f"{room} {device}",), domain, (room,)) for room in ROOMS for device, domain in DEVICES]
    return House((*things, *extra), satellite=satellite)


def select(
    house: House,
    *messages: Any,
    candidates: Sequence[str] = (),
    language: str | None = "en",
    finder: Finder | None = None,
    **more: Any,
) -> Selection:
    """What retrieval selects for a request; by words alone unless a finder is given."""
    chat = parse_chat(body(house, *messages, **more)).chat
    step = retrieve(
        read_turn(chat.messages),
        read_request_home(chat, HomeCache()),
        candidates,
        language,
        finder or Finder(lambda: False),
    )
    return asyncio.run(step)


def names(selection: Selection) -> list[str]:
    """Names of the selected entities."""
    return [entity.name for entity in selection.entities]


def plain(selection: Selection) -> list[str]:
    """Plain names of the selected tools."""
    return [tool.plain for tool in selection.tools]
