"""The data files of the languages, a folder each, read with the fast loader; a variant falls back to its base."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def bases(language: str) -> tuple[str, ...]:
    """A language and the one that it varies: `pt-BR`, then `pt`."""
    return tuple(dict.fromkeys((language, language.split("-", maxsplit=1)[0])))


def parse(text: str) -> Any:
    """YAML as data, nothing else."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - a safe loader


def read_text(kind: str, language: str) -> str | None:
    """The text of exactly this language's file of a kind (`replies`, `guards` ...), or None where there is none."""
    file = files(__package__).joinpath(language, f"{kind}.yaml")
    return file.read_text(encoding="utf-8") if file.is_file() else None


def read_file(kind: str, language: str) -> Any:
    """That file as data, or None where there is none."""
    text = read_text(kind, language)
    return None if text is None else parse(text)


@lru_cache(maxsize=64)
def look_up_words(kind: str, language: str) -> frozenset[str]:
    """The words of a plain list (`<kind>.txt`, one a line, comments behind `#`) of this language or its base."""
    for code in bases(language):
        file = files(__package__).joinpath(code, f"{kind}.txt")
        if file.is_file():
            return frozenset(w for w in file.read_text(encoding="utf-8").splitlines() if w and not w.startswith("#"))
    return frozenset()


@lru_cache(maxsize=512)
def look_up(kind: str, language: str) -> Any:
    """The file of this language or of the one that it varies, or None."""
    return next((loaded for code in bases(language) if (loaded := read_file(kind, code)) is not None), None)


@cache
def languages_with(kind: str) -> tuple[str, ...]:
    """The languages that have a file of a kind."""
    return tuple(sorted(_folders_with(f"{kind}.yaml")))


def _folders_with(name: str) -> Iterator[str]:
    for folder in files(__package__).iterdir():
        if folder.is_dir() and folder.joinpath(name).is_file():
            yield folder.name
