"""What a YAML text may stand for, looked at before anything is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import yaml

ODD_VALUES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What PyYAML lets through where a value does not fit its tag, as in `!!bool ja`."""


class Excess(StrEnum):
    """What is too much of a text."""

    ALIAS = "alias"
    """A part of it is repeated by its anchor, which may unfold into gigabytes."""
    LONG = "long"
    """One of its texts is too long."""
    MUCH = "much"
    """It holds too many things, or too deep."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many events and levels a text may have, and how many characters one of its texts."""

    events: int
    depth: int
    text: int


class ExcessError(Exception):
    """The text stands for more than it may; `line` counts from 1, and is None where it is not known."""

    def __init__(self, excess: Excess, line: int | None) -> None:
        super().__init__(excess)
        self.excess = excess
        self.line = line


def refuse_excess(content: bytes, loader: Any, limits: Limits) -> None:
    """Read a text as events only; raises ExcessError, and yaml.YAMLError where it is none."""
    depth = 0
    for number, event in enumerate(yaml.parse(content, loader)):
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent):
            raise ExcessError(Excess.ALIAS, line)
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > limits.text:
            raise ExcessError(Excess.LONG, line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > limits.depth or number > limits.events:
            raise ExcessError(Excess.MUCH, line)
