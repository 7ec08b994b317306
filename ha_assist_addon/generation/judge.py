"""Whether the words of a sentence ask for what a call does to each of its targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..home.entity import Entity, fold
from ..meaning.acts import Act, Quantity
from ..meaning.carrying import SETTERS, SWITCHING, carrying
from ..meaning.openings import opens
from .speech import Bearing, Speech

_UP = frozenset({Act.UP, Act.OPEN})
_DOWN = frozenset({Act.DOWN, Act.CLOSE})
_ENDS: Mapping[tuple[Quantity, float], Act] = {
    (Quantity.POSITION, 0.0): Act.CLOSE,
    (Quantity.POSITION, 100.0): Act.OPEN,
    (Quantity.BRIGHTNESS, 0.0): Act.OFF,
    (Quantity.SPEED, 0.0): Act.OFF,
}
"""Values that do the same as an act."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a call does, to what, and the numbers that were said; `relative`: the sentence speaks of more or less."""

    intent: str
    parameters: Mapping[str, Any]
    targets: Sequence[Entity]
    numbers: frozenset[float]
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """Why the words rule a call out, or why they leave it open; nothing where they ask for it."""

    refused: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the words say of a direction: that it is wrong, or that they do not say it."""

    wrong: str = ""
    unsaid: str = ""


def judge(step: Step, speech: Speech, language: str) -> Judged:
    """The verdict of the words on all targets together; one that is ruled out rules out the call."""
    doubts: list[str] = []
    for entity in step.targets:
        bearing, direction = speech.bearing(entity), _direction(step, entity, speech)
        if bearing is Bearing.EXCLUDED:
            return Judged(refused=f"the sentence leaves out {entity.name}")
        if direction.wrong:
            return Judged(refused=direction.wrong)
        if bearing is Bearing.UNSAID:
            if direction.unsaid or speech.is_certain or speech.is_elsewhere(entity):
                return Judged(refused=f"the sentence does not speak of {entity.name}")
            doubts.append(f"the sentence does not speak of {entity.name}")
        elif bearing is Bearing.MAYBE:
            doubts.append(f"the sentence may mean something else than {entity.name}")
        if direction.unsaid:
            doubts.append(direction.unsaid)
    opened = [e for e in step.targets if opens(step.intent, e, language)]
    if len(opened) > 1:
        doubts.append("several things that close off the home are not opened at once")
    return Judged(doubt=doubts[0] if doubts else "")


def _direction(step: Step, entity: Entity, speech: Speech) -> _Evidence:
    """Whether the words ask for this act, and for this value."""
    said, needed = speech.acts(entity), carrying(step.intent, entity.domain)
    if step.intent in SETTERS:
        return _value(step, said, speech)
    if needed is None or said & needed:
        return _Evidence()
    if said - {Act.SET} and (step.intent, "") in SWITCHING:
        return _Evidence(wrong=f"the sentence asks for something else than {step.intent} of {entity.name}")
    return _Evidence(unsaid=f"no word asks for {step.intent} of {entity.name}")


def _value(step: Step, said: frozenset[Act], speech: Speech) -> _Evidence:
    quantity = SETTERS[step.intent]
    ends = any(_is_number(v) and _is_end(quantity, float(v), said) for v in step.parameters.values())
    if said and not said & (carrying(step.intent, "") or frozenset()) and not ends:
        return _Evidence(wrong="the sentence asks for something else than a value")
    doubt = ""
    for name, value in step.parameters.items():
        found = _number(step, name, float(value), said, speech) if _is_number(value) else _word(value, said, speech)
        if found.wrong:
            return found
        doubt = doubt or found.unsaid
    return _Evidence(unsaid=doubt)


def _number(step: Step, name: str, value: float, said: frozenset[Act], speech: Speech) -> _Evidence:
    quantity, moves = SETTERS[step.intent], step.intent == "HassSetVolumeRelative"
    up, down = bool(said & _UP) and not said & _DOWN, bool(said & _DOWN) and not said & _UP
    if moves and ((value < 0 and up) or (value > 0 and down)):
        return _Evidence(wrong="the sentence asks for the other direction")
    if abs(value) in step.numbers | speech.values:
        if step.relative and not moves:
            return _Evidence(unsaid="the number that was said is an amount, not the value that is reached")
        return _Evidence(unsaid="" if not moves or up or down else "no word says whether more or less")
    if _is_end(quantity, value, said) and not step.relative:
        return _Evidence()
    percent = not moves and name != "temperature"
    if percent and ((up and value <= 0) or (down and value >= 100)):
        return _Evidence(wrong="the sentence asks for the other direction")
    if (step.numbers or speech.values) and not step.relative:
        return _Evidence(wrong="the number is not the one that was said")
    return _Evidence(unsaid=f"nobody said {value:g}")


def _word(value: object, said: frozenset[Act], speech: Speech) -> _Evidence:
    text = str(value)
    if text in ("up", "down"):
        wanted, other = (Act.UP, Act.DOWN) if text == "up" else (Act.DOWN, Act.UP)
        if wanted in said:
            return _Evidence()
        return (
            _Evidence(wrong="the sentence asks for the other direction")
            if other in said
            else _Evidence(unsaid=f"nobody said {text}")
        )
    known = {fold(colour) for colour in speech.colours}
    if fold(text) in known:
        return _Evidence()
    return (
        _Evidence(wrong="the colour is not the one that was said") if known else _Evidence(unsaid=f"nobody said {text}")
    )


def _is_end(quantity: Quantity, value: float, said: frozenset[Act]) -> bool:
    """Whether a value does what an act that was said does."""
    act = _ENDS.get((quantity, value))
    return act is not None and act in said


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
