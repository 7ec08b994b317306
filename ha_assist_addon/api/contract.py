"""What a client may rely on, whatever made the reply: its end, its calls, and the choice of tools that it sent."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace

from ..conversation import CallEvent, ChatRequest, Finish, ReplyEvent, TextDelta, ToolCall
from ..errors import BackendFailed, NoToolCall
from ..nesting import too_deep


async def kept(events: AsyncIterator[ReplyEvent], request: ChatRequest) -> AsyncGenerator[ReplyEvent]:
    """Pass events on up to `Finish`, which must come; the generator behind them is closed in any case.

    Where the request insists on a call, text waits for it, so that `NoToolCall` can still be raised instead.
    """
    insists = request.tool_choice not in {"auto", "none"}
    waiting: list[TextDelta] = []
    calls = 0
    try:
        async for event in events:
            match event:
                case TextDelta():
                    if insists and not calls:
                        waiting.append(event)
                    else:
                        yield event
                case CallEvent(call):
                    _check(call, request)
                    if request.tool_choice == "none" or (calls and not request.parallel_tool_calls):
                        continue
                    for text in waiting:
                        yield text
                    waiting.clear()
                    calls += 1
                    yield event
                case Finish(reason):
                    if insists and not calls and reason != "length":
                        raise NoToolCall(param="tool_choice")
                    for text in waiting:
                        yield text
                    yield replace(event, reason="stop") if reason == "tool_calls" and not calls else event
                    return
        raise RuntimeError("A reply ended without its Finish")
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()


def _check(call: ToolCall, request: ChatRequest) -> None:
    if too_deep(call.arguments):
        raise BackendFailed("The language model wanted to do something, but did not say it in a readable way.")
    if request.tool_choice not in {"auto", "none", "required", call.name}:
        raise NoToolCall(param="tool_choice")
