"""What calls of this turn and, for a follow-up, the turn before are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..conversation import Message, Role, ToolCall, last_user_index
from ..home.catalogue import Home
from ..home.entity import Area, fold
from ..home.mentions import Kind
from ..home.toolbox import Toolbox, plain_name
from ..turn.history import Turn, read_result

_MOST_ACTIVE, _MOST_EARLIER = 40, 12
"""Entities that are kept of this turn's calls, and of the turn before."""

_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Memory:
    """Names of entities, folded, and of tools, as offered; areas that calls were about."""

    names: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    areas: tuple[Area, ...] = ()


def remember(turn: Turn, home: Home, toolbox: Toolbox, *, leans: bool) -> Memory:
    """Gather what the active tool rounds need; with `leans` the last turn's calls and words too."""
    calls = [call for one in turn.rounds for call in one.calls]
    results = [result for one in turn.rounds for result in one.results if result is not None]
    said = [*_called(calls), *(name for result in results for name in (*result.success, *result.failed))]
    names = dict.fromkeys(_known(home, said)[:_MOST_ACTIVE])
    if leans:
        before = _last_turn(turn.before)
        earlier = [call for message in before for call in message.tool_calls]
        names.update(dict.fromkeys(_known(home, _spoken_of(home, before, earlier))[:_MOST_EARLIER]))
        calls = [*calls, *earlier]
    areas = (home.area_by_name.get(fold(str(call.arguments.get("area", "")))) for call in calls)
    return Memory(
        frozenset(names),
        frozenset(name for call in calls if (name := _offered(toolbox, call.name)) is not None),
        tuple(dict.fromkeys(area for area in areas if area is not None)),
    )


def _last_turn(messages: Sequence[Message]) -> Sequence[Message]:
    start = last_user_index(messages)
    return messages[start:] if start >= 0 else ()


def _called(calls: Iterable[ToolCall]) -> list[str]:
    return [str(call.arguments["name"]) for call in calls if isinstance(call.arguments.get("name"), str)]


def _spoken_of(home: Home, messages: Sequence[Message], calls: Sequence[ToolCall]) -> list[str]:
    """What was called, what it reached, and what both sides named."""
    results = [read_result(m.text) for m in messages if m.role is Role.TOOL]
    said = [m.text[:_LONGEST] for m in messages if m.role in (Role.ASSISTANT, Role.USER)]
    named = [m.known.value for text in said for m in home.names.mentions(text) if m.known.kind is Kind.NAME]
    return [*_called(calls), *(name for result in results for name in result.success), *named]


def _known(home: Home, names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key for name in names if (key := fold(name)) in home.by_name))


def _offered(toolbox: Toolbox, name: str) -> str | None:
    """A tool by the name that a call bears; calls of Home Assistant itself bear the plain name."""
    tool = toolbox.by_name.get(name) or toolbox.find(plain_name(name))
    return tool.name if tool is not None else None
