"""What the prompt does not say of the home: the `ha_context` of a request.

Only what is exposed to Assist is told. What the registries know is kept until they change; states are read for each
request.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from home_assistant_intents import get_languages

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.components.sensor import async_rounded_state
from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_ENTITY_ID
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, State, callback
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    intent,
)
from homeassistant.util import dt as dt_util, language as language_util

ASSISTANT = "conversation"
"""The assistant whose exposure settings hold."""

NOT_LISTED = frozenset({"calendar", "script"})
"""Domains that the prompt does not list, so that nothing could be added to them."""

ATTRIBUTES = frozenset(
    {
        "brightness",
        "current_humidity",
        "current_position",
        "current_temperature",
        "current_tilt_position",
        "fan_mode",
        "humidity",
        "hvac_action",
        "is_volume_muted",
        "media_album_name",
        "media_artist",
        "media_title",
        "percentage",
        "preset_mode",
        "pressure",
        "pressure_unit",
        "source",
        "temperature",
        "temperature_unit",
        "unit_of_measurement",
        "volume_level",
        "wind_speed",
        "wind_speed_unit",
    }
)
"""Attributes that an answer can be made of."""

GROUP_ATTRIBUTES = (ATTR_ENTITY_ID, "group_entities")
LONGEST = 255
"""Longer names are no names that anybody says, and the server refuses them."""

LONGEST_CODE = 64
"""The same for device classes and the time zone."""

_REGISTRY_EVENTS = (
    ar.EVENT_AREA_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the registries tell of an entity; `shown` is the name that its state had then."""

    shown: str
    names: tuple[str, ...]
    area: str | None


class HomeContext:
    """Tells a request's `ha_context`; `async_listen` has to be called first."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._known: dict[str, _Known] = {}
        self._places: dict[str, Any] | None = None

    @callback
    def async_listen(self) -> CALLBACK_TYPE:
        """Follow the registries; returns what ends that."""

        @callback
        def forget(_event: Event[Any]) -> None:
            self._known.clear()
            self._places = None

        removers = [self._hass.bus.async_listen(kind, forget) for kind in _REGISTRY_EVENTS]

        @callback
        def stop() -> None:
            for remove in removers:
                remove()

        return stop

    @callback
    def async_speech(self, language: str, device_id: str | None, satellite_id: str | None) -> dict[str, Any]:
        """Language, time zone, and where the person speaks."""
        told: dict[str, Any] = {"language": _grammar_language(language)}
        if len(self._hass.config.time_zone) <= LONGEST_CODE:
            told["timezone"] = self._hass.config.time_zone
        if (area := self._satellite_area(device_id, satellite_id)) and _fits(area.name):
            told["satellite"] = {"area": area.name, "floor": _floor_name(self._hass, area)}
        return told

    @callback
    def async_home(self) -> dict[str, Any]:
        """Floors, areas, and the exposed entities with their states."""
        if self._places is None:
            self._places = _places(self._hass)
        states = [state for state in self._hass.states.async_all() if self._is_told(state)]
        names = {state.entity_id: known.names for state in states if (known := self._entity(state)).names}
        return {**self._places, "entities": [self._told(s, names) for s in states if s.entity_id in names]}

    def _is_told(self, state: State) -> bool:
        return state.domain not in NOT_LISTED and async_should_expose(self._hass, ASSISTANT, state.entity_id)

    def _entity(self, state: State) -> _Known:
        known = self._known.get(state.entity_id)
        if known is None or known.shown != state.name:
            known = self._known[state.entity_id] = self._read(state)
        return known

    def _read(self, state: State) -> _Known:
        entry = er.async_get(self._hass).async_get(state.entity_id)
        names = intent.async_get_entity_aliases(self._hass, entry, state=state)
        area = _area_of(self._hass, entry) if entry else None
        usable = tuple(name for name in names if _fits(name))
        # Under another first name than the prompt's the server would not find it.
        return _Known(
            state.name,
            usable if usable[:1] == tuple(names[:1]) else (),
            area.name if area and _fits(area.name) else None,
        )

    def _told(self, state: State, names: dict[str, tuple[str, ...]]) -> dict[str, Any]:
        known = self._entity(state)
        told: dict[str, Any] = {"name": known.names[0], "domain": state.domain, "state": _state(self._hass, state)}
        if aliases := known.names[1:]:
            told["aliases"] = aliases
        if known.area:
            told["area"] = known.area
        device_class = str(state.attributes.get(ATTR_DEVICE_CLASS) or "")
        if 0 < len(device_class) <= LONGEST_CODE:
            told["device_class"] = device_class
        if attributes := _attributes(self._hass, state):
            told["attributes"] = attributes
        if members := [names[member][0] for member in _members(state) if member in names]:
            told["members"] = members
        return told

    def _satellite_area(self, device_id: str | None, satellite_id: str | None) -> ar.AreaEntry | None:
        entry = er.async_get(self._hass).async_get(satellite_id) if satellite_id else None
        area = _area_of(self._hass, entry) if entry else None
        return area or _area(self._hass, _device_area_id(self._hass, device_id))


@lru_cache(maxsize=16)
def _grammar_language(language: str) -> str:
    """The language as the sentence package calls it, chosen as Home Assistant's own agent does."""
    matches = language_util.matches(language, sorted(get_languages()))
    return matches[0] if matches else language[:16]


def _places(hass: HomeAssistant) -> dict[str, Any]:
    return {
        "floors": [
            {"name": floor.name, "aliases": _fitting(floor.aliases)}
            for floor in fr.async_get(hass).async_list_floors()
            if _fits(floor.name)
        ],
        "areas": [
            {"name": area.name, "aliases": _fitting(area.aliases), "floor": _floor_name(hass, area)}
            for area in ar.async_get(hass).async_list_areas()
            if _fits(area.name)
        ],
    }


def _area_of(hass: HomeAssistant, entry: er.RegistryEntry) -> ar.AreaEntry | None:
    return _area(hass, entry.area_id or _device_area_id(hass, entry.device_id))


def _area(hass: HomeAssistant, area_id: str | None) -> ar.AreaEntry | None:
    return ar.async_get(hass).async_get_area(area_id) if area_id else None


def _device_area_id(hass: HomeAssistant, device_id: str | None) -> str | None:
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    if device is None:
        return None
    # Parts of a device stand where it stands, where Home Assistant knows parts.
    effective = getattr(dr, "async_get_effective_area_id", None)
    return device.area_id if effective is None else effective(hass, device)


def _floor_name(hass: HomeAssistant, area: ar.AreaEntry) -> str | None:
    floor = fr.async_get(hass).async_get_floor(area.floor_id) if area.floor_id else None
    return floor.name if floor and _fits(floor.name) else None


def _fits(name: str) -> bool:
    """Whether the server takes it for a name."""
    return bool(name.strip()) and len(name) <= LONGEST


def _fitting(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if _fits(name))


def _state(hass: HomeAssistant, state: State) -> str:
    """The state as Home Assistant itself tells it to a model: rounded, and in the home's time."""
    if state.domain != "sensor":
        return state.state
    if state.attributes.get(ATTR_DEVICE_CLASS) == "timestamp" and (moment := dt_util.parse_datetime(state.state)):
        return dt_util.as_local(moment).isoformat()
    return async_rounded_state(hass, state.entity_id, state)


def _attributes(hass: HomeAssistant, state: State) -> dict[str, Any]:
    found = {
        key: value.value if isinstance(value, Enum) else value
        for key, value in state.attributes.items()
        if key in ATTRIBUTES and value is not None and isinstance(value, str | int | float | Enum)
    }
    if state.domain in ("climate", "water_heater"):
        found["temperature_unit"] = hass.config.units.temperature_unit
    return found


def _members(state: State) -> list[str]:
    for key in GROUP_ATTRIBUTES:
        if isinstance(members := state.attributes.get(key), list | tuple):
            return [member for member in members if isinstance(member, str)]
    return []
