"""What tells whether an action has been answered: what was sent, what events told, what devices usually take."""

from __future__ import annotations

from dataclasses import dataclass, field

from .actions import RecentActions
from .settle import SettleTimes
from .states import StateEvents


@dataclass(frozen=True, slots=True)
class Evidence:
    """Lives as long as the server; `events` are None where Home Assistant cannot be listened to."""

    actions: RecentActions = field(default_factory=RecentActions)
    settle: SettleTimes = field(default_factory=SettleTimes)
    events: StateEvents | None = None
