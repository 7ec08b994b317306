"""The formats of model files, told by their first bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..settings.profiles import ModelKind
from .errors import WrongContent

HEAD_BYTES = 512


@dataclass(frozen=True, slots=True)
class Format:
    """How a kind of model file is called, and how it begins."""

    name: str
    suffix: str
    magic: bytes


LITERT = Format("LiteRT model", ".litertlm", b"LITERTLM")
HEF = Format("HEF", ".hef", b"\x01HEF")
FORMATS: Mapping[ModelKind, Format] = {ModelKind.GEMMA: LITERT, ModelKind.HAILO_LLM: HEF, ModelKind.VLM: HEF}


def check_head(expected: Format, head: bytes) -> None:
    """Raise WrongContent unless a file with these first bytes can be of the format."""
    if head.startswith(expected.magic):
        return
    start = head[:HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<?xml", b"<head")):
        raise WrongContent(f"It is a web page, not a {expected.name}.")
    if start.startswith(b"version https://git-lfs"):
        raise WrongContent(f"It is a git-lfs pointer, not the {expected.name} that it points to.")
    raise WrongContent(f"It is no {expected.name}: its first bytes are wrong.")


def check_file(expected: Format, path: Path) -> None:
    """Raise WrongContent or OSError unless the file begins as the format does."""
    with path.open("rb") as file:
        check_head(expected, file.read(HEAD_BYTES))
