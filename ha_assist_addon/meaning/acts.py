"""What can be done to a thing, and what can be measured or set on it, in the person's terms."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Act(StrEnum):
    """What is to be done; never the name of a tool: locking is not "on"."""

    ON = "on"
    OFF = "off"
    TOGGLE = "toggle"
    OPEN = "open"
    CLOSE = "close"
    STOP = "stop"
    LOCK = "lock"
    UNLOCK = "unlock"
    SET = "set"
    UP = "up"
    DOWN = "down"
    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    RETURN = "return"
    CLEAN = "clean"
    MOW = "mow"
    WATER = "water"
    NEXT = "next"
    PREVIOUS = "previous"
    MUTE = "mute"
    UNMUTE = "unmute"
    PLAY = "play"


_PAIRS = (
    (Act.ON, Act.OFF),
    (Act.OPEN, Act.CLOSE),
    (Act.LOCK, Act.UNLOCK),
    (Act.UP, Act.DOWN),
    (Act.MUTE, Act.UNMUTE),
)
MOVES = frozenset({Act.UP, Act.DOWN})
"""Acts that move a value, or a cover."""
OPPOSITES: Mapping[Act, Act] = {a: b for one, other in _PAIRS for a, b in ((one, other), (other, one))}
"""Acts of which one undoes the other."""


class Quantity(StrEnum):
    """What a value is a value of."""

    BRIGHTNESS = "brightness"
    VOLUME = "volume"
    TEMPERATURE = "temperature"
    SPEED = "speed"
    POSITION = "position"
    HUMIDITY = "humidity"
    COLOUR = "colour"
    WHITE = "white"
    """The temperature of a white, in kelvin."""
    STATE = "state"
    """On or off, open or closed: "change the state of the lamp"."""
    MODE = "mode"
