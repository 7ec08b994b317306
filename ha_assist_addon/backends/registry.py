"""The physical models that the settings enable, rebuilt when the settings change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..models.library import ModelLibrary
from ..settings.profiles import ModelKind, text_model, vision_model
from .base import Backend, ModelInfo, ToolForm
from .engines.base import EngineSpec
from .engines.hailo import hailo_llm, hailo_vlm
from .engines.litert import litert
from .local import LocalModel
from .upstream import UpstreamBackend

if TYPE_CHECKING:
    from ..settings.model import Settings
    from ..settings.store import SettingsStore

GEMMA_ANSWER = 1024
"""Tokens of Gemma's context beyond its longest prompt."""


@dataclass(frozen=True, slots=True)
class _Upstream:
    """What of the settings the upstream backend is built from; it is rebuilt only when one of these changes."""

    model: str
    base_url: str
    api_key: str | None
    timeout: float
    queue: int
    context_tokens: int | None
    tool_form: ToolForm | None


@dataclass(frozen=True, slots=True)
class _Local:
    """What of the settings a native backend is built from."""

    model: str
    path: str | None
    timeout: float
    queue: int
    context_tokens: int = 0
    threads: int | None = None


_Wanted = _Upstream | _Local


class BackendRegistry:
    """Finds a model by its id; a model is never swapped for another one.

    Native models are only listed until `start` is called: looking at them must not fetch gigabytes.
    """

    def __init__(self, settings: SettingsStore, library: ModelLibrary | None = None) -> None:
        self._settings = settings
        self._data_dir = settings.path.parent
        self.library = library or ModelLibrary(self._data_dir)
        self._live = False
        self._seen: Settings | None = None
        self._running: dict[ModelKind, tuple[_Wanted, Backend]] = {}
        self._retiring: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to fetch and load what is enabled, now and whenever the settings change."""
        loop = asyncio.get_running_loop()

        def follow(_before: Settings, _after: Settings) -> None:
            loop.call_soon_threadsafe(self._refresh)

        self._live = True
        self._settings.subscribe(follow)
        self._refresh()

    def models(self) -> tuple[ModelInfo, ...]:
        """All enabled models."""
        return tuple(backend.info for backend in self.backends())

    def backends(self) -> tuple[Backend, ...]:
        """All enabled backends, as the settings are now."""
        self._refresh()
        return tuple(self._running[kind][1] for kind in ModelKind if kind in self._running)

    def find(self, model_id: str) -> Backend | None:
        """The enabled model of this id."""
        return next((backend for backend in self.backends() if backend.info.id == model_id), None)

    def text(self) -> Backend | None:
        """The model that HA-Assist asks where language is needed: the chosen one, else the only one enabled."""
        model = text_model(self._settings.current)
        return self.find(model.name) if model is not None else None

    def vision(self) -> Backend | None:
        """The model that HA-Assist asks about pictures: the chosen one, else the VLM if it is enabled."""
        model = vision_model(self._settings.current)
        return self.find(model.name) if model is not None else None

    async def close(self) -> None:
        """Close all backends, the replaced ones too, and end downloads."""
        backends = [backend for _, backend in self._running.values()]
        self._running.clear()
        await asyncio.gather(*(backend.close() for backend in backends))
        if self._retiring:
            await asyncio.wait(self._retiring)
        await self.library.close()

    def _refresh(self) -> None:
        current = self._settings.current
        if current is self._seen:
            return
        self._seen = current
        wanted = dict(_wanted(current))
        for kind, (built_from, backend) in list(self._running.items()):
            if wanted.get(kind) != built_from:
                del self._running[kind]
                self._retire(backend)
        for kind, spec in wanted.items():
            if kind not in self._running:
                self._running[kind] = spec, self._build(kind, spec)

    def _retire(self, backend: Backend) -> None:
        """What runs ends on the old settings; the next request finds the new ones."""
        task = asyncio.get_running_loop().create_task(_close(backend))
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    def _build(self, kind: ModelKind, spec: _Wanted) -> Backend:
        if isinstance(spec, _Upstream):
            return UpstreamBackend(
                base_url=spec.base_url,
                model=spec.model,
                api_key=spec.api_key,
                timeout=spec.timeout,
                queue=spec.queue,
                context_tokens=spec.context_tokens,
                tool_form=spec.tool_form,
            )
        backend = LocalModel(
            ModelInfo(spec.model, _OWNERS[kind]),
            _engine(kind, spec, self._data_dir),
            self.library.file_for(kind, spec.model, spec.path),
            queue=spec.queue,
            timeout=spec.timeout,
        )
        if self._live:
            backend.start()
        return backend


_OWNERS = {ModelKind.GEMMA: "litert", ModelKind.HAILO_LLM: "hailo", ModelKind.VLM: "hailo"}


async def _close(backend: Backend) -> None:
    await backend.close()


def _engine(kind: ModelKind, spec: _Local, data_dir: Path) -> EngineSpec:
    if kind is ModelKind.GEMMA:
        cache = str((data_dir / "models" / "cache").absolute())
        return litert(cache_dir=cache, context_tokens=spec.context_tokens, threads=spec.threads)
    return hailo_vlm() if kind is ModelKind.VLM else hailo_llm()


def _wanted(settings: Settings) -> Iterator[tuple[ModelKind, _Wanted]]:
    """What each enabled block asks for; two that hold one device each are told apart by the device itself."""
    models, assist = settings.models, settings.settings
    for kind, block in ((ModelKind.VLM, models.vlm), (ModelKind.HAILO_LLM, models.hailo_llm)):
        if block.enabled and block.model:
            yield kind, _Local(block.model, block.path, assist.ha_assist_timeout, assist.ha_assist_queue)
    gemma = models.gemma
    if gemma.enabled:
        context = gemma.max_input_tokens + GEMMA_ANSWER
        yield (
            ModelKind.GEMMA,
            _Local(gemma.model, gemma.path, assist.ha_assist_timeout, assist.ha_assist_queue, context, gemma.threads),
        )
    upstream = models.upstream
    if upstream.enabled and upstream.base_url and upstream.model:
        yield (
            ModelKind.UPSTREAM,
            _Upstream(
                upstream.model,
                str(upstream.base_url),
                upstream.api_key.get_secret_value() if upstream.api_key is not None else None,
                min(upstream.timeout, assist.ha_assist_timeout),
                assist.ha_assist_queue,
                upstream.context_tokens,
                None if upstream.tool_form == "auto" else ToolForm(upstream.tool_form),
            ),
        )
