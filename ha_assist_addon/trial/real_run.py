"""Tries a sentence in the real home: what only reads is read there, what may act is only shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..conversation import ToolCall
from ..diagnostics.bodies import as_chat
from .dry_run import DryRun, dry_run

if TYPE_CHECKING:
    from ..services import Services
    from ..supervisor.mcp import HomeOverMcp, RealHome, ToolAnswer

MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Read:
    """One call that was made, and what it told."""

    call: ToolCall
    answer: ToolAnswer


@dataclass(frozen=True, slots=True)
class RealRun:
    """What was read, in order, and what follows from it."""

    reads: tuple[Read, ...]
    ran: DryRun


def may_read(ran: DryRun, home: RealHome) -> bool:
    """Whether the run ends in calls, and every one of them only reads."""
    return bool(ran.detail.calls) and home.only_read(call["name"] for call in ran.detail.calls)


async def real_run(
    body: Mapping[str, Any], services: Services, reader: HomeOverMcp, home: RealHome, *, generate: bool = False
) -> RealRun:
    """Run a chat request's body, and again with what was read until nothing is left to read; raises HaAssistError."""
    chat = as_chat(body)
    reads: list[Read] = []
    ran = await dry_run(chat, services, generate=generate)
    for _ in range(MOST_ROUNDS):
        if not may_read(ran, home):
            break
        calls = [
            ToolCall(f"call_read_{number}", call["name"], call["arguments"])
            for number, call in enumerate(ran.detail.calls, len(reads))
        ]
        told = [Read(call, answer) for call, answer in zip(calls, await reader.read(calls), strict=True)]
        reads += told
        chat = {**chat, "messages": [*chat["messages"], *_round(told)]}
        ran = await dry_run(chat, services, generate=generate)
    return RealRun(tuple(reads), ran)


def _round(reads: list[Read]) -> list[dict[str, Any]]:
    """The round as Home Assistant sends it back."""
    calls = [
        {
            "id": read.call.id,
            "type": "function",
            "function": {"name": read.call.name, "arguments": json.dumps(dict(read.call.arguments))},
        }
        for read in reads
    ]
    results = [{"role": "tool", "tool_call_id": read.call.id, "content": _content(read.answer)} for read in reads]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]


def _content(answer: ToolAnswer) -> str:
    return json.dumps({"error": "ToolError", "error_text": answer.text}) if answer.failed else answer.text
