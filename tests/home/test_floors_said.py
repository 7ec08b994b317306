"""Whoever tells more of the home is never answered worse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.house import House, body, thing
from tests.support.serving import running

HOUSE = House((thing("Kitchen Light", "light", "Kitchen"), thing("Bedroom Light", "light", "Bedroom")))


def told(*aliases: str) -> dict[str, Any]:
    return {
        "floors": [{"name": "Zwischengeschoss", "aliases": list(aliases)}, {"name": "Souterrain", "aliases": []}],
        "areas": [{"name": "Kitchen", "floor": "Souterrain"}, {"name": "Bedroom", "floor": "Zwischengeschoss"}],
        "entities": [
            {"name": "Kitchen Light", "domain": "light", "state": "on", "area": "Kitchen"},
            {"name": "Bedroom Light", "domain": "light", "state": "on", "area": "Bedroom"},
        ],
    }


@pytest.mark.parametrize("sentence", ["welche Lichter sind oben an", "which lights are on upstairs"])
async def test_a_floor_word_that_no_floor_bears_is_answered_for_the_whole_home(tmp_path: Path, sentence: str) -> None:
    async with running(tmp_path) as server:
        _, without, _ = await server.post(body(HOUSE, sentence))
        calls = without["choices"][0]["message"]["tool_calls"]
        assert json.loads(calls[0]["function"]["arguments"])["domain"] in ("light", ["light"])
        _, answer, _ = await server.post(body(HOUSE, sentence, ha_context=told()))
        said = answer["choices"][0]["message"]["content"]
        assert "Kitchen Light" in said
        assert "Bedroom Light" in said
        assert "oben" in said or "upstairs" in said
        _, answer, _ = await server.post(body(HOUSE, sentence, ha_context=told("oben", "upstairs")))
        said = answer["choices"][0]["message"]["content"]
        assert "Bedroom Light" in said
        assert "Kitchen Light" not in said
