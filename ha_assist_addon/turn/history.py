"""The current turn, cut out of the conversation that the client sends again each time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..conversation import Message, Role, ToolCall, last_user_index


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What Home Assistant said of one call.

    `error` is its kind (`MatchFailedError`), `error_text` its explanation; both None on success. `success` and `failed`
    are the names in an action's result, `data` the result without its envelope.
    """

    data: Any
    error: str | None = None
    error_text: str | None = None
    success: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether Home Assistant accepted the call and no target failed."""
        return self.error is None and not self.failed


@dataclass(frozen=True, slots=True)
class Round:
    """Calls that an assistant message made, each with its result; a missing result is None."""

    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult | None, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """The last thing the person said, what has been called for it since, and what was said before."""

    sentence: str
    images: tuple[str, ...]
    rounds: tuple[Round, ...]
    before: tuple[Message, ...]

    @property
    def request_number(self) -> int:
        """Which request of the turn this is; Home Assistant makes at most ten."""
        return len(self.rounds) + 1

    @property
    def earlier_sentences(self) -> tuple[str, ...]:
        """What the person said in earlier turns."""
        return tuple(m.text for m in self.before if m.role is Role.USER and m.text.strip())


def read_turn(messages: Sequence[Message]) -> Turn:
    """Find the current turn; results are paired with calls by id alone, results without a call are left out."""
    index = last_user_index(messages)
    if index < 0:
        return Turn("", (), (), tuple(messages))
    user = messages[index]
    after = messages[index + 1 :]
    results = {m.tool_call_id: read_result(m.text) for m in after if m.role is Role.TOOL and m.tool_call_id}
    rounds = tuple(
        Round(m.tool_calls, tuple(results.get(call.id) for call in m.tool_calls), m.text)
        for m in after
        if m.role is Role.ASSISTANT and m.tool_calls
    )
    return Turn(user.text.strip(), user.images, rounds, tuple(messages[:index]))


def read_result(text: str) -> ToolResult:
    """Read a result in the envelope of 2026.10 and later, or raw as before; text that is no JSON is kept."""
    try:
        parsed, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return ToolResult(text)
    data = parsed
    if isinstance(parsed, dict) and "data" in parsed and isinstance(parsed.get("error"), bool):
        data = parsed["data"]
        if parsed["error"] and not (isinstance(data, dict) and isinstance(data.get("error"), str)):
            return ToolResult(data, error="Error", error_text=data if isinstance(data, str) else "")
    if not isinstance(data, dict):
        return ToolResult(data)
    error = data.get("error")
    if error is not None or data.get("success") is False:
        detail = data.get("error_text")
        return ToolResult(
            data, error=str(error or "Error"), error_text=detail if isinstance(detail, str) else str(error or "")
        )
    outcome = data.get("data")
    if isinstance(outcome, dict) and "response_type" in data:
        return ToolResult(data, success=_names(outcome.get("success")), failed=_names(outcome.get("failed")))
    return ToolResult(data)


def _names(items: Any) -> tuple[str, ...]:
    """Names of entities in a result; areas and floors stand there too, but nobody switches those."""
    if not isinstance(items, list):
        return ()
    listed = [item for item in items if isinstance(item, Mapping) and isinstance(item.get("name"), str)]
    entities = [str(item["name"]) for item in listed if item.get("type") not in ("area", "floor")]
    return tuple(entities)
