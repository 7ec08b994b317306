"""How far a model and its file are from being used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol


class ModelState(StrEnum):
    """How far a model is from answering."""

    READY = "ready"
    LOADING = "loading"
    DOWNLOADING = "downloading"
    MISSING = "missing"
    """Its file is not there, and nothing fetches it."""
    FAILED = "failed"
    """It cannot be used until the person, or a restart with back-off, changes something."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What the panel shows of a model; `detail` is one sentence for a person, empty where all is well.

    `progress` is a share from 0 to 1; `tokens_per_second` is that of the last answer; `facts` are versions, the device
    node and the like, by a name to show.
    """

    state: ModelState
    detail: str = ""
    progress: float | None = None
    memory_mb: float | None = None
    tokens_per_second: float | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    """Names the sentence of `detail`, so that it can be told in another language."""


class ModelFile(Protocol):
    """The file of a native model: there, on its way, or missing."""

    @property
    def path(self) -> Path | None:
        """The file, None while it is not whole."""
        ...

    @property
    def status(self) -> ModelStatus:
        """READY when it is there, else DOWNLOADING, MISSING or FAILED with a sentence."""
        ...

    async def wait(self) -> Path:
        """The file as soon as it is there; waits as long as that takes."""
        ...
