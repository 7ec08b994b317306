"""What a model is told, in the language of the request; in English where we have no text of that language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ..language.data import look_up

_FALLBACK = "en"
_VALUE = re.compile(r"\{\{ (\w+) \}\}")


@lru_cache(maxsize=64)
def _texts(language: str) -> Mapping[str, str]:
    found = look_up("prompts", language)
    if found is None:
        found = dict(look_up("prompts", _FALLBACK))
        found["task"] = found["task"].replace("Answer in English,", f"Answer in the person's language ({language}),")
    return {key: str(value) for key, value in found.items()}


def tell(key: str, language: str | None, **values: str) -> str:
    """One text with its values filled in."""
    text = _texts(language or _FALLBACK)[key]
    return _VALUE.sub(lambda found: values[found[1]], text).strip()
