"""What to look for among the kept requests, and how that is written in a URL and in SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

_LONGEST = 200
"""Characters of a search: it comes from a URL."""


@dataclass(frozen=True, slots=True)
class Filter:
    """All that is set must hold; each word of `text` must stand somewhere in what is kept of a request."""

    text: str = ""
    route: str | None = None
    outcome: str | None = None
    target: str | None = None
    intent: str | None = None
    area: str | None = None
    language: str | None = None
    conversation: str | None = None
    slow_ms: float | None = None
    """Only what took at least so long."""
    failed: bool = False
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Filter:
        """Read the parameters of a URL; what cannot be read counts as not set."""

        def text(name: str) -> str | None:
            return query.get(name, "").strip()[:_LONGEST] or None

        return cls(
            text=text("q") or "",
            route=text("route"),
            outcome=text("outcome"),
            target=text("target"),
            intent=text("intent"),
            area=text("area"),
            language=text("language"),
            conversation=text("conversation"),
            slow_ms=_number(text("slow")),
            failed=text("failed") in {"1", "true", "on"},
            since=_time(text("since")),
            until=_time(text("until")),
        )

    def query(self) -> dict[str, str]:
        """The parameters of a URL that stand for this filter; empty where nothing is set."""
        texts = {
            "q": self.text,
            "route": self.route,
            "outcome": self.outcome,
            "target": self.target,
            "intent": self.intent,
            "area": self.area,
            "language": self.language,
            "conversation": self.conversation,
            "slow": None if self.slow_ms is None else f"{self.slow_ms:g}",
            "failed": "1" if self.failed else None,
            "since": self.since.isoformat() if self.since else None,
            "until": self.until.isoformat() if self.until else None,
        }
        return {name: value for name, value in texts.items() if value}

    def conditions(self) -> Iterator[tuple[str, object]]:
        """Each condition in SQL with its one value."""
        for word in self.text.casefold().split():
            yield "instr(words, ?) > 0", word
        for column in ("route", "outcome", "intent", "area", "language", "conversation"):
            if (value := getattr(self, column)) is not None:
                yield f"{column} = ?", value
        if self.target is not None:
            yield "target = ?", self.target
        if self.slow_ms is not None:
            yield "total_ms >= ?", self.slow_ms
        if self.failed:
            yield "failed = ?", 1
        if self.since is not None:
            yield "time >= ?", self.since.timestamp()
        if self.until is not None:
            yield "time < ?", self.until.timestamp()


EVERYTHING = Filter()


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None


def _time(text: str | None) -> datetime | None:
    try:
        value = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)
