"""How to bring a thing back to the state that it had; nothing here needs Home Assistant.

Nothing is ever unlocked, disarmed or opened that closes off the home: that has to be said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KEPT = {
    "light": ("brightness", "color_mode", "color_temp_kelvin", "hs_color", "effect", "supported_color_modes"),
    "switch": (),
    "input_boolean": (),
    "fan": ("percentage", "preset_mode", "oscillating", "direction"),
    "cover": ("current_position", "current_tilt_position", "device_class"),
    "climate": ("temperature", "target_temp_low", "target_temp_high", "preset_mode", "fan_mode"),
    "media_player": ("volume_level", "is_volume_muted"),
}
"""What is remembered of the things that can be brought back."""

SHADES = frozenset({"awning", "blind", "curtain", "shade", "shutter"})
"""Covers of these classes are opened again; others may be a door or a gate, and are only ever closed."""

_MISSING = frozenset({"unavailable", "unknown"})
_COLOURS = {"hs": "hs_color", "rgb": "hs_color", "rgbw": "hs_color", "rgbww": "hs_color", "xy": "hs_color"}
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Was:
    """A state with what of its attributes counts."""

    state: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """A call of an action of Home Assistant, for one entity."""

    domain: str
    service: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cannot:
    """Why something is not brought back."""

    why: str


def kept(domain: str, state: str, attributes: Mapping[str, Any]) -> Was:
    """What is remembered of an entity."""
    return Was(state, {key: attributes[key] for key in KEPT.get(domain, ()) if attributes.get(key) is not None})


def way_back(domain: str, was: Was, now: Was) -> tuple[Step, ...] | Cannot:
    """The calls that lead from now to what was; none where nothing has changed."""
    if domain not in KEPT:
        return Cannot("not_kept")
    if was.state in _MISSING or now.state in _MISSING:
        return Cannot("unavailable")
    match domain:
        case "light":
            return _light(was, now)
        case "fan":
            return _fan(was, now)
        case "cover":
            return _cover(was, now)
        case "climate":
            return _climate(was, now)
        case "media_player":
            return _volume(was, now)
        case _:
            return () if was.state == now.state else _switched(domain, was)


def _switched(domain: str, was: Was) -> tuple[Step, ...]:
    return (Step(domain, "turn_on" if was.state == "on" else "turn_off"),)


def _light(was: Was, now: Was) -> tuple[Step, ...]:
    if was.state != "on":
        return () if now.state == was.state else (Step("light", "turn_off"),)
    data: dict[str, Any] = {}
    if "brightness" in was.attributes:
        data["brightness"] = was.attributes["brightness"]
    if effect := _effect(was):
        data["effect"] = effect
    elif was.attributes.get("color_mode") == "color_temp" and "color_temp_kelvin" in was.attributes:
        data["color_temp_kelvin"] = was.attributes["color_temp_kelvin"]
    elif (colour := _COLOURS.get(str(was.attributes.get("color_mode")))) and colour in was.attributes:
        data[colour] = list(was.attributes[colour])
    if now.state == "on" and all(_same(value, now.attributes.get(key)) for key, value in data.items()):
        return ()
    return (Step("light", "turn_on", data),)


def _effect(was: Was) -> str | None:
    effect = was.attributes.get("effect")
    return str(effect) if effect and str(effect).casefold() not in ("none", "off") else None


def _fan(was: Was, now: Was) -> tuple[Step, ...]:
    if was.state != "on":
        return () if now.state == was.state else (Step("fan", "turn_off"),)
    steps: list[Step] = []
    preset, percentage = was.attributes.get("preset_mode"), was.attributes.get("percentage")
    if now.state != "on":
        steps.append(Step("fan", "turn_on"))
    if preset is not None:
        if now.state != "on" or preset != now.attributes.get("preset_mode"):
            steps.append(Step("fan", "set_preset_mode", {"preset_mode": preset}))
    elif percentage is not None and (now.state != "on" or not _same(percentage, now.attributes.get("percentage"))):
        steps.append(Step("fan", "set_percentage", {"percentage": percentage}))
    for key, service in (("oscillating", "oscillate"), ("direction", "set_direction")):
        value = was.attributes.get(key)
        if value is not None and value != now.attributes.get(key):
            steps.append(Step("fan", service, {key: value}))
    return tuple(steps)


def _cover(was: Was, now: Was) -> tuple[Step, ...] | Cannot:
    position, present = was.attributes.get("current_position"), now.attributes.get("current_position")
    closed = position == 0 if position is not None else was.state in ("closed", "closing")
    if closed:
        already = present == 0 if present is not None else now.state in ("closed", "closing")
        steps = [] if already and now.state != "opening" else [Step("cover", "close_cover")]
    elif was.attributes.get("device_class") not in SHADES:
        unchanged = position == present and was.state == now.state
        return () if unchanged else Cannot("opens")
    elif position is not None:
        steps = [] if position == present else [Step("cover", "set_cover_position", {"position": position})]
    else:
        steps = [] if now.state in ("open", "opening") else [Step("cover", "open_cover")]
    tilt = was.attributes.get("current_tilt_position")
    if tilt is not None and tilt != now.attributes.get("current_tilt_position"):
        steps.append(Step("cover", "set_cover_tilt_position", {"tilt_position": tilt}))
    return tuple(steps)


def _climate(was: Was, now: Was) -> tuple[Step, ...]:
    steps: list[Step] = []
    if was.state != now.state:
        steps.append(Step("climate", "set_hvac_mode", {"hvac_mode": was.state}))
    for key, service in (("preset_mode", "set_preset_mode"), ("fan_mode", "set_fan_mode")):
        value = was.attributes.get(key)
        if value is not None and value != now.attributes.get(key):
            steps.append(Step("climate", service, {key: value}))
    both = ("target_temp_low", "target_temp_high")
    if all(key in was.attributes for key in both):
        if any(not _same(was.attributes[key], now.attributes.get(key)) for key in both):
            steps.append(Step("climate", "set_temperature", {key: was.attributes[key] for key in both}))
    elif "temperature" in was.attributes and not _same(
        was.attributes["temperature"], now.attributes.get("temperature")
    ):
        steps.append(Step("climate", "set_temperature", {"temperature": was.attributes["temperature"]}))
    return tuple(steps)


def _volume(was: Was, now: Was) -> tuple[Step, ...] | Cannot:
    """Volume alone: what was played cannot be brought back."""
    if (was.state == "off") != (now.state == "off") or (was.state == "playing") != (now.state == "playing"):
        return Cannot("not_kept")
    steps: list[Step] = []
    level, muted = was.attributes.get("volume_level"), was.attributes.get("is_volume_muted")
    if level is not None and not _same(level, now.attributes.get("volume_level")):
        steps.append(Step("media_player", "volume_set", {"volume_level": level}))
    if muted is not None and muted != now.attributes.get("is_volume_muted"):
        steps.append(Step("media_player", "volume_mute", {"is_volume_muted": muted}))
    return tuple(steps)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= _TOLERANCE
    return bool(one == other)
