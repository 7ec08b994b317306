"""What a tool of somebody else told, word for word, where no model is there to put it into a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LONGEST = 300
_MOST = 6


def plain_result(data: Any) -> str | None:
    """A short text, or a few named values; None where it is more than can be read out."""
    if isinstance(data, Mapping):
        inner = next((data[key] for key in ("result", "content", "text") if len(data) == 1 and key in data), None)
        if inner is not None:
            return plain_result(inner)
        if not 0 < len(data) <= _MOST or not all(_is_plain(value) for value in data.values()):
            return None
        return _short(", ".join(f"{str(key).replace('_', ' ')}: {value}" for key, value in data.items()))
    if isinstance(data, list) and len(data) == 1:
        part = data[0]
        return plain_result(part.get("text") if isinstance(part, Mapping) and part.get("type") == "text" else part)
    return _short(str(data)) if _is_plain(data) else None


def _short(text: str) -> str | None:
    text = " ".join(text.split())
    return text if 0 < len(text) <= _LONGEST else None


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
