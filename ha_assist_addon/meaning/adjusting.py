"""Changes by so much in one call, where Home Assistant offers our tool for them: no state has to be read first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..home.catalogue import Home
from ..home.entity import fold
from ..home.request_home import RequestHome
from ..turn.outcome import PlannedCall
from .acts import Act
from .calls import Change
from .change import Steps
from .command import Degree
from .openings import opens_the_home

TOOL = "adjust"
_MOST = 20
"""Entities that the tool takes in one call."""
_TO_THE_END = 100.0


def adjusting_call(changes: Sequence[Change], house: RequestHome, steps: Steps, language: str) -> PlannedCall | None:
    """The one call that makes all of these changes, or None where they differ or the tool cannot make them."""
    tool = house.toolbox.contributed(TOOL)
    if tool is None or not 0 < len(changes) <= _MOST:
        return None
    first = changes[0]
    quantity, value = first.effect.quantity, first.command.value
    alike = all((c.act, c.effect.quantity, c.command.value) == (first.act, quantity, value) for c in changes)
    named = all(_is_one(change, house.home) and not opens_the_home(change.entity, language) for change in changes)
    if not alike or not named or quantity is None or first.act is Act.TOGGLE:
        return None
    arguments: dict[str, Any] = {"quantity": quantity.value, "names": [c.entity.name for c in changes]}
    up = first.act in (Act.UP, Act.OPEN)
    if value.degree is Degree.END:
        arguments["by"] = _TO_THE_END if up else -_TO_THE_END
    elif value.factor is not None:
        arguments["factor"] = value.factor if not up or value.factor > 1 else 1 + value.factor
    else:
        step = value.amount if value.amount is not None else steps.of(value.degree, quantity)
        arguments["by"] = step if up else -step
    return PlannedCall(tool.name, arguments) if tool.problem(arguments) is None else None


def _is_one(change: Change, home: Home) -> bool:
    """Whether its name means this entity alone among those of its kind."""
    bearers = home.by_name.get(fold(change.entity.name), ())
    return sum(e.domain == change.entity.domain for e in bearers) == 1
