"""A model on this machine and its file: fetched when it is enabled, left alone when it is not."""

from __future__ import annotations

from ..models.files import ManagedFile
from .base import ModelInfo
from .engines.base import EngineSpec
from .native import NativeBackend


class LocalModel(NativeBackend):
    """A native backend that looks after its own file; a download can be stopped and resumed."""

    def __init__(self, info: ModelInfo, engine: EngineSpec, file: ManagedFile, *, queue: int, timeout: float) -> None:
        super().__init__(info, engine, file, queue=queue, timeout=timeout)
        self._managed = file

    def start(self) -> None:
        """Fetch the file where it is missing, and load the model as soon as it is there; returns at once."""
        self._managed.start()
        super().start()

    async def cancel_download(self) -> None:
        """Stop fetching the file; what has arrived is kept."""
        await self._managed.cancel()

    async def resume_download(self) -> None:
        """Go on fetching where it stopped."""
        self._managed.start()

    async def close(self) -> None:
        """Stop fetching, and end the process."""
        await self._managed.cancel()
        await super().close()
