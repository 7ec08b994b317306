"""Homes of any size, the sentences that are said in them, and the requests that carry those."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice, product
from typing import Any

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import House, Thing, body, called, done, result

ROOMS = ("Kitchen", "Hall", "Bedroom", "Office", "Attic", "Garage", "Pantry", "Study", "Nursery", "Library")
PLACES = ("Window", "Corner", "Desk", "Shelf", "Wall", "Door", "Sofa", "Table", "Bed", "Stove")
DEVICES = (
    ("Lamp", "light"),
    ("Spot", "light"),
    ("Plug", "switch"),
    ("Blind", "cover"),
    ("Sensor", "sensor"),
    ("Fan", "fan"),
)

HITS = (
    "turn on the {name}",
    "turn off the {name}",
    "switch on the {name}",
    "switch off the {name}",
    "please turn on the {name}",
    "turn {name} on",
    "turn {name} off",
    "turn off the lights in the {area}",
    "turn on the {area} lights",
)
QUESTIONS = (
    "is the {name} on?",
    "is the {name} off?",
    "is {name} turned on?",
    "are any lights on in the {area}?",
    "which lights are on in the {area}?",
)
REPAIRS = ("trun on the {name}", "turn off the {typo}", "swich on the {name}", "turn the {typo} on")
MISSES = (
    "make everything feel a little nicer for number {n} please",
    "what would you do about the {name} if you were number {n}",
    "tell me a story in which {n} dragons live in the {area}",
)


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it is sent, and what it says of which home."""

    sentence: str
    things: Sequence[Thing]
    raw: bytes


def home(count: int) -> House:
    """A home of `count` entities."""
    whole = ((f"{place} {device}", domain, room) for place, (device, domain), room in product(PLACES, DEVICES, ROOMS))
    things = []
    for number, (name, domain, room) in enumerate(islice(cycle(whole), count)):
        room_number = number // (len(ROOMS) * len(PLACES) * len(DEVICES))
        area = f"{room} {room_number + 1}" if room_number else room
        things.append(Thing((f"{area} {name}",), domain, (area,)))
    return House(tuple(things))


class Scene:
    """One home, and requests about it that differ from each other."""

    def __init__(self, entities: int) -> None:
        self.house = home(entities)
        self._body = body(self.house, "")

    def sentences(self, templates: Sequence[str], count: int) -> list[str]:
        """Distinct sentences, spread over all of the home; fewer where the home is too small for so many."""
        lights = [t for t in self.house.things if t.domain in {"light", "switch"}]
        pairs = list(product(templates, lights))
        random.Random(len(pairs)).shuffle(pairs)  # noqa: S311 - the same order at every run
        made = dict.fromkeys(
            template.format(name=t.name.lower(), area=t.areas[0].lower(), typo=mistyped(t.name.lower()), n=number)
            for number, (template, t) in enumerate(pairs)
        )
        return list(made)[:count]

    def requests(self, templates: Sequence[str], count: int, **more: Any) -> list[Request]:
        """Distinct sentences as requests."""
        return [self.request([said], **more) for said in self.sentences(templates, count)]

    def request(
        self, messages: Sequence[str | Mapping[str, Any]], *, system: str | None = None, **more: Any
    ) -> Request:
        """A request with these messages; the first one is the sentence."""
        said = [{"role": "user", "content": m} if isinstance(m, str) else m for m in messages]
        head = {"role": "system", "content": self._body["messages"][0]["content"] if system is None else system}
        whole = {**self._body, "messages": [head, *said], **more}
        return Request(said[0]["content"], self.house.things, json.dumps(whole, ensure_ascii=False).encode())

    def changed(self, templates: Sequence[str], count: int) -> list[Request]:
        """Requests each of which comes with another home: a lamp more."""
        made = []
        for number, said in enumerate(self.sentences(templates, count)):
            lamp = Thing((f"New Lamp {number}",), "light", self.house.things[0].areas)
            item = f"\n- names: {lamp.name}\n  domain: light\n  areas: {lamp.areas[0]}\n- names:"
            system = self._body["messages"][0]["content"].replace("\n- names:", item, 1)
            made.append(Request(said, (lamp, *self.house.things), self.request([said], system=system).raw))
        return made

    def after(self, said: Sequence[str | Mapping[str, Any]], reply: bytes) -> list[str | Mapping[str, Any]] | None:
        """What was said with the call of a reply and its result; None where the reply called nothing."""
        calls = json.loads(reply)["choices"][0]["message"].get("tool_calls")
        if not calls:
            return None
        function = calls[0]["function"]
        arguments = json.loads(function["arguments"])
        reached = [t for t in self.house.things if _reached(t, arguments)]
        number = f"call_{len(said)}"
        if plain_name(function["name"]) == "GetLiveContext":
            state = "off" if " off" in str(said[0]) else "on"
            told = "Live Context: An overview of the areas and the devices in this smart home:\n" + live(reached, state)
            answer = result({"success": True, "result": told}, number)
        else:
            answer = result(done(*(t.name for t in reached)), number)
        return [*said, called(function["name"], arguments, number), answer]


@cache
def scene_of(entities: int) -> Scene:
    """The scene of this size, made once: to write the list of a large home takes seconds."""
    return Scene(entities)


def _reached(thing: Thing, arguments: Mapping[str, Any]) -> bool:
    """Whether Home Assistant would take a call to mean this thing."""
    domains = arguments.get("domain")
    return (
        arguments.get("name") in {None, *thing.names}
        and arguments.get("area") in {None, *thing.areas}
        and (not domains or thing.domain in domains)
    )


def live(things: Iterable[Thing], state: str) -> str:
    """Things in one state, as GetLiveContext lists them."""
    return "".join(
        f"- names: {t.name}\n  domain: {t.domain}\n  state: '{state}'\n  areas: {t.areas[0]}\n" for t in things
    )


def mistyped(name: str) -> str:
    """A name whose longest word lacks a letter in its middle."""
    word = max(name.split(), key=len)
    middle = len(word) // 2
    return name.replace(word, word[:middle] + word[middle + 1 :], 1)
