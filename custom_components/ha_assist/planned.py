"""The commands that are planned for later, and what becomes of them; nothing here needs Home Assistant.

Each is run once at most: that it is about to be run is kept before it is. What was under way when everything stopped,
or was due while nothing ran, is told and not run again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

MOST = 50
GRACE = 120.0
"""Seconds through which something that is late is still run: a restart takes as long."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One command; `due` is a time stamp, and `made` the one of when it was planned."""

    id: str
    due: float
    made: float
    what: str
    tool: str
    arguments: Mapping[str, Any]
    language: str | None
    user_id: str | None
    device_id: str | None
    opens: tuple[str, ...] = ()
    """The entities that it opens or unlocks, where the person said yes to that."""
    running: bool = False


@dataclass(frozen=True, slots=True)
class Woken:
    """What a start finds: what is still to come, what is run now, what came to nothing."""

    waiting: tuple[Plan, ...]
    due: tuple[Plan, ...]
    missed: tuple[Plan, ...]


class Plans:
    """All plans; whoever changes them keeps them."""

    def __init__(self, kept: Any = None) -> None:
        self._plans: dict[str, Plan] = {plan.id: plan for plan in _read(kept)}

    @property
    def all(self) -> tuple[Plan, ...]:
        """By when they are due."""
        return tuple(sorted(self._plans.values(), key=lambda plan: (plan.due, plan.id)))

    @property
    def full(self) -> bool:
        """Whether no more are taken."""
        return len(self._plans) >= MOST

    def as_kept(self) -> dict[str, Any]:
        """As they are written to the disk."""
        return {"plans": [asdict(plan) for plan in self.all]}

    def add(self, plan: Plan) -> None:
        """One more."""
        self._plans[plan.id] = plan

    def begin(self, identity: str) -> Plan | None:
        """Mark one as under way; None where it is gone or was begun before."""
        plan = self._plans.get(identity)
        if plan is None or plan.running:
            return None
        self._plans[identity] = begun = replace(plan, running=True)
        return begun

    def remove(self, identity: str) -> Plan | None:
        """It was run, or is not wanted any more."""
        return self._plans.pop(identity, None)

    def wake(self, now: float, *, restarted: bool) -> Woken:
        """What is to be done after a start; what is under way was broken off only if everything was restarted."""
        known = [plan for plan in self.all if restarted or not plan.running]
        missed = [plan for plan in known if plan.running or plan.due < now - GRACE]
        rest = [plan for plan in known if plan not in missed]
        for plan in missed:
            del self._plans[plan.id]
        return Woken(
            tuple(plan for plan in rest if plan.due > now),
            tuple(plan for plan in rest if plan.due <= now),
            tuple(missed),
        )


def _read(kept: Any) -> list[Plan]:
    """What was written; what cannot be read is left out."""
    listed = kept.get("plans") if isinstance(kept, Mapping) else None
    found = []
    for item in listed if isinstance(listed, list) else []:
        try:
            plan = Plan(**{**item, "opens": tuple(item.get("opens", ()))})
        except (AttributeError, TypeError):
            continue
        if _is_whole(plan):
            found.append(plan)
    return found


def _is_whole(plan: Plan) -> bool:
    texts = (plan.id, plan.what, plan.tool, *plan.opens)
    perhaps = (plan.language, plan.user_id, plan.device_id)
    return (
        all(isinstance(text, str) for text in texts)
        and all(text is None or isinstance(text, str) for text in perhaps)
        and all(isinstance(time, (int, float)) for time in (plan.due, plan.made))
        and isinstance(plan.arguments, Mapping)
        and isinstance(plan.running, bool)
    )
