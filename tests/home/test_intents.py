"""The table of intents holds all that there are, and tells each once."""

from __future__ import annotations

import pytest
from home_assistant_intents import get_intents

from ha_assist_addon.home.intents import INTENTS, KNOWN, PLATFORM, READS, Matter, intent_row


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_every_intent_of_the_official_sentences_has_a_row(language: str) -> None:
    sentences = get_intents(language)
    assert sentences is not None
    assert set(sentences["intents"]) <= set(INTENTS)


def test_a_stand_in_does_the_work_for_the_same_domains() -> None:
    pairs = [(name, row.tool or row.stand_in) for name, row in INTENTS.items()]
    for name, other in pairs:
        if other is not None:
            assert intent_row(other).matter is intent_row(name).matter
            assert intent_row(name).domains in (frozenset(), intent_row(other).domains), name


def test_a_question_has_no_target_and_is_a_tool_only_where_home_assistant_has_it() -> None:
    assert not READS & set(PLATFORM)
    assert all(row.reads for row in INTENTS.values() if row.own)
    assert not any(name.startswith("HaAssist") for name in KNOWN | READS)


def test_what_nobody_wrote_down_acts_on_nothing() -> None:
    row = intent_row("HassOpenTheVault")
    assert (row.matter, row.domains, row.switches, row.reads) == (Matter.DEVICE, frozenset(), False, False)
