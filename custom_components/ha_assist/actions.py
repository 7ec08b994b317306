"""Which actions of late can be undone, and by whom; nothing here needs Home Assistant."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LASTS = 600.0
"""Seconds through which an action can be undone."""
MOST = 50
"""So many are remembered; of more, the oldest are forgotten."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who asked for something, and from which device, as far as is known."""

    user_id: str | None
    device_id: str | None


@dataclass(slots=True)
class Action:
    """All that was done by one sentence or one tap; `before` are the states that were changed, as they had been."""

    at: float
    origin: Origin
    spoken: bool
    """Whether it is known to come from a conversation."""
    before: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    others: OrderedDict[str, None] = field(default_factory=OrderedDict)
    """What was done besides, that no state tells."""


class Journal:
    """The latest actions, by the context that Home Assistant gave them."""

    def __init__(self) -> None:
        self._actions: OrderedDict[str, Action] = OrderedDict()
        self._origins: OrderedDict[str, Origin] = OrderedDict()
        self._ignored: OrderedDict[str, None] = OrderedDict()

    def expect(self, context: str, origin: Origin) -> None:
        """What is done in this context was said by somebody."""
        self._origins[context] = origin
        _forget(self._origins)

    def ignore(self, context: str) -> None:
        """What is done in this context is no action of a person: an automation's, or undoing itself."""
        self._ignored[context] = None
        self._actions.pop(context, None)
        _forget(self._ignored)

    def note(self, context: str, user_id: str | None, now: float, before: Mapping[str, Any], other: str | None) -> None:
        """Something is about to be done; the states are those before it."""
        if context in self._ignored:
            return
        origin = self._origins.get(context)
        action = self._actions.get(context)
        if action is None:
            known = origin or Origin(user_id, None)
            action = self._actions[context] = Action(now, known, origin is not None)
            _forget(self._actions)
        action.at = now
        self._actions.move_to_end(context)
        for entity_id, state in before.items():
            action.before.setdefault(entity_id, state)
        if other is not None:
            action.others[other] = None

    def last(self, origin: Origin, now: float) -> Action | None:
        """The latest action if it was this person's; None where it was another's, nobody knows whose, or too old."""
        for action in reversed(self._actions.values()):
            if now - action.at > LASTS:
                return None
            if action.spoken:
                if action.origin == origin:
                    return action
                continue  # said to another device
            if action.origin.user_id is None or action.origin.user_id == origin.user_id:
                # Whether this is what "undo" means nobody can tell, where it was not said to us.
                return action if action.origin.user_id is not None else None
        return None

    def forget(self, action: Action) -> None:
        """It was undone."""
        for context, known in list(self._actions.items()):
            if known is action:
                del self._actions[context]


def _forget(listed: OrderedDict[str, Any]) -> None:
    while len(listed) > MOST:
        listed.popitem(last=False)
