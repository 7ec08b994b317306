"""The data files of the languages: read with the fast loader, looked up by language, then by its base."""

from __future__ import annotations

from functools import cache
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


def read_file(folder: str, language: str) -> Any:
    """The file of exactly this language in a folder, or None where there is none."""
    file = files(__package__).joinpath(folder, f"{language}.yaml")
    return parse(file.read_text(encoding="utf-8")) if file.is_file() else None


def read_nearest(folder: str, language: str) -> Any:
    """The file of this language or of the one that it varies, or None."""
    return next((loaded for code in bases(language) if (loaded := read_file(folder, code)) is not None), None)


@cache
def table(name: str) -> dict[str, Any]:
    """A whole table, by language."""
    loaded: dict[str, Any] = parse(files(__package__).joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
    return loaded


def look_up(name: str, language: str) -> Any:
    """The part of a table that is about this language or the one that it varies, or None."""
    languages = table(name)
    return next((languages[code] for code in bases(language) if code in languages), None)
