"""What can be measured, and where Home Assistant keeps it. A set point is no measurement."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..home.entity import Entity, fold
from ..language.words import folded_words

MISSING = frozenset({"unavailable", "unknown", "none", ""})


@dataclass(frozen=True, slots=True)
class Measure:
    """One quantity: the classes and units of its sensors, and the attribute that holds it by domain."""

    classes: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    attributes: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One value with its unit, and the entity that reports it."""

    entity: Entity
    value: str
    unit: str | None


TEMPERATURE_UNITS = frozenset({"°C", "°F"})

MEASURES: Mapping[str, Measure] = {
    "temperature": Measure(
        frozenset({"temperature"}),
        TEMPERATURE_UNITS,
        {"climate": "current_temperature", "water_heater": "current_temperature", "weather": "temperature"},
    ),
    "set_point": Measure(
        attributes={"climate": "temperature", "water_heater": "temperature", "humidifier": "humidity"}
    ),
    "humidity": Measure(
        frozenset({"humidity"}),
        attributes={"climate": "current_humidity", "humidifier": "current_humidity", "weather": "humidity"},
        unit="%",
    ),
    "moisture": Measure(frozenset({"moisture"})),
    "battery": Measure(frozenset({"battery"}), unit="%"),
    "power": Measure(frozenset({"power", "apparent_power"}), frozenset({"W", "kW", "VA"})),
    "energy": Measure(frozenset({"energy", "energy_storage"}), frozenset({"Wh", "kWh", "MWh"})),
    "voltage": Measure(frozenset({"voltage"}), frozenset({"V", "mV"})),
    "current": Measure(frozenset({"current"}), frozenset({"A", "mA"})),
    "illuminance": Measure(frozenset({"illuminance"}), frozenset({"lx"})),
    "pressure": Measure(
        frozenset({"pressure", "atmospheric_pressure"}), frozenset({"hPa", "mbar", "inHg"}), {"weather": "pressure"}
    ),
    "carbon_dioxide": Measure(frozenset({"carbon_dioxide"})),
    "air_quality": Measure(
        frozenset({"aqi", "pm25", "pm10", "pm1", "volatile_organic_compounds", "carbon_dioxide"}), frozenset({"µg/m³"})
    ),
    "wind_speed": Measure(frozenset({"wind_speed"}), attributes={"weather": "wind_speed"}),
    "water": Measure(frozenset({"water"})),
    "gas": Measure(frozenset({"gas"})),
    "noise": Measure(frozenset({"sound_pressure"}), frozenset({"dB", "dBA"})),
    "signal": Measure(frozenset({"signal_strength"}), frozenset({"dBm"})),
    "brightness": Measure(attributes={"light": "brightness"}, unit="%"),
    "position": Measure(attributes={"cover": "current_position", "valve": "current_position"}, unit="%"),
    "volume": Measure(attributes={"media_player": "volume_level"}, unit="%"),
    "speed": Measure(attributes={"fan": "percentage"}, unit="%"),
}

SETTING = "setting"
"""What a thing is set to, whatever quantity that is of it."""
SET_QUANTITIES: Mapping[str, str] = {
    "climate": "set_point",
    "water_heater": "set_point",
    "humidifier": "set_point",
    "fan": "speed",
    "light": "brightness",
    "media_player": "volume",
    "cover": "position",
    "valve": "position",
}
NO_ROOM = frozenset({"weather", "water_heater"})
"""Domains whose measurement says nothing of the room that they are in."""


def is_missing(entity: Entity) -> bool:
    """Whether the entity has no state now."""
    return (entity.state or "").casefold() in MISSING


def reading(entity: Entity, measure: str) -> Reading | None:
    """What an entity reports of a quantity, or None."""
    wanted = MEASURES[measure]
    if is_missing(entity):
        return None
    if entity.domain in ("sensor", "number", "input_number"):
        unit = entity.attributes.get("unit_of_measurement")
        if not measures(entity, measure) or not _is_number(entity.state):
            return None
        return Reading(entity, str(entity.state), str(unit) if unit else None)
    key = wanted.attributes.get(entity.domain)
    value = _attribute(entity, key) if key else None
    if value is None:
        return None
    if measure in ("temperature", "set_point") and entity.domain != "humidifier":
        unit = entity.attributes.get("temperature_unit") or entity.attributes.get("unit_of_measurement")
        return Reading(entity, value, str(unit) if unit else "°")
    unit = entity.attributes.get(f"{key}_unit")
    return Reading(entity, value, str(unit) if unit else "%" if entity.domain == "humidifier" else wanted.unit)


def measures(entity: Entity, measure: str) -> bool:
    """Whether a sensor is one of this quantity: by its class, or by its unit where it has no class."""
    wanted = MEASURES[measure]
    if entity.device_class is not None:
        return entity.device_class in wanted.classes
    return entity.attributes.get("unit_of_measurement") in wanted.units


def _attribute(entity: Entity, key: str) -> str | None:
    """An attribute as a number that is spoken; Home Assistant's scales of 255 and of 1 are said in percent."""
    if key == "brightness":
        percent = _number(entity.attributes.get("brightness_pct"))
        raw = _number(entity.attributes.get("brightness"))
        value = percent if percent is not None else None if raw is None else round(raw / 255 * 100)
    elif key == "volume_level":
        raw = _number(entity.attributes.get(key))
        value = None if raw is None else round(raw * 100)
    else:
        value = _number(entity.attributes.get(key))
    return None if value is None else str(value)


def _number(value: object) -> float | None:
    try:
        return float(str(value)) if _is_number(value) else None
    except ValueError:
        return None


def _is_number(value: object) -> bool:
    try:
        parsed = float(str(value))
    except ValueError:
        return False
    return math.isfinite(parsed)


def belongs(sensor: Entity, entity: Entity) -> bool:
    """Whether a sensor bears an entity's name in front of its own, as the parts of a device do."""
    own = folded_words(entity.name)
    other = folded_words(sensor.name)
    same_place = not (sensor.area and entity.area) or fold(sensor.area) == fold(entity.area)
    return bool(own) and len(other) > len(own) and other[: len(own)] == own and same_place


def readings(entities: Sequence[Entity], measure: str) -> list[Reading]:
    """All that report a quantity."""
    return [r for e in entities if (r := reading(e, measure)) is not None]
