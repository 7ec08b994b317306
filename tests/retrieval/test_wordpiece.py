"""The tokenizer against tokens that the `tokenizers` package gave for the model's own tokenizer.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.retrieval.wordpiece import tokenize

RECORDED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("wordpiece.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: ascii(case["text"])[:30])
def test_same_tokens_as_recorded(case: dict[str, Any]) -> None:
    assert tokenize(case["text"], 256) == case["tokens"]


@given(st.text(max_size=300), st.integers(2, 64))
def test_any_text_stays_within_the_limit(text: str, limit: int) -> None:
    tokens = tokenize(text, limit)
    assert 2 <= len(tokens) <= limit
    assert (tokens[0], tokens[-1]) == (101, 102)
    assert set(tokens) <= set(range(30522))
