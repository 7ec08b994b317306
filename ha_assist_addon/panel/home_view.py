"""The home page: what can be said in each room, and names that get in the way."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from ..diagnostics.bodies import as_chat
from ..diagnostics.names import home_of
from ..errors import HaAssistError
from ..examples import example_home, request_body
from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..trial.checkup import Checkup, check_home
from ..trial.dry_run import latest_home
from ..trial.sayings import Tried, for_area, for_entity, languages, working
from .border import is_ingress, peer_of
from .doctor import LINKS
from .keys import SERVICES
from .page import render, render_part
from .reader import words_for

MOST_SHOWN = 40
"""Devices of a room; each of their sentences is tried first."""
MOST_REMEMBERED = 24
routes = web.RouteTableDef()


@dataclass(slots=True)
class Findings:
    """What was found out of homes, as long as home, settings and language stay the same; one search at a time."""

    known: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    def keep(self, key: str, value: Any) -> None:
        """The oldest goes when there are too many."""
        self.known[key] = value
        while len(self.known) > MOST_REMEMBERED:
            self.known.popitem(last=False)


FINDINGS = web.AppKey("findings", Findings)


@dataclass(frozen=True, slots=True)
class Place:
    """A room to choose; `name` is None for devices without one."""

    name: str | None
    devices: int


@dataclass(frozen=True, slots=True)
class Device:
    """A device with the sentences that work for it."""

    entity: Entity
    sentences: tuple[Tried, ...]


@routes.get("/home")
async def show(request: web.Request) -> web.Response:
    """The rooms, and what can be said in the chosen one."""
    body, example = await _home_body(request)
    home = home_of(body)
    places = _places(home)
    chosen = _chosen(request, home, places)
    language = await _language(request)
    context = {
        "example": example,
        "places": places,
        "chosen": chosen,
        "language_of_sentences": language,
        "language_choices": languages(),
        **(await _sayings(request, body, home, places[chosen], language) if places else {"devices": (), "room": ()}),
    }
    return render(request, "home.html", "try", context)


@routes.post("/home/checkup")
async def checkup(request: web.Request) -> web.Response:
    """The check-up, which takes a while: the page asks for it once it is shown."""
    body, _ = await _home_body(request)
    language = await _language(request)
    links = LINKS if is_ingress(peer_of(request)) else {}
    try:
        found: Checkup = await _remembered(
            request, f"checkup {language}", body, lambda: check_home(body, request.app[SERVICES], language)
        )
    except HaAssistError as error:
        return render_part(request, "home_checkup.html", {"found": None, "refusal": error.message, "links": links})
    return render_part(request, "home_checkup.html", {"found": found, "refusal": None, "links": links})


async def _sayings(
    request: web.Request, body: Mapping[str, Any], home: Home, place: Place, language: str
) -> dict[str, Any]:
    async def find() -> dict[str, Any]:
        services = request.app[SERVICES]
        listed = [e for e in home.entities if (fold(e.area) if e.area else None) == _key(place)]
        area = next((a for a in home.areas if fold(a.name) == _key(place)), None)
        kinds = {entity.domain for entity in listed}
        room = await working(for_area(area, kinds, language), body, services, area, 4) if area is not None else []
        devices = [
            Device(entity, tuple(await working(for_entity(entity, language), body, services, entity)))
            for entity in listed[:MOST_SHOWN]
            if for_entity(entity, language)
        ]
        return {"room": room, "devices": devices}

    found: dict[str, Any] = await _remembered(request, f"sayings {language} {place.name}", body, find)
    return found


async def _remembered(request: web.Request, what: str, body: Mapping[str, Any], find: Any) -> Any:
    findings, store, taught = request.app[FINDINGS], request.app[SERVICES].settings, request.app[SERVICES].taught
    told = json.dumps([body.get("messages", [])[:1], body.get("tools")], default=str)
    key = f"{what} {hash(told)} {hash(store.current.settings.model_dump_json())} {taught.revision}"
    async with findings.busy:
        if key not in findings.known:
            findings.keep(key, await find())
        return findings.known[key]


async def _home_body(request: web.Request) -> tuple[dict[str, Any], bool]:
    """The latest request that tells of a home, else the example; and whether it is the example."""
    latest = await latest_home(request.app[SERVICES])
    if latest is not None:
        try:
            body = as_chat(latest[1])
            if home_of(body).entities:
                return body, False
        except HaAssistError:
            pass
    return request_body(example_home(), ""), True


async def _language(request: web.Request) -> str:
    """The asked one, else the one that the home speaks, as far as there are sentences in it."""
    services = request.app[SERVICES]
    registry = services.registry
    home = registry.current.language if registry is not None and registry.current is not None else None
    chosen = services.settings.current.settings.ha_assist_languages
    spoken = (await services.traces.facets()).languages
    wanted = (request.query.get("language"), *(chosen if len(chosen) == 1 else ()), home, *spoken)
    codes = [code.split("-")[0] for code in (*wanted, words_for(request).language) if code]
    return next((code for code in codes if code in languages()), "en")


def _places(home: Home) -> list[Place]:
    counts = {fold(area.name): 0 for area in home.areas}
    without = 0
    for entity in home.entities:
        if entity.area and fold(entity.area) in counts:
            counts[fold(entity.area)] += 1
        elif not entity.area:
            without += 1
    places = [Place(area.name, counts[fold(area.name)]) for area in home.areas if counts[fold(area.name)]]
    return [*places, *([Place(None, without)] if without else [])]


def _chosen(request: web.Request, home: Home, places: list[Place]) -> int:
    asked = request.query.get("room", "")
    if asked.isdecimal() and int(asked) < len(places):
        return int(asked)
    here = fold(home.satellite_area) if home.satellite_area else None
    return next((n for n, place in enumerate(places) if here is not None and _key(place) == here), 0)


def _key(place: Place) -> str | None:
    return fold(place.name) if place.name is not None else None
