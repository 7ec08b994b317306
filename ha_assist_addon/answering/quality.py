"""Whether an entity is what a question asks for: on, open, playing, wet. A state that does not tell gives None."""

from __future__ import annotations

from collections.abc import Mapping

from ..home.entity import Entity

UNAVAILABLE = "unavailable"
"""What anything can be."""
_OPENINGS = frozenset({"door", "window", "garage_door", "opening"})
_ACTIVE: Mapping[str, frozenset[str]] = {
    "cover": frozenset({"open", "opening"}),
    "valve": frozenset({"open", "opening"}),
    "vacuum": frozenset({"cleaning"}),
    "lawn_mower": frozenset({"mowing"}),
    "camera": frozenset({"recording", "streaming"}),
    "timer": frozenset({"active"}),
    "media_player": frozenset({"on", "playing", "paused", "idle", "buffering"}),
}
"""What being on means where the state does not say so."""

_ON_OFF = frozenset(
    {
        "light",
        "switch",
        "fan",
        "input_boolean",
        "automation",
        "script",
        "siren",
        "humidifier",
        "remote",
        "binary_sensor",
        "update",
    }
)
_NOT_OFF = frozenset({"climate", "water_heater"})

_STATES: Mapping[str, Mapping[str, frozenset[str]]] = {
    "playing": {"media_player": frozenset({"playing"})},
    "paused": {
        "media_player": frozenset({"paused"}),
        "vacuum": frozenset({"paused"}),
        "lawn_mower": frozenset({"paused"}),
    },
    "stopped": {"media_player": frozenset({"idle", "off", "standby"})},
    "idle": {
        "media_player": frozenset({"idle"}),
        "vacuum": frozenset({"idle"}),
        "fan": frozenset({"off"}),
        "climate": frozenset({"off"}),
        "timer": frozenset({"idle"}),
    },
    "standby": {"media_player": frozenset({"standby"})},
    "spinning": {"fan": frozenset({"on"})},
    "resting": {"fan": frozenset({"off"}), "vacuum": frozenset({"docked", "idle", "paused"})},
    "lit": {"light": frozenset({"on"})},
    "dark": {"light": frozenset({"off"})},
    "opening": {"cover": frozenset({"opening"}), "valve": frozenset({"opening"})},
    "closing": {"cover": frozenset({"closing"}), "valve": frozenset({"closing"})},
    "moving": {"cover": frozenset({"opening", "closing"}), "valve": frozenset({"opening", "closing"})},
    "locking": {"lock": frozenset({"locking"})},
    "unlocking": {"lock": frozenset({"unlocking"})},
    "raised": {"cover": frozenset({"open", "opening"})},
    "lowered": {"cover": frozenset({"closed"})},
    "secure": {"lock": frozenset({"locked"}), "cover": frozenset({"closed"}), "valve": frozenset({"closed"})},
    "insecure": {
        "lock": frozenset({"unlocked", "open", "unlocking", "opening"}),
        "cover": frozenset({"open", "opening"}),
    },
    "open": {
        "cover": frozenset({"open", "opening"}),
        "valve": frozenset({"open", "opening"}),
        "lock": frozenset({"open", "opening", "unlocked"}),
    },
    "closed": {"cover": frozenset({"closed"}), "valve": frozenset({"closed"}), "lock": frozenset({"locked"})},
    "locked": {"lock": frozenset({"locked"})},
    "unlocked": {"lock": frozenset({"unlocked", "open"})},
    "jammed": {"lock": frozenset({"jammed"})},
    "cleaning": {"vacuum": frozenset({"cleaning"}), "lawn_mower": frozenset({"mowing"})},
    "docked": {"vacuum": frozenset({"docked"}), "lawn_mower": frozenset({"docked"})},
    "returning": {"vacuum": frozenset({"returning"}), "lawn_mower": frozenset({"returning"})},
    "home": {"person": frozenset({"home"}), "device_tracker": frozenset({"home"})},
    "away": {"person": frozenset({"not_home"}), "device_tracker": frozenset({"not_home"})},
    "disarmed": {"alarm_control_panel": frozenset({"disarmed"})},
    "armed": {
        "alarm_control_panel": frozenset(
            {"armed_home", "armed_away", "armed_night", "armed_vacation", "armed_custom_bypass"}
        )
    },
    "triggered": {"alarm_control_panel": frozenset({"triggered"})},
}
_CLASSES: Mapping[str, tuple[frozenset[str], str]] = {
    "open": (_OPENINGS, "on"),
    "closed": (_OPENINGS, "off"),
    "unlocked": (frozenset({"lock"}), "on"),
    "locked": (frozenset({"lock"}), "off"),
    "wet": (frozenset({"moisture"}), "on"),
    "dry": (frozenset({"moisture"}), "off"),
    "low": (frozenset({"battery"}), "on"),
    "charging": (frozenset({"battery_charging"}), "on"),
    "connected": (frozenset({"connectivity"}), "on"),
    "disconnected": (frozenset({"connectivity"}), "off"),
    "triggered": (
        frozenset(
            {"motion", "occupancy", "presence", "smoke", "gas", "carbon_monoxide", "sound", "vibration", "tamper"}
        ),
        "on",
    ),
    "occupied": (frozenset({"motion", "occupancy", "presence"}), "on"),
    "empty": (frozenset({"motion", "occupancy", "presence"}), "off"),
    "plugged": (frozenset({"plug"}), "on"),
    "running": (frozenset({"running", "moving", "power"}), "on"),
}
"""What the state of a binary sensor means by its class."""


def holds(entity: Entity, quality: str) -> bool | None:
    """Whether the entity has the quality; None where it is of a kind that cannot have it."""
    state, domain = entity.state or "", entity.domain
    if quality == UNAVAILABLE:
        return state == UNAVAILABLE
    if quality in ("on", "off", "running") and (active := _active(entity)) is not None:
        return active if quality != "off" else not active
    if domain == "binary_sensor":
        known = _CLASSES.get(quality)
        return state == known[1] if known is not None and entity.device_class in known[0] else None
    states = _STATES.get(quality, {}).get(domain)
    if states is None and quality == "running" and domain == "media_player":
        states = frozenset({"playing"})
    return None if states is None else state in states


def domains_with(quality: str) -> frozenset[str]:
    """The domains of which an entity can have the quality."""
    if quality == UNAVAILABLE:
        return frozenset({"sensor", *_ON_OFF, *_NOT_OFF, *_ACTIVE}.union(*_STATES.values()))
    found = set(_STATES.get(quality, ()))
    if quality in ("on", "off", "running"):
        found |= _ON_OFF | _NOT_OFF | set(_ACTIVE)
    if quality in _CLASSES:
        found.add("binary_sensor")
    return frozenset(found)


def _active(entity: Entity) -> bool | None:
    state, domain = entity.state or "", entity.domain
    if domain in _ON_OFF:
        return state == "on"
    if domain in _NOT_OFF:
        return state != "off"
    states = _ACTIVE.get(domain)
    return None if states is None else state in states


def same_opening(entity: Entity, device_class: str) -> bool:
    """Whether a contact tells of the same kind of opening as a class of covers."""
    names = {"garage": "garage_door", "gate": "garage_door"}
    return entity.domain == "binary_sensor" and entity.device_class == names.get(device_class, device_class)


def as_cover(entity: Entity) -> str:
    """The state of a contact in the words of a cover."""
    return {"on": "open", "off": "closed"}.get(entity.state or "", entity.state or "")
