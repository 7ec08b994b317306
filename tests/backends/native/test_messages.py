"""Messages survive their line, and whatever is no message is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.backends.engines.cut import Cut
from ha_assist_addon.backends.engines.schema import MARK, constraint
from ha_assist_addon.backends.messages import (
    Called,
    Cancel,
    Close,
    Counted,
    CountTokens,
    Done,
    Failed,
    Generate,
    Load,
    Loaded,
    Malformed,
    Sampling,
    Text,
    encode,
    from_child,
    to_child,
)
from ha_assist_addon.conversation import Message, Role, ToolCall

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=3)
CALLS = st.lists(st.builds(ToolCall, st.text(), st.text(), OBJECTS), max_size=2).map(tuple)
MESSAGES = st.builds(
    Message,
    st.sampled_from(Role),
    st.text(),
    st.lists(st.text(), max_size=2).map(tuple),
    CALLS,
    st.none() | st.text(),
)


@given(
    st.lists(MESSAGES, max_size=3).map(tuple),
    st.lists(OBJECTS, max_size=2).map(tuple),
    st.none() | OBJECTS,
    st.builds(Sampling, st.none() | st.floats(0, 2), st.none() | st.floats(0, 1), st.none() | st.integers(0, 9)),
)
def test_a_generation_survives(messages: Any, tools: Any, schema: Any, sampling: Sampling) -> None:
    job = Generate("1", messages, tools, schema, sampling, 5, ("stop",))
    assert to_child(encode(job)) == job


@pytest.mark.parametrize(
    "message", [Load("a:B", "/x", {"n": 1, "s": None}), CountTokens("1", ("a\nb", "")), Cancel("1"), Close()]
)
def test_the_others_survive_on_their_way_there(message: Any) -> None:
    line = encode(message)
    assert line.count(b"\n") == 1
    assert to_child(line) == message


@pytest.mark.parametrize(
    "message",
    [
        Loaded(2048, images=True, facts={"a": "b"}),
        Counted("1", (1, 2)),
        Text("1", "ä\u2028\n"),
        Called("1", (ToolCall("1", "x", {"a": [1]}),)),
        Done("1", "length", 1, 2, 0.5, 1.5),
        Failed("", "not_ready", "No.", lasting=True),
    ],
)
def test_and_on_their_way_back(message: Any) -> None:
    assert from_child(encode(message)) == message


def test_halves_of_characters_become_question_marks() -> None:
    assert from_child(encode(Text("1", "a\ud800b"))) == Text("1", "a?b")


@pytest.mark.parametrize(
    "line",
    [b"", b"\n", b"hello", b"[]", b'{"kind":"text"}', b'{"kind":"load"}', b'{"kind":"none"}', b"\xff", b"[" * 9999],
)
def test_what_is_no_message(line: bytes) -> None:
    with pytest.raises(Malformed):
        from_child(line)


def test_what_makes_no_line() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"a": deep}
    with pytest.raises(Malformed):
        encode(Generate("1", (), (deep,)))


@given(
    st.text("abcd<|>", max_size=30),
    st.lists(st.integers(0, 30), max_size=8),
    st.sampled_from([("<|a|>",), ("ab", "ba"), ("",), ()]),
)
def test_a_text_is_cut_wherever_its_pieces_are(text: str, at: Sequence[int], ends: tuple[str, ...]) -> None:
    edges = [0, *sorted(min(edge, len(text)) for edge in at), len(text)]
    cut = Cut(ends)
    said = "".join(cut.feed(text[start:end]) for start, end in pairwise(edges)) + cut.end()
    found = [place for end in ends if end and (place := text.find(end)) >= 0]
    assert said == text[: min(found)] if found else said == text
    assert cut.reached == bool(found)


def test_spaces_of_a_schema_are_marked_where_they_are_written() -> None:
    schema = {
        "type": "object",
        "description": "two words",
        "properties": {"the area": {"enum": ["living room", 3]}, "n": {"$ref": "#/$defs/a b"}},
        "required": ["the area"],
        "$defs": {"a b": {"const": {"x y": "z z"}}},
    }
    assert constraint(schema, marked=True) == {
        "type": "object",
        "description": "two words",
        "properties": {f"the{MARK}area": {"enum": [f"living{MARK}room", 3]}, "n": {"$ref": "#/$defs/a b"}},
        "required": [f"the{MARK}area"],
        "$defs": {"a b": {"const": {f"x{MARK}y": f"z{MARK}z"}}},
        "x-guidance": {"whitespace_flexible": False},
    }
    assert constraint(schema, marked=False) == schema | {"x-guidance": {"whitespace_flexible": False}}
