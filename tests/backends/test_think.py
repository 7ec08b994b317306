"""Thinking is taken out, wherever the text is cut."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.backends.think import ThinkFilter


def filtered(pieces: list[str]) -> str:
    think = ThinkFilter()
    return "".join([think.feed(piece) for piece in pieces]) + think.end()


@pytest.mark.parametrize(
    ("pieces", "answer"),
    [
        (["Hello"], "Hello"),
        (["<think>hm</think>\n\nHello"], "Hello"),
        (["<th", "ink>h", "m</", "think", ">\n", "\nHel", "lo"], "Hello"),
        (["<think></think>"], ""),
        (["<think>never ends"], ""),
        (["1 < 2 and <thin"], "1 < 2 and <thin"),
        (["a <think>b</think> c <think>d</think>e"], "a  c e"),
        (["left over</think> Hello"], "left over Hello"),
        (["  \n", " "], ""),
    ],
)
def test_examples(pieces: list[str], answer: str) -> None:
    assert filtered(pieces) == answer


@given(st.lists(st.sampled_from(["<think>", "</think>", "<", "</", "think", ">", "a", " ", "b\n"]), max_size=20))
def test_the_cut_does_not_matter(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert filtered(pieces) == filtered(list(text)) == filtered([text])
    plain = re.sub(r"</think>", "", re.sub(r"<think>.*?(</think>|\Z)", "", text, flags=re.DOTALL))
    if "<think>" not in plain and "</think>" not in plain:
        assert filtered([text]) == plain.lstrip()
