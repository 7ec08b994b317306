"""The text of taught.yaml: what it says may stand for no more than it is."""

from __future__ import annotations

from typing import Any

import yaml

from ..yaml_limits import ODD_VALUES, Excess, ExcessError, Limits, refuse_excess
from .model import LONGEST_KNOWN, TaughtFile

FILE_NAME = "taught.yaml"
LARGEST = 256 * 1024
"""Bytes."""
_HEADER = "# Taught in HA-Assist's panel. Changes by hand are welcome too, and apply from the next sentence on.\n"
_LIMITS = Limits(events=40_000, depth=8, text=LONGEST_KNOWN)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class DocumentError(Exception):
    """The text is no YAML that is read here; the message is one sentence."""


def read(content: bytes) -> TaughtFile:
    """The file's content, checked; raises DocumentError or pydantic's ValidationError."""
    try:
        refuse_excess(content, _LOADER, _LIMITS)
        loaded = yaml.load(content, _LOADER)  # noqa: S506 - a safe loader
    except ExcessError as error:
        raise DocumentError(_told(error.excess)) from error
    except (yaml.YAMLError, *ODD_VALUES) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" near line {mark.line + 1}" if mark is not None else ""
        raise DocumentError(f"{FILE_NAME} is not valid YAML{where}.") from error
    return TaughtFile.model_validate({} if loaded is None else loaded)


def render(file: TaughtFile) -> bytes:
    """The file's text, fit for reading it again."""
    plain: dict[str, Any] = file.model_dump(mode="json", exclude_none=True)
    return (_HEADER + yaml.safe_dump(plain, allow_unicode=True, sort_keys=False)).encode()


def _told(excess: Excess) -> str:
    match excess:
        case Excess.ALIAS:
            return f"{FILE_NAME} repeats a part of itself by its anchor, which is not read; write it out."
        case Excess.LONG:
            return f"{FILE_NAME} has a text that is too long."
        case Excess.MUCH:
            return f"{FILE_NAME} holds far more than anybody teaches."
