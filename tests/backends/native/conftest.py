"""A native backend with short limits, and what it leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from ha_assist_addon.backends.base import ModelInfo
from ha_assist_addon.backends.engines.base import EngineSpec
from ha_assist_addon.backends.native import NativeBackend
from ha_assist_addon.backends.worker import Limits
from ha_assist_addon.models.status import ModelState, ModelStatus

FAST = Limits(load=20, first=20, between=20, cancel=5, close=2, pause=0.01, longest_pause=0.05, lasting_pause=60)

Running = Callable[..., AbstractAsyncContextManager[NativeBackend]]


@dataclass
class Present:
    """A file that is there."""

    path: Path

    @property
    def status(self) -> ModelStatus:
        return ModelStatus(ModelState.READY)

    async def wait(self) -> Path:
        return self.path


@asynccontextmanager
async def running(
    spec: EngineSpec,
    path: Path = Path("model"),
    *,
    limits: Limits = FAST,
    queue: int = 2,
    seconds: float = 30,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[NativeBackend]:
    """The backend once it is ready, or has failed to become so."""
    backend = NativeBackend(
        ModelInfo("native", "test"),
        spec,
        Present(path),
        queue=queue,
        timeout=seconds,
        limits=limits,
        environment=environment,
    )
    backend.start()
    try:
        await settled(backend)
        yield backend
    finally:
        await backend.close()


async def settled(backend: NativeBackend) -> ModelStatus:
    """The status as soon as it is neither loading nor starting again."""
    while (status := await backend.status()).state is ModelState.LOADING:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return status


async def noticed(backend: NativeBackend) -> None:
    """Wait until the backend has seen that its process ended."""
    while (await backend.status()).state is ModelState.READY:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


@pytest.fixture(scope="session")
def tiny_model(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny LiteRT model."""
    source = shared_dir / "models" / "tiny_generic_model.litertlm"
    if not source.is_file():
        pytest.skip("no tiny LiteRT model in the shared folder")
    copy = tmp_path_factory.mktemp("litert") / source.name
    copy.write_bytes(source.read_bytes())
    return copy
