"""The person's own words in Home Assistant's prompts of all versions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ha_assist_addon.prompt.instructions import own_instructions
from tests.generation.conftest import HOUSE
from tests.support.house import Version, prompt
from tests.support.shared import SHARED, needs_shared


@pytest.mark.parametrize("version", ["2026.2", "2026.8", "2026.11"])
def test_nothing_is_left_of_a_prompt_without_own_words(version: Version) -> None:
    assert own_instructions(prompt(replace(HOUSE, version=version))) == ""


@pytest.mark.parametrize("version", ["2026.2", "2026.8", "2026.11"])
def test_own_words_before_and_behind_are_left(version: Version) -> None:
    text = f"Be brief.\n- names: no list\n\n{prompt(replace(HOUSE, version=version))}\nCall me Ann."
    assert own_instructions(text).startswith("Be brief.\n- names: no list")
    assert own_instructions(text).endswith("Call me Ann.")


@needs_shared
def test_recorded_prompts_leave_nothing_of_home_assistants_own() -> None:
    assert SHARED is not None
    seen = 0
    for path in SHARED.glob("captures/*/*/*.json"):
        recorded = json.loads(path.read_text(encoding="utf-8"))
        for exchange in recorded.get("exchanges", ()) if isinstance(recorded, dict) else ():
            messages = (exchange["request"].get("body") or {}).get("messages") or ()
            system = "\n".join(m["content"] for m in messages if m["role"] == "system")
            if "Static Context:" not in system or "extended_openai" in path.parts:
                continue
            seen += 1
            assert own_instructions(system) == "", path
    assert seen > 50
