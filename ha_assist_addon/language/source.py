"""Where the sentences of a language come from: Home Assistant's package, and our files beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any

from hassil.util import merge_dict
from home_assistant_intents import get_intents

from .data import read_file, read_text

OWN = "ha_assist"
"""The key in a block's metadata that says that its sentences are ours."""
_OWN_KINDS = ("sentences", "questions")


def load_source(language: str) -> dict[str, Any] | None:
    """The official sentences of a language with our additions merged in."""
    source = get_intents(language)
    if source is None:
        return None
    source = dict(source)
    for kind in _OWN_KINDS:
        own = read_file(kind, language)
        if own is not None:
            _mark(own)
            merge_dict(source, own)
    return source


def raw_sources(language: str) -> Iterator[bytes]:
    """The files that the sentences of a language come from, as they are written."""

    def raw(file: IO[str]) -> dict[str, Any]:
        return {"text": file.read()}

    official = get_intents(language, json_load=raw)
    if official is not None:
        yield official["text"].encode()
    yield from (text.encode() for kind in _OWN_KINDS if (text := read_text(kind, language)) is not None)


def _mark(own: Mapping[str, Any]) -> None:
    """Mark each block of sentences as ours."""
    for intent in own["intents"].values():
        for block in intent["data"]:
            block["metadata"] = {**block.get("metadata", {}), OWN: True}
