"""What a sentence comes to in a small home, as short lines: the intent, what it sets, and what it reaches."""

from __future__ import annotations

import asyncio
from functools import cache

from ha_assist_addon.home.catalogue import HomeCache
from ha_assist_addon.home.request_home import read_request_home
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.reading.understand import Understanding, understand
from ha_assist_addon.settings.model import Assist
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.turn.history import read_turn
from ha_assist_addon.wire.chat import parse_chat
from tests.support.house import House, body, thing


def house_of(text: str, satellite: str | None = None) -> House:
    """A home from lines `Area: domain=Name; domain=Name`, `-` for no area."""
    things = []
    for line in lines(text):
        area, _, listed = line.partition(":")
        for item in listed.split(";"):
            domain, _, names = item.strip().partition("=")
            things.append(thing(names, domain, "" if area == "-" else area))
    return House(tuple(things), satellite=satellite)


def lines(text: str) -> list[str]:
    """The lines of a table."""
    return [line for line in map(str.strip, text.splitlines()) if line]


def heard(text: str) -> list[tuple[str, ...]]:
    """Lines `sentence => what it comes to`."""
    return [tuple(map(str.strip, line.split("=>"))) for line in lines(text)]


class Listener:
    """Understands sentences of one language in one home."""

    def __init__(self, house: House, language: str) -> None:
        self.house = house
        self.settings = Assist(ha_assist_languages=(language,))

    def understood(self, sentence: str) -> Understanding:
        """What the whole first step of a turn makes of a sentence."""
        request = parse_chat(body(self.house, sentence)).chat
        home = read_request_home(request, _homes())
        turn = read_turn(request.messages)
        return asyncio.run(understand(turn, home, _grammars(), self.settings, Trace("HA-Assist")))

    def hears(self, sentence: str) -> str:
        """The calls and changes, or nothing."""
        found = self.understood(sentence)
        lines = []
        for planned in found.planned:
            values = " ".join(f"{k}={v}" for k, v in sorted(planned.parameters.items()))
            names = " + ".join(sorted(e.name for e in planned.targets))
            lines.append(" ".join(filter(None, (planned.candidate.intent, values, names))))
        for change in found.changes:
            value, quantity = change.command.value, change.effect.quantity
            amount = value.amount if value.amount is not None else value.factor or str(value.degree)
            lines.append(f"{change.act} {quantity} {amount} {change.entity.name}")
        return "; ".join(sorted(lines))


@cache
def _grammars() -> GrammarLibrary:
    return GrammarLibrary()


@cache
def _homes() -> HomeCache:
    return HomeCache()
