"""What a sentence costs has a bound: long texts are not matched, and of long sentences few repairs are tried."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hassil.intents import TextSlotList

from ha_assist_addon.home.mentions import Mention
from ha_assist_addon.language.grammar import MAX_CHARACTERS
from ha_assist_addon.language.templates import TemplateIndex
from ha_assist_addon.reading import repair
from ha_assist_addon.recognition.recognise import slot_lists
from tests.support.house import House, Pipeline, thing

HOUSE = House((thing("Desk Lamp", "light", "Office"), thing("Kitchen Lamp", "light", "Kitchen")))
COMMAND = "turn on the desk lamp"


@pytest.fixture
def matched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that are looked up in the grammar."""
    real, texts = TemplateIndex.select, list[str]()

    def select(self: TemplateIndex, haystack: str, *rest: Any, **more: Any) -> Any:
        texts.append(haystack)
        return real(self, haystack, *rest, **more)

    monkeypatch.setattr(TemplateIndex, "select", select)
    return texts


@pytest.mark.parametrize("text", ["please " * 600, f"{COMMAND} and " * 200, "lamp" * 1000])
def test_a_long_message_earlier_in_the_conversation_is_not_matched(
    tmp_path: Path, matched: list[str], text: str
) -> None:
    pipeline = Pipeline(tmp_path, "en")
    said = pipeline.say(HOUSE, text, {"role": "assistant", "content": "What do you mean?"}, COMMAND)
    assert [name for name, _ in said.actions] == ["HassTurnOn"]
    assert max(map(len, matched), default=0) <= MAX_CHARACTERS


def test_in_a_long_sentence_no_unknown_name_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def looked_for(mentions: Iterable[Mention]) -> dict[str, TextSlotList]:
        texts.append("looked for")
        return slot_lists(mentions)

    monkeypatch.setattr("ha_assist_addon.reading.unknown.slot_lists", looked_for)
    pipeline = Pipeline(tmp_path, "en")
    assert pipeline.say(HOUSE, "turn on the porch chandelier").calls == []
    assert texts
    texts.clear()
    assert pipeline.say(HOUSE, f"turn on the porch chandelier {'because of me ' * 20}").calls == []
    assert texts == []


def test_of_a_long_sentence_few_repairs_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(repair, "_certain", lambda text, *_, **__: tried.append(text))
    pipeline = Pipeline(tmp_path, "en")
    commands = ", ".join(["turn on the desk lamp", "turn off the kitchen lamp"] * 9)
    for sentence, most in (("trn on teh dsk lamp", repair.MAX_PARSES), (f"trn on teh dsk lamp, {commands}", 5)):
        tried.clear()
        pipeline.say(HOUSE, sentence)
        assert 0 < len(tried) <= most
