"""The text of taught.yaml: what it says may stand for no more than it is."""

from __future__ import annotations

from typing import Any

import yaml

from .model import LONGEST_KNOWN, TaughtFile

FILE_NAME = "taught.yaml"
LARGEST = 256 * 1024
"""Bytes."""
_HEADER = "# Taught in HA-Assist's panel. Changes by hand are welcome too, and apply from the next sentence on.\n"
_MOST_EVENTS = 40_000
_DEEPEST = 8
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_ODD_VALUES = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What PyYAML lets through where a value does not fit its tag, as in `!!bool ja`."""


class DocumentError(Exception):
    """The text is no YAML that is read here; the message is one sentence."""


def read(content: bytes) -> TaughtFile:
    """The file's content, checked; raises DocumentError or pydantic's ValidationError."""
    try:
        _refuse_excess(content)
        loaded = yaml.load(content, _LOADER)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, *_ODD_VALUES) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" near line {mark.line + 1}" if mark is not None else ""
        raise DocumentError(f"{FILE_NAME} is not valid YAML{where}.") from error
    return TaughtFile.model_validate({} if loaded is None else loaded)


def render(file: TaughtFile) -> bytes:
    """The file's text, fit for reading it again."""
    plain: dict[str, Any] = file.model_dump(mode="json", exclude_none=True)
    return (_HEADER + yaml.safe_dump(plain, allow_unicode=True, sort_keys=False)).encode()


def _refuse_excess(content: bytes) -> None:
    depth = 0
    for number, event in enumerate(yaml.parse(content, _LOADER)):
        if isinstance(event, yaml.AliasEvent):
            raise DocumentError(f"{FILE_NAME} repeats a part of itself by its anchor, which is not read; write it out.")
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > LONGEST_KNOWN:
            raise DocumentError(f"{FILE_NAME} has a text that is too long.")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEEPEST or number > _MOST_EVENTS:
            raise DocumentError(f"{FILE_NAME} holds far more than anybody teaches.")
