"""Words that name nothing of a home: those of the grammars, of Home Assistant, and of our own explanations."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

import yaml

from ..examples import example_tools
from ..home.toolbox import Toolbox
from ..language.detect import vocabulary
from ..language.source import load_source
from ..language.words import fold_word

_FILE = "own_words.yaml"


@lru_cache(maxsize=16)
def known_words(language: str | None) -> frozenset[str]:
    """Folded words that may be shown of a request in this language; the first call takes a third of a second."""
    spoken = {"en", language} if language else {"en"}
    identifiers = map(fold_word, known_identifiers())
    return frozenset(identifiers).union(_own_words(), *(vocabulary(each) for each in sorted(spoken)))


@cache
def known_identifiers() -> frozenset[str]:
    """Names of intents and tools that every home has."""
    intents = (load_source("en") or {}).get("intents") or {}
    return frozenset((*intents, *(tool.plain for tool in Toolbox.read(example_tools()).tools if not tool.is_script)))


@cache
def _own_words() -> frozenset[str]:
    lists = yaml.safe_load(files(__package__).joinpath(_FILE).read_text(encoding="utf-8"))
    return frozenset(fold_word(str(word)) for text in lists.values() for word in text.split())
