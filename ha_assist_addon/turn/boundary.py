"""The virtual-model boundary: what kind of request this is."""

from __future__ import annotations

from enum import StrEnum

from ..conversation import ChatRequest, last_user_index

MODEL = "HA-Assist"
"""The name that switches this pipeline on; nothing else does."""


class RequestKind(StrEnum):
    """What a request asks for."""

    HOUSE = "house"
    """A sentence, or the results of our calls, with a home and its tools."""

    IMAGE = "image"
    """The current turn holds an image: no shortcut over the text may answer it."""

    STRUCTURED = "structured"
    """An answer in a given JSON form is wanted."""

    PLAIN = "plain"
    """A chat without tools."""


TASK = "You are a Home Assistant expert and help users with their tasks."
"""How Home Assistant's AI Task begins its prompt (`components/ai_task`): what comes back is data for an automation."""


def is_task(request: ChatRequest) -> bool:
    """Whether the answer is used as data, so that a sentence of ours must not take its place."""
    return request.response_format is not None or request.system_text.startswith(TASK)


def classify(request: ChatRequest) -> RequestKind:
    """Decide from the request alone."""
    index = last_user_index(request.messages)
    if index >= 0 and request.messages[index].images:
        return RequestKind.IMAGE
    wanted = (request.response_format or {}).get("type")
    if wanted in ("json_schema", "json_object"):
        return RequestKind.STRUCTURED
    if not request.tools or request.tool_choice == "none":
        return RequestKind.PLAIN
    return RequestKind.HOUSE
