"""Commands read back from calls: what somebody asked for, where only the call is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..home.catalogue import Home
from ..home.toolbox import plain_name
from .acts import Act, Quantity
from .command import Command, Item, Reference, Value
from .effects import ROWS, SETTERS
from .plan import Planned

_FIRST = (
    Act.ON,
    Act.OFF,
    Act.OPEN,
    Act.CLOSE,
    Act.LOCK,
    Act.UNLOCK,
    Act.START,
    Act.RETURN,
    Act.RESUME,
    Act.PAUSE,
    Act.STOP,
)
"""Of several acts that come to the same call, the plain one."""


def commands_of(planned: Sequence[Planned], home: Home) -> tuple[Command, ...]:
    """A command for each call on known targets; none where one of them says what no act does."""
    commands = tuple(c for one in planned if (c := _command(one, home)) is not None)
    return commands if len(commands) == len(planned) else ()


def _command(one: Planned, home: Home) -> Command | None:
    if not one.targets:
        return None
    intent, domain = plain_name(one.call.name), one.targets[0].domain
    reference = Reference((_targets(one, home),), all=len(one.targets) > 1)
    for quantity, (setter, slot) in SETTERS.items():
        if intent == setter:
            return _setting(one.parameters, quantity, slot, reference, one.candidate.sentence)
    acts = [a for (a, d), effect in ROWS.items() if d == domain and effect.intent == intent and not effect.live]
    act = next((a for a in _FIRST if a in acts), acts[0] if acts else None)
    return None if act is None else Command((act,), reference, text=one.candidate.sentence)


def _setting(
    parameters: Mapping[str, object], quantity: Quantity, slot: str, reference: Reference, text: str
) -> Command | None:
    amount, colour, kelvin = parameters.get(slot), parameters.get("color"), parameters.get("temperature")
    if colour is not None or (quantity is Quantity.BRIGHTNESS and kelvin is not None):
        value = Value(colour=str(colour)) if colour is not None else Value(kelvin=int(str(kelvin)))
        return Command((Act.SET,), reference, Quantity.COLOUR if colour is not None else Quantity.WHITE, value, text)
    if not isinstance(amount, int | float):
        return None
    unit = "degree" if quantity is Quantity.TEMPERATURE else "percent"
    return Command((Act.SET,), reference, quantity, Value(float(amount), unit), text)


def _targets(one: Planned, home: Home) -> Item:
    wanted = set(map(id, one.targets))
    bearers = frozenset(n for n, e in enumerate(home.entities) if id(e) in wanted)
    return Item("kind", "", (), bearers, plural=len(one.targets) > 1)
