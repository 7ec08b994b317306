"""A person's own sentences: used where they parse, left out with a clear sentence where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ha_assist_addon.examples import request_body
from ha_assist_addon.home.catalogue import HomeCache
from ha_assist_addon.home.request_home import read_request_home
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.reading.interpret import Interpreter
from ha_assist_addon.reading.interpretation import Interpretation
from ha_assist_addon.wire.chat import parse_chat

GOOD = """
intents:
  HassTurnOn:
    data:
      - sentences: ["let there be light in [the] {area}"]
        slots: {domain: light}
"""
HOME = {"entities": [{"names": "Spot", "domain": "light", "areas": "Kitchen"}]}


def understand(library: GrammarLibrary, sentence: str) -> Interpretation | None:
    grammar = library.get("en")
    assert grammar is not None
    house = read_request_home(parse_chat(request_body(HOME, sentence)).chat, HomeCache())
    return Interpreter(house, grammar).single(sentence)


def library(folder: Path, text: str) -> GrammarLibrary:
    (folder / "en.yaml").write_text(text, encoding="utf-8")
    return GrammarLibrary(personal=folder)


def test_own_sentences_act(tmp_path: Path) -> None:
    grammars = library(tmp_path, GOOD)
    found = understand(grammars, "let there be light in the kitchen")
    assert found is not None
    assert found.planned[0].call.arguments == {"area": "Kitchen", "domain": ["light"]}
    assert not grammars.problems


def test_without_a_file_nothing_is_missed(tmp_path: Path) -> None:
    assert understand(GrammarLibrary(personal=tmp_path), "let there be light in the kitchen") is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("intents: [", "while parsing"),
        ("a: 1", "intents:"),
        ('intents: {HassTurnOn: {data: [{sentences: ["foo <nowhere> {name}"]}]}}', "<nowhere>"),
        ('intents: {HassTurnOn: {data: [{sentences: ["foo {nowhere}"]}]}}', "{nowhere}"),
        ('intents: {HassTurnOn: {data: [{sentences: ["foo [bar"]}]}}', "]"),
        ("intents: {HassTurnOn: {data: 5}}", "not used"),
    ],
)
def test_a_broken_file_says_what_is_wrong_and_harms_nothing(tmp_path: Path, text: str, reason: str) -> None:
    grammars = library(tmp_path, text)
    found = understand(grammars, "turn on the spot")
    assert found is not None
    assert found.certain
    assert reason in grammars.problems["en"].sentence
    assert "en.yaml" in grammars.problems["en"].sentence
