"""Relative changes: the absolute value that a change from a live state comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ..home.entity import Entity, fold
from ..home.request_home import RequestHome
from .acts import Act, Quantity
from .calls import Change, plan_one, plan_together
from .command import Degree
from .effects import Effect, effect_of
from .openings import opens
from .plan import NotPlanned, Planned


@dataclass(frozen=True, slots=True)
class Steps:
    """How far a value moves where no number says it: in points of a hundred, for temperatures in degrees."""

    normal: float = 20.0
    temperature: float = 1.0

    def of(self, degree: Degree, quantity: Quantity) -> float:
        """One step."""
        if quantity is Quantity.TEMPERATURE:
            return {Degree.SMALL: 0.5, Degree.LARGE: 2.0}.get(degree, 1.0) * self.temperature
        return {Degree.SMALL: 0.5, Degree.LARGE: 1.5}.get(degree, 1.0) * self.normal


class Halt(StrEnum):
    """Why a value does not move."""

    OFF = "off"
    """A light that is off cannot get darker."""
    AT_END = "at_end"
    UNKNOWN = "unknown"
    UNAVAILABLE = "unavailable"
    NOT_PLANNED = "not_planned"
    OPENS = "opens"
    """The opposite would open the home."""


@dataclass(frozen=True, slots=True)
class Halted:
    """Nothing moves, and why, with the entities of which it is true."""

    why: Halt
    entities: tuple[Entity, ...]


_SLOTS: Mapping[Quantity, tuple[str, str]] = {
    Quantity.BRIGHTNESS: ("brightness", "brightness"),
    Quantity.SPEED: ("percentage", "percentage"),
    Quantity.TEMPERATURE: ("temperature", "temperature"),
    Quantity.POSITION: ("current_position", "position"),
    Quantity.HUMIDITY: ("humidity", "humidity"),
    Quantity.VOLUME: ("volume_level", "volume_level"),
}
"""The attribute of a live state that holds the value, and the slot of the intent that sets it."""
_RANGE: Mapping[Quantity, tuple[float, float]] = {Quantity.BRIGHTNESS: (1, 100), Quantity.TEMPERATURE: (5, 35)}


def compute(
    changes: Sequence[Change], live: Sequence[Entity], house: RequestHome, steps: Steps, language: str
) -> tuple[Planned, ...] | Halted:
    """The absolute calls, or why nothing moves; of several lights those that are on move, and all where none is."""
    toggled: list[Planned] = []
    for change in (c for c in changes if c.act is Act.TOGGLE):
        made = _toggle(change, live, house, language)
        if isinstance(made, Halted):
            return made
        toggled += made
    moved = _move([c for c in changes if c.act is not Act.TOGGLE], live, house, steps, language)
    return moved if isinstance(moved, Halted) else (*toggled, *moved)


def _move(
    changes: Sequence[Change], live: Sequence[Entity], house: RequestHome, steps: Steps, language: str
) -> tuple[Planned, ...] | Halted:
    if not changes:
        return ()
    pairs = [(change, _state_of(change.entity, live)) for change in changes]
    on = [(c, e) for c, e in pairs if e is not None and not _is_off(e)]
    values: list[tuple[Change, float]] = []
    halted: dict[Halt, list[Entity]] = {}
    for change, entity in on or pairs:
        value = _next(change, entity, steps)
        if isinstance(value, Halt):
            halted.setdefault(value, []).append(change.entity)
        else:
            values.append((change, value))
    if not values:
        why = next(w for w in (*Halt,) if w in halted)
        return Halted(why, tuple(halted[why]))
    if (together := _together(values, house, language)) is not None:
        return (together,)
    planned: list[Planned] = []
    for change, value in values:
        made = setting_call(change, value, house, language)
        if isinstance(made, NotPlanned):
            return Halted(Halt.NOT_PLANNED, (change.entity,))
        planned.append(made)
    return tuple(planned)


_OPPOSITES: Mapping[str, Act] = {
    "on": Act.OFF,
    "off": Act.ON,
    "open": Act.CLOSE,
    "closed": Act.OPEN,
    "locked": Act.UNLOCK,
    "unlocked": Act.LOCK,
    "playing": Act.OFF,
    "paused": Act.OFF,
    "idle": Act.OFF,
    "standby": Act.ON,
}
"""What changes a state into the other one."""


def _toggle(change: Change, live: Sequence[Entity], house: RequestHome, language: str) -> tuple[Planned, ...] | Halted:
    """The opposite of what one entity is now."""
    entity = _state_of(change.entity, live)
    state = entity.state if entity is not None else None
    act = _OPPOSITES.get(state or "")
    if (
        act is None
        and change.entity.domain in ("climate", "humidifier", "water_heater")
        and state not in (None, "unavailable")
    ):
        act = Act.OFF
    if act is None:
        return Halted(Halt.UNAVAILABLE if state == "unavailable" else Halt.UNKNOWN, (change.entity,))
    command = replace(change.command, acts=(act,))
    effect = effect_of(command, change.entity.domain)
    if effect is None:
        return Halted(Halt.NOT_PLANNED, (change.entity,))
    if opens(effect.intent, change.entity, language):
        return Halted(Halt.OPENS, (change.entity,))
    made = plan_one(command, effect, change.entity, house.home, house.toolbox, language)
    return Halted(Halt.NOT_PLANNED, (change.entity,)) if isinstance(made, NotPlanned) else (made,)


def _together(values: Sequence[tuple[Change, float]], house: RequestHome, language: str) -> Planned | None:
    """One call for all that come to the same value, where they are all of their kind in one room."""
    first, value = values[0]
    entities = [c.entity for c, _ in values]
    quantity, area = first.effect.quantity, entities[0].area
    if len(values) < 2 or quantity is None or area is None or any(round(v) != round(value) for _, v in values):
        return None
    effect = Effect(first.effect.intent, {_SLOTS[quantity][1]: round(value)}, quantity=quantity)
    made = plan_together(first.command, effect, entities, area, house, language)
    return made if isinstance(made, Planned) else None


def setting_call(change: Change, value: float, house: RequestHome, language: str) -> Planned | NotPlanned:
    """The call that sets what a change came to."""
    quantity = change.effect.quantity
    slot = _SLOTS[quantity][1] if quantity is not None else ""
    amount: Any = value if quantity is Quantity.TEMPERATURE else round(value)
    effect = Effect(change.effect.intent, {slot: amount}, quantity=quantity)
    return plan_one(change.command, effect, change.entity, house.home, house.toolbox, language)


def _state_of(entity: Entity, live: Sequence[Entity]) -> Entity | None:
    names = set(map(fold, entity.names))
    found = [e for e in live if e.domain == entity.domain and names & set(map(fold, e.names))]
    if len(found) > 1:
        found = [
            e for e in found if e.area is not None and entity.area is not None and fold(e.area) == fold(entity.area)
        ] or found
    return found[0] if found else None


def _is_off(entity: Entity) -> bool:
    return entity.state in ("off", "unavailable", "unknown")


def _next(change: Change, entity: Entity | None, steps: Steps) -> float | Halt:
    quantity = change.effect.quantity
    if entity is None or quantity is None:
        return Halt.UNKNOWN
    if entity.state == "unavailable":
        return Halt.UNAVAILABLE
    up = change.act in (Act.UP, Act.OPEN)
    now = current(entity, quantity)
    low, high = _limits(entity, quantity)
    if now is None or (entity.state == "off" and quantity in (Quantity.BRIGHTNESS, Quantity.SPEED)):
        if not up and entity.state == "off":
            return Halt.OFF
        if entity.state != "off" or quantity not in (Quantity.BRIGHTNESS, Quantity.SPEED):
            return Halt.UNKNOWN
        now = 0.0
    value = change.command.value
    if value.degree is Degree.END:
        target = high if up else low
    elif value.factor is not None:
        target = now * value.factor if not up or value.factor > 1 else now + now * value.factor
    else:
        step = value.amount if value.amount is not None else steps.of(value.degree, quantity)
        target = now + (step if up else -step)
    target = min(high, max(low, target))
    return Halt.AT_END if round(target, 2) == round(now, 2) else target


def current(entity: Entity, quantity: Quantity) -> float | None:
    """The value of a live state, in percent or degrees; None where it tells none."""
    raw = entity.attributes.get(_SLOTS[quantity][0])
    if raw is None and quantity is Quantity.POSITION:
        return {"open": 100.0, "closed": 0.0}.get(entity.state or "")
    try:
        value = float(raw)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    if quantity is Quantity.BRIGHTNESS:
        return round(value * 100 / 255)
    return value * 100 if quantity is Quantity.VOLUME else value


def _limits(entity: Entity, quantity: Quantity) -> tuple[float, float]:
    low, high = _RANGE.get(quantity, (0.0, 100.0))
    if quantity is Quantity.TEMPERATURE and (unit := str(entity.attributes.get("temperature_unit", ""))).endswith("F"):
        low, high = (41.0, 95.0) if unit else (low, high)
    return low, high
