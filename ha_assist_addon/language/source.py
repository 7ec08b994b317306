"""Where the sentences of a language come from: Home Assistant's package, and our files beside it."""

from __future__ import annotations

from typing import Any

from hassil.util import merge_dict
from home_assistant_intents import get_intents

from .data import read_file


def load_source(language: str) -> dict[str, Any] | None:
    """The official sentences of a language with our additions merged in."""
    source = get_intents(language)
    if source is None:
        return None
    source = dict(source)
    for kind in ("sentences", "questions"):
        own = read_file(kind, language)
        if own is not None:
            merge_dict(source, own)
    return source
