"""Asks a backend and gathers what it says."""

from __future__ import annotations

from typing import Any

from ha_assist_addon.backends.native import NativeBackend
from ha_assist_addon.conversation import CallEvent, ChatRequest, Finish, Message, Role, TextDelta


def request(text: str, **options: Any) -> ChatRequest:
    """One message of a person."""
    options.setdefault("messages", (Message(Role.USER, text),))
    return ChatRequest(model="native", **options)


async def ask(backend: NativeBackend, text: str, **options: Any) -> tuple[str, list[CallEvent], Finish]:
    """The whole reply: text, calls and end."""
    events = [event async for event in backend.generate(request(text, **options))]
    finish = events[-1]
    assert isinstance(finish, Finish)
    said = "".join(event.text for event in events if isinstance(event, TextDelta))
    return said, [event for event in events if isinstance(event, CallEvent)], finish
