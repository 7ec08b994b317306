"""Finds the file of each native model: the person's own, else that of the catalogue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from ..settings.profiles import ModelKind
from .catalogue import KnownModel, catalogue, find, installed_hailort
from .download import Limits
from .files import AbsentFile, CatalogueFile, ManagedFile, OwnFile
from .formats import FORMATS

_WHAT = {
    ModelKind.GEMMA: "a Gemma for the processor",
    ModelKind.HAILO_LLM: "a text model for the Hailo device",
    ModelKind.VLM: "a vision model for the Hailo device",
}


class ModelLibrary:
    """The models below one data directory; a file is looked after in one place, however often it is asked for.

    `hailort_version` tells the installed HailoRT, None where there is none.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        models: tuple[KnownModel, ...] | None = None,
        hailort_version: Callable[[], str | None] = installed_hailort,
        limits: Limits | None = None,
    ) -> None:
        self.folder = data_dir / "models"
        self._data_dir = data_dir
        self._models = catalogue() if models is None else models
        self._hailort_version = hailort_version
        self._limits = limits
        self._files: dict[Path, CatalogueFile] = {}

    def known(self) -> tuple[KnownModel, ...]:
        """All models that can be fetched, for one runtime version or another."""
        return self._models

    def file_for(self, kind: ModelKind, name: str, path: str | None = None) -> ManagedFile:
        """The file of a native model; `path` is that of the settings, from the data directory on. Starts nothing."""
        if path:
            return OwnFile(self._data_dir / path, FORMATS[kind])
        model = find(self._models, name)
        if model is None:
            return AbsentFile(f"HA-Assist does not know {name}. {self._instead(kind)}")
        if model.kind is not kind:
            return AbsentFile(
                f"{model.id} is {_WHAT[model.kind]} and belongs into models.{model.kind}. {self._instead(kind)}"
            )
        version = self._hailort_version() if model.runtime == "HailoRT" else None
        release = model.release_for(version)
        if release is None:
            return AbsentFile(self._unfit(model, version))
        target = self.folder / release.file
        if target not in self._files:
            self._files[target] = CatalogueFile(release, target, FORMATS[kind], self._limits)
        return self._files[target]

    async def close(self) -> None:
        """End all downloads; what is there of them stays."""
        await asyncio.gather(*(file.cancel() for file in self._files.values()))

    def _instead(self, kind: ModelKind) -> str:
        names = ", ".join(model.id for model in self._models if model.kind is kind)
        return (
            f"Write one of these in models.{kind}.model: {names}. For another one write where its "
            f"{FORMATS[kind].suffix} file lies in models.{kind}.path."
        )

    def _unfit(self, model: KnownModel, version: str | None) -> str:
        if version is None:
            return f"{model.id} needs HailoRT, which is not installed, so nobody can tell which of its files fits."
        known = ", ".join(release.runtime_version for release in model.releases if release.runtime_version)
        return (
            f"HailoRT {version} is installed, and files of {model.id} are known for {known}. Install one of these, or "
            f"write where a fitting {FORMATS[model.kind].suffix} file lies in models.{model.kind}.path."
        )
