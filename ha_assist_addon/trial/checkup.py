"""Looks through a home for names that make sentences fail, and tries a better name before it proposes one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..diagnostics.bodies import as_chat
from ..diagnostics.names import functions_of, home_of
from ..examples import request_body
from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..language.words import words_of
from .sayings import Tried, for_entity, try_sentence, working

if TYPE_CHECKING:
    from ..services import Services

MOST_DEVICES = 200
"""Devices that are tried; each takes some hundredths of a second."""
COMMON_KINDS = ("light", "switch", "cover", "climate", "media_player", "lock", "fan", "vacuum", "sensor", "weather")
"""Kinds of devices that people speak of by their kind."""
Cause = Literal["same_name", "inside_other", "command_word", "unclear"]


@dataclass(frozen=True, slots=True)
class Unreached:
    """A device that its own sentence does not reach."""

    entity: Entity
    cause: Cause
    tried: Tried
    others: tuple[str, ...] = ()
    """Names of devices in its way, each with its area."""
    better: str | None = None
    """A name with which the sentence works; tried, not guessed."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """What was found."""

    devices: int
    areas: int
    tried: int
    unreached: tuple[Unreached, ...]
    dark_areas: tuple[str, ...]
    """Areas without a light."""
    blind_areas: tuple[str, ...]
    """Areas without a sensor or thermostat."""
    missing_kinds: tuple[str, ...]
    """Kinds of devices of which none is exposed."""
    names_language: str | None
    """The language that most names are in, where it is not the person's."""


async def check_home(body: Mapping[str, Any], services: Services, language: str) -> Checkup:
    """Try the first sentence of each device in the home of a request; raises HaAssistError for an odd request."""
    chat = as_chat(body)
    home = home_of(chat)
    unreached: list[Unreached] = []
    tried = 0
    # Two that nothing tells apart are one finding.
    for entity in dict.fromkeys(home.entities[:MOST_DEVICES]):
        sentences = for_entity(entity, language)
        if not sentences:
            continue
        tried += 1
        first = await try_sentence(sentences[0], chat, services, entity)
        if first.works or _tells_apart(entity, home):
            continue
        cause, others = await _cause(entity, home, services, language)
        # Of two that share a name even the plainest sentence should reach each.
        if cause != "same_name" and await working(sentences[1:], chat, services, entity, 1):
            continue
        better = await _better_name(entity, home, chat, services, language)
        unreached.append(Unreached(entity, cause, first, others, better))
    kinds = {entity.domain for entity in home.entities}
    return Checkup(
        devices=len(home.entities),
        areas=len(home.areas),
        tried=tried,
        unreached=tuple(unreached),
        dark_areas=_without(home, {"light"}),
        blind_areas=_without(home, {"sensor", "climate", "binary_sensor"}),
        missing_kinds=tuple(kind for kind in COMMON_KINDS if kind not in kinds),
        names_language=await _names_language(home, services, language),
    )


def _tells_apart(entity: Entity, home: Home) -> bool:
    """Whether several devices share the name, but each stands in an area of its own: one says the area too."""
    alike = [other for other in home.entities if fold(other.name) == fold(entity.name)]
    areas = Counter(other.area for other in alike)
    return len(alike) > 1 and None not in areas and max(areas.values()) == 1 and len({e.domain for e in alike}) == 1


async def _cause(entity: Entity, home: Home, services: Services, language: str) -> tuple[Cause, tuple[str, ...]]:
    names = {fold(name) for name in entity.names}
    others = [other for other in home.entities if other is not entity]
    same = [other for other in others if names & {fold(name) for name in other.names}]
    if same:
        return "same_name", _told(same)
    own = _words(entity.name)
    around = [other for other in others if own < _words(other.name) or _words(other.name) < own]
    grammar = await asyncio.to_thread(services.grammars.get, language)
    common = {fold(word) for word in grammar.words} if grammar is not None else set()
    if own and own <= common:
        return "command_word", ()
    return ("inside_other", _told(around)) if around else ("unclear", ())


async def _better_name(
    entity: Entity, home: Home, chat: Mapping[str, Any], services: Services, language: str
) -> str | None:
    """The first of some names with which the sentence works in the same home."""
    taken = {fold(name) for other in home.entities for name in other.names}
    options = [f"{entity.area} {entity.name}", f"{entity.name} {entity.area}"] if entity.area else []
    options += [f"{entity.name} {number}" for number in (2, 3)]
    for name in options:
        if fold(name) in taken:
            continue
        renamed = replace(entity, names=(name,))
        sentences = for_entity(renamed, language)
        if (await try_sentence(sentences[0], _renamed(chat, home, entity, renamed), services, renamed)).works:
            return name
    return None


def _renamed(chat: Mapping[str, Any], home: Home, entity: Entity, renamed: Entity) -> dict[str, Any]:
    """The same home and tools with another name of one device."""
    listed = [renamed if one is entity else one for one in home.entities]
    described = {
        "satellite": {"area": home.satellite_area, "floor": home.satellite_floor},
        "entities": [{"names": list(e.names), "domain": e.domain, "areas": list(e.areas)} for e in listed],
        "tools": functions_of(chat),
    }
    return request_body(described, "")


def _without(home: Home, domains: set[str]) -> tuple[str, ...]:
    """Areas in which there is none of these, though there is something."""
    with_some = {fold(e.area) for e in home.entities if e.area and e.domain in domains}
    used = {fold(e.area) for e in home.entities if e.area}
    return tuple(area.name for area in home.areas if fold(area.name) in used - with_some)


async def _names_language(home: Home, services: Services, language: str) -> str | None:
    """None where the names are too few to tell, or in the person's language."""
    if len(home.entities) < 5:
        return None
    detector = await asyncio.to_thread(services.grammars.detector, ())
    ranked = detector.rank(home.sample, (), "")
    return ranked[0] if ranked and language not in ranked[:2] else None


def _told(entities: Sequence[Entity]) -> tuple[str, ...]:
    return tuple(f"{e.name} ({e.area})" if e.area else e.name for e in entities[:4])


def _words(name: str) -> set[str]:
    return {fold(word.text) for word in words_of(name)}
