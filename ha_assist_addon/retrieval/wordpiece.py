"""The tokenizer of BERT base uncased: basic splitting, then the longest known pieces of each word."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from string import punctuation

_UNKNOWN, _FIRST, _LAST = "[UNK]", "[CLS]", "[SEP]"
_LONGEST_WORD = 100
"""A longer word is unknown as a whole, as in the model's training."""

_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Characters that are words of their own."""


@cache
def _vocabulary() -> dict[str, int]:
    lines = files(__package__).joinpath("vocab.txt").read_text(encoding="utf-8").split("\n")
    return {piece: number for number, piece in enumerate(lines) if piece}


def tokenize(text: str, limit: int) -> list[int]:
    """The token numbers of a text between the two markers, `limit` of them at most."""
    vocabulary = _vocabulary()
    tokens = [vocabulary[_FIRST]]
    for word in _words(text):
        tokens.extend(_pieces(word, vocabulary))
        if len(tokens) >= limit:
            break
    return [*tokens[: limit - 1], vocabulary[_LAST]]


def _words(text: str) -> Iterator[str]:
    """Words in lower case without accents; punctuation and ideographs stand alone."""
    spaced = "".join(map(_separated, text))
    bare = "".join(c for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) != "Mn")
    lowered = "".join(c.lower() for c in bare)  # letter by letter, as the vocabulary was made: no final sigma
    for word in lowered.split():
        start = 0
        for end, character in enumerate(word):
            if _is_punctuation(character):
                if start < end:
                    yield word[start:end]
                yield character
                start = end + 1
        if start < len(word):
            yield word[start:]


def _separated(character: str) -> str:
    if character in "\t\n\r" or unicodedata.category(character) == "Zs":
        return " "
    if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf"):
        return ""
    code = ord(character)
    return f" {character} " if any(first <= code <= last for first, last in _IDEOGRAPHS) else character


def _is_punctuation(character: str) -> bool:
    return character in punctuation or unicodedata.category(character).startswith("P")


def _pieces(word: str, vocabulary: dict[str, int]) -> list[int]:
    if len(word) > _LONGEST_WORD:
        return [vocabulary[_UNKNOWN]]
    pieces: list[int] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            found = vocabulary.get(word[start:end] if start == 0 else f"##{word[start:end]}")
            if found is not None:
                pieces.append(found)
                start = end
                break
        else:
            return [vocabulary[_UNKNOWN]]
    return pieces
