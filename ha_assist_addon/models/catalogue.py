"""The models that are known: what they are, and which file of theirs fits the installed runtime."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any

import yaml

from ..settings.profiles import ModelKind


@dataclass(frozen=True, slots=True)
class Release:
    """One file of a model as it is published.

    `size` in bytes is the publisher's figure and may be rounded; `sha256` is None where the publisher states none;
    `runtime_version` is None where any version reads the file.
    """

    file: str
    address: str
    size: int | None = None
    sha256: str | None = None
    runtime_version: str | None = None


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that HA-Assist can fetch by itself."""

    id: str
    kind: ModelKind
    runtime: str
    images: bool
    licence: str
    releases: tuple[Release, ...]

    def release_for(self, runtime_version: str | None) -> Release | None:
        """The file for an installed runtime; major and minor version must agree, where the file depends on them."""
        for release in self.releases:
            if release.runtime_version is None:
                return release
            if runtime_version and _line(release.runtime_version) == _line(runtime_version):
                return release
        return None


@cache
def catalogue() -> tuple[KnownModel, ...]:
    """All known models, the recommended one of each kind first."""
    data = yaml.safe_load(files(__package__).joinpath("models.yaml").read_text(encoding="utf-8"))
    hailort = data["hailort"]
    return (
        *(_litert(entry) for entry in data["litert"]),
        *(_hailo(entry, hailort["address"], hailort["file"]) for entry in hailort["models"]),
    )


def find(models: tuple[KnownModel, ...], name: str) -> KnownModel | None:
    """The model of this name; upper and lower case do not matter."""
    return next((model for model in models if model.id.casefold() == name.casefold()), None)


def installed_hailort() -> str | None:
    """The version of HailoRT's Python package, None where it is not installed."""
    try:
        return version("hailort")
    except PackageNotFoundError:
        return None


def _litert(entry: Mapping[str, Any]) -> KnownModel:
    release = Release(entry["file"], entry["address"], entry.get("size"), entry.get("sha256"))
    return KnownModel(
        entry["id"], ModelKind(entry["kind"]), "LiteRT-LM", entry.get("images", False), entry["licence"], (release,)
    )


def _hailo(entry: Mapping[str, Any], address: str, file: str) -> KnownModel:
    releases = tuple(
        Release(
            file=file.format(id=entry["id"], version=number),
            address=address.format(id=entry["id"], version=number),
            size=entry.get("size"),
            runtime_version=number,
        )
        for number in entry["versions"]
    )
    return KnownModel(
        entry["id"], ModelKind(entry["kind"]), "HailoRT", entry.get("images", False), entry["licence"], releases
    )


def _line(number: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\d+", number)[:2])
