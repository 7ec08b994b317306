"""The one generation: what the model is asked, and what of its answer is let through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from ..backends.base import Backend
from ..conversation import CallEvent, ChatRequest, Finish, ReplyEvent, TextDelta, ToolCall
from ..diagnostics.trace import Trace
from ..language.replies import say
from .context import House
from .validate import validate


async def generate(
    request: ChatRequest, backend: Backend, house: House | None, language: str | None, trace: Trace
) -> AsyncIterator[ReplyEvent]:
    """Ask the model once; text streams as it comes, calls are validated first, a refused one becomes one sentence."""
    trace.backend_model = backend.info.id
    trace.prepared()
    trace.inference_calls += 1
    calls: list[ToolCall] = []
    spoken = False
    finish = Finish("stop")
    with trace.stage("generation"):
        async with aclosing(backend.generate(request)) as events:  # type: ignore[type-var]
            async for event in events:
                match event:
                    case TextDelta(text):
                        spoken = spoken or bool(text.strip())
                        yield event
                    case CallEvent(call):
                        calls.append(call)
                    case Finish():
                        finish = event
    accepted = _accepted(calls, request, house, trace)
    for call in accepted:
        yield CallEvent(call)
    if accepted:
        yield Finish("tool_calls", finish.usage)
        return
    if calls and not spoken:
        yield TextDelta(say("refused_call", language))
    elif not spoken:
        yield TextDelta(say("not_understood", language))
    yield Finish("length" if finish.reason == "length" else "stop", finish.usage)


def _accepted(calls: list[ToolCall], request: ChatRequest, house: House | None, trace: Trace) -> list[ToolCall]:
    """All calls, or none: half of what was asked is worse than nothing."""
    if not calls or house is None:
        return []
    wanted = calls if request.parallel_tool_calls else calls[:1]
    verdicts = [validate(call, house.home, house.toolbox, request.tool_choice) for call in wanted]
    trace.note(
        "ha_validation",
        calls=[
            {"name": v.call.name, "arguments": dict(v.call.arguments), "accepted": v.accepted, "why": v.why}
            for v in verdicts
        ],
        verdict="accepted" if all(v.accepted for v in verdicts) else "rejected",
    )
    return wanted if all(v.accepted for v in verdicts) else []
