"""The literal words of a grammar, those included that its templates compose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .words import words_of

_REFERENCE = re.compile(r"<[^>]*>|\{[^}]*\}")
_SPACED = re.compile(r"\[ \]|\( ?\|?-?\)")
_INNER = re.compile(r"(?P<before>\w*)(?:\[(?P<optional>[\w|]+)\]|\((?P<either>[\w|]+)\))(?P<after>\w*)")


def literal_words(source: Mapping[str, Any]) -> Iterator[str]:
    """Every word that a grammar can match literally, as it is spelt; words repeat."""
    for text in _literals(source):
        for word in words_of(_spelt_out(text)):
            yield word.text


def _literals(source: Mapping[str, Any]) -> Iterator[str]:
    for intent in (source.get("intents") or {}).values():
        for block in intent.get("data", ()):
            yield from block.get("sentences", ())
            yield from (block.get("expansion_rules") or {}).values()
    yield from (source.get("expansion_rules") or {}).values()
    yield from source.get("skip_words") or ()
    for values in (source.get("lists") or {}).values():
        for value in values.get("values", ()):
            yield value if isinstance(value, str) else str(value.get("in", ""))


def _spelt_out(template: str) -> str:
    """The words of a template and those that it composes: `fan[s]` is fan and fans, `an[ ]schalten` both spellings."""
    text = _REFERENCE.sub(" ", template)
    if _SPACED.search(text):
        text = f"{_SPACED.sub('', text)} {_SPACED.sub(' ', text)}"
    return f"{text} {' '.join(_composed(text))}"


def _composed(text: str) -> Iterator[str]:
    for match in _INNER.finditer(text):
        before, after = match["before"], match["after"]
        if before or after:
            options = (match["optional"] or match["either"]).split("|")
            yield from (before + option + after for option in ([*options, ""] if match["optional"] else options))
