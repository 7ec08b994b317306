"""From a resolved command to the calls that carry it out, each checked against the offered tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.request_home import RequestHome
from ..home.toolbox import Toolbox
from ..recognition.recognise import Candidate
from ..turn.outcome import Reason
from .acts import Act
from .command import Command, Scope
from .effects import Effect, act_on, effect_of
from .plan import NotPlanned, Planned, plan
from .reference import Found

MOST_SINGLE_CALLS = 30
"""More calls than these are not made one by one."""
_KEYS: Mapping[tuple[str, str], str] = {
    ("HassTurnOn", "cover"): "cover",
    ("HassTurnOff", "cover"): "cover",
    ("HassTurnOn", "valve"): "valve",
    ("HassTurnOff", "valve"): "valve",
    ("HassTurnOn", "lock"): "lock",
    ("HassTurnOff", "lock"): "lock",
    ("HassTurnOn", "scene"): "scene",
    ("HassTurnOn", "script"): "script",
    ("HassTurnOn", "button"): "button",
    ("HassTurnOn", "input_button"): "button",
}
"""Home Assistant's response templates by intent and domain."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value of one entity that is computed from what it is now."""

    command: Command
    act: Act
    effect: Effect
    entity: Entity


@dataclass(frozen=True, slots=True)
class Work:
    """What a command comes to: calls, and changes that wait for a read."""

    planned: tuple[Planned, ...] = ()
    changes: tuple[Change, ...] = ()


def work_of(command: Command, found: Found, home: Home, toolbox: Toolbox, language: str) -> Work | NotPlanned:
    """The calls of one command on what it was found to mean; all of them, or why one cannot be made."""
    planned: list[Planned] = []
    changes: list[Change] = []
    if (room := room_to_clean(command, home)) is not None:
        slots = {
            "area": room,
            **({"name": found.entities[0].name} if found.by_name and len(found.entities) == 1 else {}),
        }
        one = plan(_candidate(command, Effect("HassVacuumCleanArea"), slots, "vacuum", language), home, toolbox)
        return one if isinstance(one, NotPlanned) else Work((one,))
    for domain, entities in _by_domain(found.entities).items():
        effect, act = effect_of(command, domain), act_on(command, domain)
        if effect is None or act is None:
            continue
        if act is Act.TOGGLE and len(entities) > 1:
            return _too_many(_candidate(command, effect, {}, domain, language), entities)
        if effect.live and found.floor_unsure:
            return _too_many(_candidate(command, effect, {}, domain, language), entities)
        if effect.live:
            changes += [Change(command, act, effect, entity) for entity in entities]
            continue
        made = _calls(command, effect, entities, found, home, toolbox, language)
        if isinstance(made, NotPlanned):
            return made
        planned += made
    return Work(tuple(planned), tuple(changes))


def room_to_clean(command: Command, home: Home) -> str | None:
    """The room that a robot is told to clean, which need not be the one where it stands."""
    if command.acts[:1] != (Act.CLEAN,):
        return None
    placed = next((i.area.name for i in command.reference.items if i.area is not None), None)
    return placed or (home.satellite_area if command.reference.scope is Scope.HERE else None)


def _by_domain(entities: Sequence[Entity]) -> Mapping[str, list[Entity]]:
    groups: dict[str, list[Entity]] = {}
    for entity in entities:
        groups.setdefault(entity.domain, []).append(entity)
    return groups


def _calls(
    command: Command,
    effect: Effect,
    entities: Sequence[Entity],
    found: Found,
    home: Home,
    toolbox: Toolbox,
    language: str,
) -> list[Planned] | NotPlanned:
    for slots in _group_slots(effect, entities, found, home):
        one = plan(_candidate(command, effect, slots, entities[0].domain, language, group=True), home, toolbox)
        if isinstance(one, Planned) and {id(e) for e in one.targets} == {id(e) for e in entities}:
            return [one]
    if len(entities) > MOST_SINGLE_CALLS or found.floor_unsure:
        reason = _candidate(command, effect, {}, entities[0].domain, language, group=True)
        return _too_many(reason, entities)
    planned: list[Planned] = []
    for entity in entities:
        made = plan_one(command, effect, entity, home, toolbox, language)
        if isinstance(made, NotPlanned):
            return made
        planned.append(made)
    return planned


def _too_many(candidate: Candidate, entities: Sequence[Entity]) -> NotPlanned:
    """Why a call for each of so many entities is not made."""
    return NotPlanned(candidate, Reason.MISSING_TARGET, f"{len(entities)} calls would be needed.", tuple(entities))


def plan_one(
    command: Command, effect: Effect, entity: Entity, home: Home, toolbox: Toolbox, language: str
) -> Planned | NotPlanned:
    """The call on one entity, told apart from others of its name by its area."""
    bearers = home.by_name.get(fold(entity.name), ())
    slots: dict[str, Any] = {"name": _as_said(command, entity)}
    if entity.area and sum(e.domain == entity.domain for e in bearers) > 1:
        slots["area"] = entity.area
    return plan(_candidate(command, effect, slots, entity.domain, language), home, toolbox)


def _as_said(command: Command, entity: Entity) -> str:
    """The name of an entity that the sentence says, else its own."""
    said = {fold(i.text) for i in command.reference.items if i.kind == "name" and i.exact}
    return next((name for name in entity.names if fold(name) in said), entity.name)


def plan_together(
    command: Command, effect: Effect, entities: Sequence[Entity], area: str, house: RequestHome, language: str
) -> Planned | None:
    """One call on all of a kind in an area, where that reaches exactly these entities."""
    for slots in _group_slots(effect, entities, Found(tuple(entities), area=area), house.home):
        candidate = _candidate(command, effect, slots, entities[0].domain, language, group=True)
        made = plan(candidate, house.home, house.toolbox)
        if isinstance(made, Planned) and {id(e) for e in made.targets} == {id(e) for e in entities}:
            return made
    return None


def _group_slots(effect: Effect, entities: Sequence[Entity], found: Found, home: Home) -> Iterator[dict[str, Any]]:
    """The ways to name all of a kind at once: by the floor that was said, by their area, or everywhere."""
    if (found.by_name or (len(entities) < 2 and entities[0].domain != "light")) and not found.floor_unsure:
        return
    domain = entities[0].domain
    kind = {"domain": domain} if effect.intent in ("HassTurnOn", "HassTurnOff", "HassLightSet") else {}
    if found.floor is not None:
        yield {"floor": found.floor, **kind}
    areas = {e.area for e in entities} if not found.floor_unsure else set()
    if len(areas) == 1 and (area := areas.pop()) is not None:
        said = home.area_by_name.get(fold(found.area)) if found.area is not None else None
        yield {"area": found.area if said is not None and area in said.names else area, **kind}
    if found.whole_home and effect.intent in ("HassTurnOn", "HassTurnOff"):
        yield kind


def _candidate(
    command: Command, effect: Effect, slots: Mapping[str, Any], domain: str, language: str, *, group: bool = False
) -> Candidate:
    key = _KEYS.get((effect.intent, domain), "default")
    if effect.intent == "HassLightSet":
        key = "color" if "color" in effect.slots else "temperature" if "temperature" in effect.slots else "brightness"
    elif group and domain in ("light", "fan"):
        key = f"{domain}s_area" if "area" in slots else key
    noun = next((i.text for i in command.reference.items if i.noun is not None), None)
    said = {"device_class": noun} if noun is not None and key == "cover" else {}
    return Candidate(
        intent=effect.intent,
        language=language,
        slots={**slots, **effect.slots},
        said=said,
        domain=domain if "name" in slots else None,
        response="cover_device_class" if said else key,
        template="",
        rank=(),
        sentence=command.text,
        own=True,
    )
