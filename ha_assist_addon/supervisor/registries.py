"""Reads the registries of Home Assistant and makes one `HaContext` of them; states are never kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..home.ha_context import ContextArea, ContextEntity, Floor, HaContext
from .connection import CommandRefused, Connection
from .languages import grammar_language

CHUNK = 500
"""How many entities are asked for at once: Home Assistant answers each such command in one go."""
NEVER_LISTED = frozenset({"calendar", "script"})
"""Domains that the prompt does not list, so that nothing could be merged with them."""

Item = Mapping[str, Any]
Part = TypeVar("Part", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Named:
    """All that is kept of a state: the name it is shown under and its class."""

    entity_id: str
    name: str
    device_class: str | None


@dataclass(frozen=True, slots=True)
class Registries:
    """The answers of Home Assistant; what it did not tell is empty."""

    config: Item = field(default_factory=dict)
    floors: Sequence[Item] = ()
    areas: Sequence[Item] = ()
    devices: Sequence[Item] = ()
    named: Sequence[Named] = ()
    entries: Mapping[str, Item] = field(default_factory=dict)
    untold: tuple[str, ...] = ()
    """The commands that were refused."""


async def read_registries(connection: Connection) -> Registries:
    """Ask for everything once; a command that this Home Assistant does not know leaves its part empty."""
    untold: dict[str, None] = {}

    async def told(command: str, **arguments: Any) -> Any:
        try:
            return await connection.ask(command, **arguments)
        except CommandRefused:
            untold[command] = None
            return None

    config = await told("get_config")
    # Home Assistant sends in order: what changed before this answer is in the answers that follow.
    connection.changed = False
    floors = _items(await told("config/floor_registry/list"))
    areas = _items(await told("config/area_registry/list"))
    devices = _items(await told("config/device_registry/list"))
    named = tuple(_named(_items(await told("get_states"))))
    entries: dict[str, Item] = {}
    for start in range(0, len(named), CHUNK):
        ids = [one.entity_id for one in named[start : start + CHUNK]]
        entries |= _entries(await told("config/entity_registry/get_entries", entity_ids=ids))
    return Registries(_item(config), floors, areas, devices, named, entries, tuple(untold))


async def build_context(registries: Registries) -> HaContext:
    """The context that these registries tell, built in a thread: a large home has thousands of entities."""
    return await asyncio.to_thread(context_of, registries)


def context_of(registries: Registries) -> HaContext:
    """What can be used of these registries; a broken item is left out."""
    config = registries.config
    floors = _by_id(registries.floors, "floor_id")
    areas = _by_id(registries.areas, "area_id")
    devices = _by_id(registries.devices, "id")
    entities = (
        _entity(named, registries.entries.get(named.entity_id, {}), areas, devices) for named in _known(registries)
    )
    return HaContext(
        language=grammar_language(_text(config.get("language")), _text(config.get("country"))),
        timezone=(_text(config.get("time_zone")) or "")[:64] or None,
        floors=tuple(_parts(Floor, ({"name": f.get("name"), "aliases": _aliases(f)} for f in registries.floors))),
        areas=tuple(
            _parts(
                ContextArea,
                ({"name": a.get("name"), "aliases": _aliases(a), "floor": _floor(a, floors)} for a in registries.areas),
            )
        ),
        entities=tuple(_parts(ContextEntity, chain.from_iterable(entities))),
    )


def _known(registries: Registries) -> Iterable[Named]:
    for named in sorted(registries.named, key=lambda one: one.entity_id):
        if named.entity_id.split(".", maxsplit=1)[0] not in NEVER_LISTED:
            yield named


def _entity(named: Named, entry: Item, areas: Mapping[str, Item], devices: Mapping[str, Item]) -> Iterable[Item]:
    """The entity under the name that the prompt puts first; under both where it depends on Home Assistant's version."""
    device = _found(devices, entry.get("device_id"))
    parent = _found(devices, device.get("parent_device_id"))
    places = (_found(areas, one.get("area_id")) for one in (entry, device, parent))
    # The floor is its area's: told once, a request's own context can say otherwise of the area.
    area = next((place for place in places if place), {})
    shared = {
        "domain": named.entity_id.split(".", maxsplit=1)[0],
        "area": _text(area.get("name")),
        "device_class": _text(entry.get("device_class") or entry.get("original_device_class")) or named.device_class,
    }
    for names in _orders(named.name, entry.get("aliases")):
        yield {**shared, "name": names[0], "aliases": tuple(names[1:])}


def _orders(name: str, aliases: Any) -> Iterable[list[str]]:
    """The names of an entity in the order of the prompt.

    Newer versions of Home Assistant list the friendly name among the aliases, as null, and leave it out where the
    person removed it; older ones put it before them and never list it. Without a null it can be either.
    """
    listed = aliases if isinstance(aliases, list) else []
    names = [text for alias in listed if (text := name if alias is None else _text(alias))]
    if None not in listed:
        if names and names[0] != name:
            yield names
        names = [name, *sorted(names)]
    yield list(dict.fromkeys(names))


def _parts(kind: type[Part], items: Iterable[Item]) -> Iterable[Part]:
    for item in items:
        try:
            yield kind.model_validate(item)
        except ValidationError:
            continue


def _named(states: Iterable[Item]) -> Iterable[Named]:
    for state in states:
        entity_id, attributes = _text(state.get("entity_id")), _item(state.get("attributes"))
        if entity_id and "." in entity_id:
            # As Home Assistant itself names a state without a friendly name.
            name = _text(attributes.get("friendly_name")) or entity_id.split(".", maxsplit=1)[1].replace("_", " ")
            yield Named(entity_id, name, _text(attributes.get("device_class")))


def _entries(answer: Any) -> dict[str, Item]:
    return {key: value for key, value in _item(answer).items() if isinstance(value, dict)}


def _floor(area: Item, floors: Mapping[str, Item]) -> str | None:
    return _text(_found(floors, area.get("floor_id")).get("name"))


def _by_id(items: Iterable[Item], key: str) -> dict[str, Item]:
    return {identity: item for item in items if (identity := _text(item.get(key)))}


def _found(items: Mapping[str, Item], identity: Any) -> Item:
    return items.get(_text(identity) or "", {})


def _aliases(item: Item) -> tuple[str, ...]:
    # Home Assistant keeps them as a set: sorted, the same answer stays the same context.
    aliases = item.get("aliases")
    return tuple(sorted({text for alias in aliases if (text := _text(alias))})) if isinstance(aliases, list) else ()


def _items(answer: Any) -> tuple[Item, ...]:
    return tuple(item for item in answer if isinstance(item, dict)) if isinstance(answer, list) else ()


def _item(value: Any) -> Item:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
