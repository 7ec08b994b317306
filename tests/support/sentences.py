"""Sentence cases: a home written by area, lines of `sentence -> intent slots`, and checks of our sentence files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ha_assist_addon.language.data import read_file
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.language.source import OWN, load_source
from tests.support.house import House, Pipeline, Thing, thing


def things(home: str) -> Iterator[Thing]:
    """Lines such as `Kitchen: light=Spot; switch=Kettle`; `-` is no area."""
    for line in home.strip().splitlines():
        area, _, listed = line.strip().partition(": ")
        for item in listed.split("; "):
            domain, _, name = item.partition("=")
            yield thing(name, domain, "" if area == "-" else area)


def lines(text: str) -> list[str]:
    """The lines of a block, without empty ones and remarks."""
    return [s for line in text.splitlines() if (s := line.strip()) and not s.startswith("#")]


def said(pipeline: Pipeline, house: House, sentence: str) -> str:
    """The actions of a sentence as the cases write them."""
    calls = []
    for tool, arguments in pipeline.say(house, sentence).actions:
        values = {k: v[0] if isinstance(v, list) else v for k, v in arguments.items() if k != "domain"}
        calls.append(" ".join([tool, ", ".join(f"{k}={values[k]}" for k in sorted(values))]).strip())
    return "; ".join(calls).replace("script__", "")


_TARGETS = ("name", "area", "device_class", "floor")


def heard_as(house: House, got: str, expected: str) -> bool:
    """Whether two lists of actions do the same: what one tells by its name, the other may tell by room or kind."""
    if got == expected:
        return True
    ours, theirs = (sorted(filter(None, text.split("; "))) for text in (got, expected))
    return len(ours) == len(theirs) and all(_alike(house, a, b) for a, b in zip(ours, theirs, strict=True))


def _alike(house: House, got: str, expected: str) -> bool:
    one, other = _parts(got), _parts(expected)
    if one[0] != other[0] or one[2] != other[2]:
        return False
    mine, wanted = one[1], other[1]
    if "name" in mine and "name" not in wanted:
        areas = {area for t in house.things if mine["name"] in t.names for area in t.areas}
        return wanted.get("area") is None or wanted["area"] in areas
    if "name" in mine and mine.get("name") == wanted.get("name"):
        return True
    return (
        "name" in wanted
        and "area" in mine
        and any(mine["area"] in t.areas for t in house.things if wanted["name"] in t.names)
    ) or {k: v for k, v in mine.items() if k != "device_class"} == {
        k: v for k, v in wanted.items() if k != "device_class"
    }


def _parts(call: str) -> tuple[str, dict[str, str], dict[str, str]]:
    """The tool, what chooses its targets, and what is done to them."""
    tool, _, listed = call.partition(" ")
    pairs = [pair.partition("=") for pair in listed.split(", ") if pair]
    values = {key: value for key, _, value in pairs}
    return (
        tool,
        {k: v for k, v in values.items() if k in _TARGETS},
        {k: v for k, v in values.items() if k not in _TARGETS},
    )


def check_blocks(language: str) -> None:
    """Every block is marked as ours by the loader, and has a response that the official package holds."""
    source = load_source(language)
    assert source is not None
    marked = {
        s
        for data in source["intents"].values()
        for b in data["data"]
        if OWN in b.get("metadata", {})
        for s in b["sentences"]
    }
    responses = source["responses"]["intents"]
    for intent, data in _own(language)["intents"].items():
        for block in data["data"]:
            assert OWN not in block.get("metadata", {})
            assert marked.issuperset(block["sentences"])
            assert block["response"] in responses.get(intent, {"default": ""}), (intent, block["sentences"][0])


def check_templates(language: str, least: int) -> None:
    """Every template parses and needs a literal word."""
    grammar = GrammarLibrary().get(language)
    assert grammar is not None
    texts = {s for data in _own(language)["intents"].values() for block in data["data"] for s in block["sentences"]}
    ours = [t for t in grammar.index.templates if t.data.sentence_texts[0] in texts]
    assert len(ours) > least
    assert [t.data.sentence_texts for t in ours if not t.clauses] == []


def _own(language: str) -> dict[str, Any]:
    loaded: dict[str, Any] = read_file("sentences", language)
    return loaded
