"""Requests as they came: read again, brought into the form of the chat API, asked something else."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from ..backends.openai_form import request_body
from ..wire.responses import parse_responses


def parsed(body: bytes | None) -> dict[str, Any] | None:
    """The JSON object of a body; None where there is none."""
    if body is None:
        return None
    try:
        value = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def unpacked_body(packed: bytes | None) -> dict[str, Any] | None:
    """The JSON object of a body as the store holds it."""
    return None if packed is None else parsed(zlib.decompress(packed))


def as_chat(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body as a chat request, also where it came as one of the Responses API; raises InvalidRequest."""
    if "input" not in body or "messages" in body:
        return dict(body)

    chat = parse_responses(dict(body)).chat
    converted = parsed(request_body(chat, chat.model)) or {}
    kept = {key: body[key] for key in ("ha_context", "user", "metadata") if key in body}
    return {**converted, **kept, "stream": False, "stream_options": None}


def asking(body: Mapping[str, Any], sentence: str, *, alone: bool = False) -> dict[str, Any]:
    """The same home and tools with another sentence; what was said before it stays, unless it is to stand alone."""
    listed = body.get("messages")
    messages = [m for m in listed if isinstance(m, dict)] if isinstance(listed, list) else []
    last = next((i for i in range(len(messages) - 1, -1, -1) if messages[i].get("role") == "user"), len(messages))
    before = [m for m in messages[:last] if not alone or m.get("role") in ("system", "developer")]
    return {**body, "messages": [*before, {"role": "user", "content": sentence}], "stream": False}
