"""The panel's own words: one file a language below translations/, English where a word is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..language.data import parse

FOLDER = Path(__file__).parent / "translations"
FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Words:
    """One language; called with a key it gives the text, `n` chooses between `key.one` and `key.other`."""

    language: str
    texts: Mapping[str, str]
    fallback: Mapping[str, str]

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key, with these values put in; the key itself where nobody wrote one."""
        if "n" in values and f"{key}.other" in self.fallback:
            key = f"{key}.{'one' if values['n'] == 1 else 'other'}"
        text = self.find(key)
        return (text or key).format(**values) if values else text or key

    def find(self, key: str) -> str | None:
        """The text as it stands in the file, English if need be."""
        return self.texts.get(key) or self.fallback.get(key)


class Dictionary:
    """All languages of the panel."""

    def __init__(self, folder: Path = FOLDER) -> None:
        texts = {path.stem: _flat(parse(path.read_text(encoding="utf-8"))) for path in folder.glob("*.yaml")}
        self._words = {language: Words(language, found, texts[FALLBACK]) for language, found in texts.items()}

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes, sorted."""
        return tuple(sorted(self._words))

    def best(self, wanted: Iterable[str]) -> Words:
        """The first wanted language that there is, regions aside; else English."""
        for code in wanted:
            found = self._words.get(code) or self._words.get(re.split("[-_]", code)[0].lower())
            if found is not None:
                return found
        return self._words[FALLBACK]


def accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first."""
    weighed = []
    for place, part in enumerate(header.split(",")):
        code, *parameters = (piece.strip() for piece in part.split(";"))
        weight = next((p.removeprefix("q=") for p in parameters if p.startswith("q=")), "1")
        if code and code != "*" and re.fullmatch(r"[01](\.\d{0,3})?", weight) and float(weight) > 0:
            weighed.append((-float(weight), place, code))
    return [code for _, _, code in sorted(weighed)]


def _flat(texts: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in texts.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat
