"""Words for floors: the prompt names none, but Home Assistant resolves a floor's name exactly or refuses it."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

import yaml

from ..home.mentions import Kind, Known, Mention


@lru_cache(maxsize=1)
def _all_floors() -> dict[str, list[str]]:
    loaded = yaml.safe_load(files(__package__).joinpath("floors.yaml").read_text(encoding="utf-8"))
    return {language: [str(word) for word in words] for language, words in loaded.items()}


@lru_cache(maxsize=128)
def _pattern(language: str) -> re.Pattern[str] | None:
    words = floor_words(language)
    if not words:
        return None
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(re.escape(w) for w in sorted(words, key=len, reverse=True))})", re.IGNORECASE
    )


def floor_words(language: str) -> tuple[str, ...]:
    """The floor names of a language."""
    floors = _all_floors()
    return tuple(floors.get(language) or floors.get(language.split("-", maxsplit=1)[0]) or ())


def floor_mentions(sentence: str, language: str) -> tuple[Mention, ...]:
    """Common floor words in a sentence; what it says is what is passed on."""
    pattern = _pattern(language)
    if pattern is None:
        return ()
    return tuple(
        Mention(m.group(), m.start(), m.end(), Known(m.group(), Kind.FLOOR)) for m in pattern.finditer(sentence)
    )
