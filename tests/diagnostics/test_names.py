"""The names of a home are found once for all the requests that list it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ha_assist_addon.diagnostics import names
from ha_assist_addon.home.catalogue import Home, read_home
from tests.support.house import House, body, called, result, thing

HOUSE = House((thing("Desk Lamp", "light", "Office"), thing("Hall Fan", "fan", "Hall")))


def raw(house: House, *messages: Any, **more: Any) -> bytes:
    return json.dumps(body(house, *messages, **more)).encode()


def test_a_home_that_is_listed_again_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(text: str) -> Home:
        read.append(text)
        return read_home(text)

    monkeypatch.setattr("ha_assist_addon.diagnostics.names.read_home", reading)
    first = names.names_of(raw(HOUSE, "turn on the lamp"))
    other = names.names_of(raw(HOUSE, "x", called("intent__HassTurnOn", {"name": "Gnome"}), result({}, "c1")))
    assert len(read) == 1
    assert first is not None
    assert other is not None
    assert first.home == other.home
    assert ("light", ("Desk Lamp",)) in first.home
    assert (first.own, other.own) == ((), (("name", ("Gnome",)),))


@pytest.mark.parametrize("more", [{"ha_context": {"areas": [{"name": "Cellar"}]}}, {"tools": []}])
def test_what_else_is_told_of_a_home_counts(more: dict[str, Any]) -> None:
    plain, told = names.names_of(raw(HOUSE, "hello")), names.names_of(raw(HOUSE, "hello", **more))
    assert plain is not None
    assert told is not None
    assert (("area", ("Cellar",)) in told.home) == ("ha_context" in more)
    assert names.names_of(raw(HOUSE, "hello")) == plain
