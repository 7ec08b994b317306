"""A model's answer, read in any pieces."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ha_assist_addon.backends.printed import Printed
from ha_assist_addon.prompt.reading import AnswerReader

CALL = '{"calls": [{"tool": "HassTurnOn", "args": {"name": "e1"}}]}'


def read(pieces: list[str]) -> tuple[str, Printed]:
    reader = AnswerReader()
    speech = "".join(reader.feed(piece) for piece in pieces)
    end = reader.end()
    return speech + end.text, end


def cut(text: str, at: list[int]) -> list[str]:
    places = sorted({min(place, len(text)) for place in at} | {0, len(text)})
    return [text[a:b] for a, b in pairwise(places)]


CUTS = st.lists(st.integers(0, 400), max_size=30)


@given(st.text(max_size=120), CUTS)
def test_the_answer_branch_is_speech_whatever_the_pieces(answer: str, at: list[int]) -> None:
    for text in (json.dumps({"answer": answer}), json.dumps({"answer": answer}, ensure_ascii=False, indent=1)):
        speech, end = read(cut(text, at))
        assert speech.encode("utf-16", "surrogatepass").decode("utf-16", "replace") == answer
        assert not end.calls


@given(CUTS, st.sampled_from([CALL, f"```json\n{CALL}\n```", f"  {CALL}", f"<tool_call>{CALL}</tool_call>"]))
def test_calls_are_never_spoken(at: list[int], text: str) -> None:
    speech, end = read(cut(text, at))
    assert speech == ""
    assert [call.name for call in end.calls] == ["HassTurnOn"]


@given(CUTS, st.text(alphabet="abc .,!?{}<>`[]\n", max_size=80))
def test_plain_text_is_complete(at: list[int], text: str) -> None:
    whole, _ = read([text])
    pieces, _ = read(cut(text, at))
    assert pieces.split() == whole.split()


def test_speech_is_let_through_at_once() -> None:
    reader = AnswerReader()
    assert reader.feed('{"answer": "It is ') == "It is "
    assert reader.feed("warm") == "warm"
    assert reader.feed('."}') == "."
    plain = AnswerReader()
    assert plain.feed("It is ") == "It is "


@pytest.mark.parametrize("text", ['{"answer": "cut off', '{"answer": "a\\u00', '{"answer": ""}', '{"calls": []}', "{"])
def test_what_was_cut_off_breaks_nothing(text: str) -> None:
    assert read([text])[1].calls == ()


def test_text_before_a_call() -> None:
    speech, end = read(["One moment. ", '{"name": "HassTurnOn", "argu', 'ments": {}}'])
    assert speech.strip() == "One moment."
    assert len(end.calls) == 1
