"""A published model, its server, and a library that knows it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.models.catalogue import KnownModel, Release
from ha_assist_addon.models.download import Limits
from ha_assist_addon.models.files import CatalogueFile
from ha_assist_addon.models.formats import LITERT
from ha_assist_addon.models.library import ModelLibrary
from ha_assist_addon.settings.profiles import ModelKind
from tests.models.file_server import FileServer

CONTENT = LITERT.magic + random.Random(7).randbytes(1_500_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = "tiny"
LIMITS = Limits(
    connect=5,
    silence=10,
    attempts=3,
    first_wait=0.01,
    longest_wait=0.05,
    busy_wait=0.05,
    chunk=64 << 10,
    worthwhile=64 << 10,
    check_every=256 << 10,
    reserve=0,
)


@pytest.fixture
async def server() -> AsyncIterator[FileServer]:
    async with FileServer(CONTENT).running() as up:
        yield up


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


Make = Callable[..., CatalogueFile]


@pytest.fixture
async def make(server: FileServer, tmp_path: Path) -> AsyncIterator[Make]:
    """Makes the file as a library newly started would see it."""
    libraries: list[ModelLibrary] = []

    def made(sha256: str | None = None, limits: Limits = LIMITS, **release: Any) -> CatalogueFile:
        published = replace(Release("tiny.litertlm", server.url, None, sha256), **release)
        model = KnownModel(NAME, ModelKind.GEMMA, "LiteRT-LM", False, "none", (published,))
        library = ModelLibrary(tmp_path, models=(model,), limits=limits)
        libraries.append(library)
        file = library.file_for(ModelKind.GEMMA, NAME)
        assert isinstance(file, CatalogueFile)
        return file

    yield made
    for library in libraries:
        await library.close()
