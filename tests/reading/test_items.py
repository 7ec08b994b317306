"""Which items a sentence puts on a list or takes off it, and which list that is."""

from __future__ import annotations

import pytest

from tests.support.understood import Listener, heard, house_of

HOME = """
    Kitchen: light=Spots
    -: todo=Shopping List
"""

SENTENCES = """
    add milk, eggs and a loaf of bread to the shopping list => add milk; add eggs; add loaf of bread
    put milk, butter and olive oil on the list => add milk; add butter; add olive oil
    pop two bottles of red wine and crisps on my list => add two bottles of red wine; add crisps
    add a card for mum and dad to the shopping list => add card for mum and dad
    put write to John and Mary on the list => add write to John and Mary
    take bread off the list => remove bread
    take the bread and the butter off my list please => remove bread; remove butter
"""


@pytest.fixture(scope="module")
def listener() -> Listener:
    return Listener(house_of(HOME, "Kitchen"), "en")


@pytest.mark.parametrize(("sentence", "meant"), heard(SENTENCES))
def test_each_item_is_a_call_of_its_own(listener: Listener, sentence: str, meant: str) -> None:
    planned = listener.understood(sentence).planned
    told = [("remove" if "Remove" in p.candidate.intent else "add", p.candidate.slots["item"]) for p in planned]
    assert "; ".join(map(" ".join, told)) == meant


def test_the_list_is_none_of_several_that_are_called_so() -> None:
    """Home Assistant's own sentence means the shopping list; no other list is taken in its stead."""
    listener = Listener(house_of("-: todo=Shopping List; todo=To-Do List, task list", "Kitchen"), "en")
    planned = listener.understood("add butter to the list").planned
    assert "To-Do" not in str([p.call.arguments for p in planned])
