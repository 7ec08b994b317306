"""The literal words of a grammar, those included that its templates compose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from .words import words_of

_REFERENCE = re.compile(r"<[^>]*>|\{[^}]*\}")
_SPACED = re.compile(r"\[ \]|\( ?\|?-?\)")
_COMPOSED = re.compile(r"(?:\w|\[[\w|]*\]|\([\w|]*\))*(?:\w[\[(]|[\])]\w|[\])][\[(])(?:\w|\[[\w|]*\]|\([\w|]*\))*")
_PIECE = re.compile(r"\w+|\[([\w|]*)\]|\(([\w|]*)\)")
_MOST_SPELLINGS = 32


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
    """Words with groups inside them, spelt out: `enc[i]end(a|er)` is encienda, encender and so on."""
    for match in _COMPOSED.finditer(text):
        options = [_spellings(piece) for piece in _PIECE.finditer(match.group())]
        yield from ("".join(spelling) for spelling in islice(product(*options), _MOST_SPELLINGS))


def _spellings(piece: re.Match[str]) -> list[str]:
    if piece[1] is not None:
        return [*piece[1].split("|"), ""]
    return piece[2].split("|") if piece[2] is not None else [piece.group()]
