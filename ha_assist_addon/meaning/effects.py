"""Which of Home Assistant's intents does what to which domain: the one table of acts, and what each intent does.

The domains follow the intent handlers of Home Assistant core (`components/*/intent.py`); an act without a row for a
domain cannot be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .acts import Act, Quantity
from .command import Command, Degree, Reference, Value

SWITCHABLE = frozenset(
    {"light", "switch", "fan", "media_player", "input_boolean", "humidifier", "climate", "siren", "group",
     "water_heater", "remote", "automation", "camera"}
)  # fmt: skip
MOVABLE = frozenset({"cover", "valve"})
RUNNABLE = frozenset({"scene", "script", "button", "input_button"})


@dataclass(frozen=True, slots=True)
class Effect:
    """One intent with the slots that say what is done; `live` effects need the states first, to compute a value."""

    intent: str
    slots: Mapping[str, Any] = field(default_factory=dict, hash=False)
    live: bool = False
    quantity: Quantity | None = None


_ON = Effect("HassTurnOn")
_OFF = Effect("HassTurnOff")


def _rows() -> Mapping[tuple[Act, str], Effect]:
    rows: dict[tuple[Act, str], Effect] = {}

    def add(effect: Effect, domains: Iterable[str], *acts: Act) -> None:
        rows.update(((act, domain), effect) for act in acts for domain in domains)

    add(_ON, SWITCHABLE - {"media_player"}, Act.ON, Act.START, Act.RESUME)
    add(_OFF, SWITCHABLE - {"media_player"}, Act.OFF, Act.STOP)
    add(Effect("HassTurnOn", live=True, quantity=Quantity.STATE), SWITCHABLE | {"cover", "valve", "lock"}, Act.TOGGLE)
    add(_ON, RUNNABLE, Act.ON, Act.START)
    add(_ON, MOVABLE, Act.OPEN)
    add(_OFF, MOVABLE, Act.CLOSE)
    add(Effect("HassStopMoving"), MOVABLE, Act.STOP)
    add(_ON, ("cover",), Act.UP)
    add(_OFF, ("cover",), Act.DOWN)
    add(_ON, ("valve",), Act.ON, Act.START, Act.WATER)
    add(_OFF, ("valve",), Act.OFF)
    add(_ON, ("lock",), Act.LOCK)
    add(_OFF, ("lock",), Act.UNLOCK, Act.OPEN)
    player = ("media_player",)
    add(_ON, player, Act.ON)
    add(_OFF, player, Act.OFF)
    add(Effect("HassMediaPause"), player, Act.PAUSE, Act.STOP)
    add(Effect("HassMediaUnpause"), player, Act.RESUME, Act.PLAY, Act.START)
    add(Effect("HassMediaNext"), player, Act.NEXT)
    add(Effect("HassMediaPrevious"), player, Act.PREVIOUS)
    add(Effect("HassMediaPlayerMute"), player, Act.MUTE)
    add(Effect("HassMediaPlayerUnmute"), player, Act.UNMUTE)
    add(Effect("HassVacuumStart"), ("vacuum",), Act.ON, Act.START, Act.CLEAN, Act.RESUME)
    add(Effect("HassVacuumReturnToBase"), ("vacuum",), Act.OFF, Act.STOP, Act.RETURN)
    add(Effect("HassLawnMowerStartMowing"), ("lawn_mower",), Act.ON, Act.START, Act.MOW, Act.RESUME)
    add(Effect("HassLawnMowerDock"), ("lawn_mower",), Act.OFF, Act.STOP, Act.RETURN)
    return rows


ROWS = _rows()

QUANTITY_DOMAINS: Mapping[Quantity, frozenset[str]] = {
    Quantity.BRIGHTNESS: frozenset({"light"}),
    Quantity.COLOUR: frozenset({"light"}),
    Quantity.WHITE: frozenset({"light"}),
    Quantity.VOLUME: frozenset({"media_player"}),
    Quantity.TEMPERATURE: frozenset({"climate"}),
    Quantity.SPEED: frozenset({"fan"}),
    Quantity.POSITION: MOVABLE,
    Quantity.HUMIDITY: frozenset({"humidifier"}),
}
"""What a quantity can be set on."""

_OF_SOUND = {Act.OFF: Act.MUTE, Act.ON: Act.UNMUTE}
"""What is meant where the sound is turned off or on."""

_OF_DOMAIN: Mapping[str, Quantity] = {
    "light": Quantity.BRIGHTNESS,
    "media_player": Quantity.VOLUME,
    "climate": Quantity.TEMPERATURE,
    "fan": Quantity.SPEED,
    "cover": Quantity.POSITION,
    "valve": Quantity.POSITION,
    "humidifier": Quantity.HUMIDITY,
}
"""What a plain number, or "up", is about."""

SETTERS: Mapping[Quantity, tuple[str, str]] = {
    Quantity.BRIGHTNESS: ("HassLightSet", "brightness"),
    Quantity.VOLUME: ("HassSetVolume", "volume_level"),
    Quantity.TEMPERATURE: ("HassClimateSetTemperature", "temperature"),
    Quantity.SPEED: ("HassFanSetSpeed", "percentage"),
    Quantity.POSITION: ("HassSetPosition", "position"),
    Quantity.HUMIDITY: ("HassHumidifierSetpoint", "humidity"),
}


_TEMPERATURES = ((4.0, 35.0), (40.0, 95.0))
"""What a thermostat can be set to, in degrees Celsius and Fahrenheit; the prompt does not tell which of them it is."""


def domains_of(command: Command) -> frozenset[str]:
    """The domains that a command can be about."""
    return _domains(command.acts, command.quantity, command.value)


@lru_cache(maxsize=1024)
def _domains(acts: tuple[Act, ...], quantity: Quantity | None, value: Value) -> frozenset[str]:
    known = {domain for _, domain in ROWS} | set(_OF_DOMAIN)
    command = Command(acts, Reference(), quantity, value)
    return frozenset(d for d in known if effect_of(command, d) is not None)


def effect_of(command: Command, domain: str) -> Effect | None:
    """What carries a command out on one domain, by the first of its acts that there is a row for."""
    if command.quantity is not None and domain not in QUANTITY_DOMAINS.get(command.quantity, frozenset()):
        return None
    return next((e for act in command.acts if (e := _effect(act, command, domain)) is not None), None)


def act_on(command: Command, domain: str) -> Act | None:
    """The act that `effect_of` carries out."""
    return next((act for act in command.acts if _effect(act, command, domain) is not None), None)


def _effect(act: Act, command: Command, domain: str) -> Effect | None:
    value, quantity = command.value, command.quantity or _OF_DOMAIN.get(domain)
    if act in (Act.UP, Act.DOWN) and quantity is not None and _changes(command, domain):
        return _set(quantity, value, domain) if value.is_set else _change(quantity, act, value)
    if act is Act.SET or (act in (Act.ON, Act.START, Act.OPEN, Act.CLOSE) and value.is_set):
        return _set(quantity, value, domain)
    if command.value not in _WHOLE and act not in (Act.OPEN, Act.CLOSE):
        return None
    if act in (Act.OPEN, Act.CLOSE) and _is_step(value) and domain in MOVABLE:
        return _change(Quantity.POSITION, Act.UP if act is Act.OPEN else Act.DOWN, value)
    if command.quantity is Quantity.VOLUME and act in _OF_SOUND:
        return ROWS.get((_OF_SOUND[act], domain))
    lit = act in (Act.ON, Act.OFF) and command.quantity is Quantity.BRIGHTNESS
    if command.quantity is not None and act not in (Act.MUTE, Act.UNMUTE) and not lit:
        return None
    return ROWS.get((act, domain))


_WHOLE = (Value(), Value(degree=Degree.END))
"""Nothing more is said than what is done, or that it is done wholly: "lower the blind completely"."""


def _changes(command: Command, domain: str) -> bool:
    """Whether "up" moves a value; of a cover it opens unless something more is said."""
    return (
        domain not in MOVABLE
        or command.quantity is Quantity.POSITION
        or _is_step(command.value)
        or command.value.is_set
    )


def _is_step(value: Value) -> bool:
    return value.relative or value.factor is not None or value.degree.value in ("small", "large")


def _set(quantity: Quantity | None, value: Value, domain: str) -> Effect | None:
    if domain == "light" and (value.colour is not None or value.kelvin is not None):
        slots: dict[str, Any] = {"color": value.colour} if value.colour is not None else {"temperature": value.kelvin}
        if value.amount is not None:
            slots["brightness"] = int(value.amount)
        return Effect("HassLightSet", slots, quantity=Quantity.COLOUR)
    if (
        value.colour is not None
        or value.kelvin is not None
        or quantity is None
        or quantity not in SETTERS
        or value.amount is None
    ):
        return None
    amount = value.amount
    if value.unit == "kelvin":
        return (
            Effect("HassLightSet", {"temperature": int(amount)}, quantity=Quantity.WHITE) if domain == "light" else None
        )
    if (value.unit == "degree") != (quantity is Quantity.TEMPERATURE) and value.unit is not None:
        return None
    if quantity is Quantity.TEMPERATURE and not any(low <= amount <= high for low, high in _TEMPERATURES):
        return None
    if quantity is not Quantity.TEMPERATURE and not (0 <= amount <= 100 and amount == int(amount)):
        return None
    intent, slot = SETTERS[quantity]
    return Effect(intent, {slot: amount if quantity is Quantity.TEMPERATURE else int(amount)}, quantity=quantity)


def _change(quantity: Quantity, act: Act, value: Value) -> Effect | None:
    if quantity in (Quantity.COLOUR, Quantity.WHITE, Quantity.STATE, Quantity.MODE):
        return None
    sign = 1 if act is Act.UP else -1
    if quantity is Quantity.VOLUME and value.factor is None:
        if value.amount is not None:
            return Effect("HassSetVolumeRelative", {"volume_step": sign * int(value.amount)}, quantity=quantity)
        if value.degree is Degree.END:
            return Effect("HassSetVolume", {"volume_level": 100 if sign > 0 else 0}, quantity=quantity)
        return Effect("HassSetVolumeRelative", {"volume_step": "up" if sign > 0 else "down"}, quantity=quantity)
    return Effect(SETTERS[quantity][0], live=True, quantity=quantity)
