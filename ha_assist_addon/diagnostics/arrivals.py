"""Who has called the API, also with a wrong key: what helps a person to see how far connecting has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Refused:
    """Calls with a missing or wrong key since the last right one."""

    at: datetime
    count: int
    without_key: bool
    """Whether the last of them brought no key at all."""


class Arrivals:
    """In memory only: after a restart it begins anew."""

    def __init__(self) -> None:
        self.accepted: datetime | None = None
        self.refused: Refused | None = None
        self.listed: datetime | None = None
        """When the models were asked for with the right key, as Home Assistant does when it connects."""

    def note(self, path: str, *, accepted: bool, with_key: bool) -> None:
        """A call to the API."""
        now = datetime.now(UTC)
        if not accepted:
            before = self.refused.count if self.refused is not None else 0
            self.refused = Refused(now, before + 1, not with_key)
            return
        self.accepted, self.refused = now, None
        if path.rstrip("/").endswith("/models"):
            self.listed = now
