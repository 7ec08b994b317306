"""Where the sentences of a language come from: Home Assistant's package, and our files beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hassil.util import merge_dict
from home_assistant_intents import get_intents

from .data import read_file

OWN = "ha_assist"
"""The key in a block's metadata that says that its sentences are ours."""


def load_source(language: str) -> dict[str, Any] | None:
    """The official sentences of a language with our additions merged in."""
    source = get_intents(language)
    if source is None:
        return None
    source = dict(source)
    for kind in ("sentences", "questions"):
        own = read_file(kind, language)
        if own is not None:
            _mark(own)
            merge_dict(source, own)
    return source


def _mark(own: Mapping[str, Any]) -> None:
    """Mark each block of sentences as ours."""
    for intent in own["intents"].values():
        for block in intent["data"]:
            block["metadata"] = {**block.get("metadata", {}), OWN: True}
