"""A stand-in for the pipeline: it plays what a test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from ha_assist_addon.conversation import CallEvent, ChatRequest, Finish, ReplyEvent, TextDelta, ToolCall
from ha_assist_addon.services import Services
from ha_assist_addon.trace.trace import Trace

Step = ReplyEvent | Exception | float
"""An event to yield, an error to raise, or seconds to wait."""

DONE = (TextDelta("Done."), Finish("stop"))
FOREVER = 3600.0


def call(tool: str = "HassTurnOn", /, **arguments: object) -> CallEvent:
    """A tool call with a readable id."""
    return CallEvent(ToolCall(f"call_{tool}", tool, arguments))


class Scripted:
    """Plays its steps for every request and remembers what it was asked."""

    def __init__(self) -> None:
        self.steps: Sequence[Step] = DONE
        self.seen: list[ChatRequest] = []
        self.closed = asyncio.Event()

    async def __call__(self, request: ChatRequest, services: Services, trace: Trace) -> AsyncIterator[ReplyEvent]:
        self.seen.append(request)
        trace.reason = "scripted"
        try:
            for step in self.steps:
                if isinstance(step, float):
                    await asyncio.sleep(step)
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step
        finally:
            self.closed.set()
