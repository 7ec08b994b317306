"""The actions that can be taught, by the domain of what they are done to; the effects say which there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ..meaning.acts import Act, Quantity
from ..meaning.effects import MOVABLE, QUANTITY_DOMAINS, ROWS
from .model import Deed, Target

OF_AREAS = frozenset({"light", "switch", "fan", "cover", "media_player"})
"""Domains of which all in an area can be taught at once; never what locks."""

COLOURS = ("white", "red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink")
"""The colours that the panel offers, by Home Assistant's names."""

_PLAIN_FIRST = (
    Act.LOCK,
    Act.UNLOCK,
    Act.OPEN,
    Act.CLOSE,
    Act.CLEAN,
    Act.MOW,
    Act.RETURN,
    Act.ON,
    Act.OFF,
    Act.TOGGLE,
    Act.PLAY,
    Act.PAUSE,
    Act.STOP,
    Act.NEXT,
    Act.PREVIOUS,
    Act.MUTE,
    Act.UNMUTE,
)
"""Of several acts that come to the same call on a domain, the first is offered."""
_STEPPED = frozenset({Quantity.BRIGHTNESS, Quantity.VOLUME, Quantity.TEMPERATURE, Quantity.SPEED})


@dataclass(frozen=True, slots=True)
class Choice:
    """An action on a domain; `quantity` is what is set or moved."""

    act: Act
    quantity: Quantity | None = None

    @property
    def name(self) -> str:
        """By which a form and the panel's words name it."""
        return str(self.act) if self.quantity is None else f"{self.act}_{self.quantity}"

    @property
    def wants_amount(self) -> bool:
        """Whether a number belongs to it."""
        return self.act is Act.SET and self.quantity is not Quantity.COLOUR

    @property
    def wants_colour(self) -> bool:
        """Whether a colour belongs to it."""
        return self.quantity is Quantity.COLOUR


@cache
def choices_for(domain: str) -> tuple[Choice, ...]:
    """What can be taught for a domain, the plainest first."""
    return tuple(_choices(domain))


def common_choices(targets: Sequence[Target]) -> tuple[Choice, ...]:
    """What can be taught for all of these at once, in the order of the first."""
    first, *others = targets
    return tuple(c for c in choices_for(first.domain) if all(c in choices_for(one.domain) for one in others))


def choice_of(deed: Deed, domain: str) -> Choice | None:
    """The choice that a deed is, where its domain has it and it says what the choice wants, and no more."""
    choice = Choice(deed.act, deed.quantity)
    fits = choice.wants_amount == (deed.amount is not None) and choice.wants_colour == (deed.colour is not None)
    return choice if fits and choice in choices_for(domain) else None


def _choices(domain: str) -> Iterator[Choice]:
    seen = set()
    for act in _PLAIN_FIRST:
        effect = ROWS.get((act, domain))
        # What toggles a door or a lock may open it.
        if effect is None or (act is Act.TOGGLE and domain in {*MOVABLE, "lock"}):
            continue
        if (effect.intent, effect.live) not in seen:
            seen.add((effect.intent, effect.live))
            yield Choice(act)
    for quantity, domains in QUANTITY_DOMAINS.items():
        if domain in domains and quantity is not Quantity.WHITE:
            yield Choice(Act.SET, quantity)
            if quantity in _STEPPED:
                yield Choice(Act.UP, quantity)
                yield Choice(Act.DOWN, quantity)
