"""What a client knows of the home that the prompt does not say: the optional `ha_context` of a request.

It is merged over the prompt's own list by name, domain and area, and never adds an entity that the prompt lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import InvalidRequest
from .catalogue import Home
from .entity import Area, Entity, fold

_LONGEST = 255
Names = Annotated[tuple[str, ...], Field(fail_fast=True)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)


class Satellite(_Part):
    """Where the person speaks."""

    area: str | None = Field(None, max_length=_LONGEST)
    floor: str | None = Field(None, max_length=_LONGEST)


class Floor(_Part):
    """A floor of the home."""

    name: str = Field(min_length=1, max_length=_LONGEST)
    aliases: Names = ()


class ContextArea(_Part):
    """An area, and the floor that it is on."""

    name: str = Field(min_length=1, max_length=_LONGEST)
    aliases: Names = ()
    floor: str | None = Field(None, max_length=_LONGEST)


class ContextEntity(_Part):
    """An entity; `members` are the names of what a group consists of."""

    name: str = Field(min_length=1, max_length=_LONGEST)
    domain: str = Field(min_length=1, max_length=64)
    aliases: Names = ()
    area: str | None = Field(None, max_length=_LONGEST)
    floor: str | None = Field(None, max_length=_LONGEST)
    device_class: str | None = Field(None, max_length=64)
    state: str | None = Field(None, max_length=_LONGEST)
    attributes: dict[str, Any] = Field(default_factory=dict)
    members: Names = ()


class HaContext(_Part):
    """Every part is optional; an unknown key is ignored."""

    language: str | None = Field(None, max_length=16)
    timezone: str | None = Field(None, max_length=64)
    satellite: Satellite | None = None
    floors: Annotated[tuple[Floor, ...], Field(fail_fast=True)] = ()
    areas: Annotated[tuple[ContextArea, ...], Field(fail_fast=True, max_length=20_000)] = ()
    entities: Annotated[tuple[ContextEntity, ...], Field(fail_fast=True, max_length=20_000)] = ()

    def __hash__(self) -> int:
        return id(self)


def read_context(raw: Mapping[str, Any]) -> HaContext:
    """Validate the `ha_context` of a request; raises `InvalidRequest` that names the broken part."""
    try:
        return HaContext.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(("ha_context", *(str(part) for part in first["loc"])))
        raise InvalidRequest(
            f"The ha_context of this request cannot be used: {place}: {first['msg']}.", param=place
        ) from None


def merge(home: Home, context: HaContext) -> Home:
    """The prompt's home with what the context adds to it."""
    floors = tuple(Area((floor.name, *floor.aliases)) for floor in context.floors) or home.floors
    told = {fold(area.name): area for area in context.areas}
    areas = tuple(_area(area, told.get(fold(area.name))) for area in home.areas)
    known = {fold(area.name) for area in areas}
    areas += tuple(Area((a.name, *a.aliases), a.floor) for key, a in told.items() if key not in known)
    satellite = context.satellite or Satellite()
    return replace(
        home,
        entities=_entities(home.entities, context.entities),
        areas=areas,
        floors=floors,
        satellite_area=home.satellite_area or satellite.area,
        satellite_floor=home.satellite_floor or satellite.floor,
        floors_known=home.floors_known or "floors" in context.model_fields_set,
    )


def _area(area: Area, told: ContextArea | None) -> Area:
    if told is None:
        return area
    return Area(_names(area.names, told.aliases), told.floor or area.floor)


def _entities(entities: Iterable[Entity], told: Iterable[ContextEntity]) -> tuple[Entity, ...]:
    by_key: dict[tuple[str, str], list[ContextEntity]] = {}
    for entity in told:
        by_key.setdefault((fold(entity.name), entity.domain), []).append(entity)
    return tuple(_entity(entity, by_key) for entity in entities)


def _entity(entity: Entity, told: Mapping[tuple[str, str], list[ContextEntity]]) -> Entity:
    """The one told entity of the same name and domain, and of the same area where there are several."""
    same = told.get((fold(entity.name), entity.domain), [])
    if len(same) > 1:
        same = [one for one in same if fold(one.area or "") == fold(entity.area or "")]
    if len(same) != 1:
        return entity
    found = same[0]
    attributes = {**entity.attributes, **found.attributes, **({"members": found.members} if found.members else {})}
    device_class = found.device_class or found.attributes.get("device_class")
    return replace(
        entity,
        names=_names(entity.names, found.aliases),
        areas=entity.areas or ((found.area,) if found.area else ()),
        state=found.state,
        device_class=device_class if isinstance(device_class, str) else entity.device_class,
        floor=found.floor or entity.floor,
        attributes=attributes,
    )


def _names(own: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    names = {fold(name): name for name in (*more, *own) if name.strip()}
    ordered = (*own, *more)
    return tuple(dict.fromkeys(names[fold(name)] for name in ordered if name.strip()))
