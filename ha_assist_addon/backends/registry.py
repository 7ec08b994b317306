"""The physical models that the settings enable, rebuilt when the settings change."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..settings.profiles import text_model, vision_model
from .base import Backend, ModelInfo, ToolForm
from .upstream import UpstreamBackend

if TYPE_CHECKING:
    from ..settings.model import Settings
    from ..settings.store import SettingsStore


@dataclass(frozen=True, slots=True)
class _Upstream:
    """What of the settings the upstream backend is built from; it is rebuilt only when one of these changes."""

    base_url: str
    model: str
    api_key: str | None
    timeout: float
    queue: int
    context_tokens: int | None
    tool_form: ToolForm | None


class BackendRegistry:
    """Finds a model by its id; a model is never swapped for another one."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings
        self._seen: Settings | None = None
        self._wanted: _Upstream | None = None
        self._upstream: UpstreamBackend | None = None
        self._retiring: set[asyncio.Task[None]] = set()

    def models(self) -> tuple[ModelInfo, ...]:
        """All enabled models."""
        return tuple(backend.info for backend in self.backends())

    def backends(self) -> tuple[Backend, ...]:
        """All enabled backends, as the settings are now."""
        self._refresh()
        return (self._upstream,) if self._upstream is not None else ()

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
        """Close all backends, the replaced ones too."""
        if self._upstream is not None:
            await self._upstream.close()
            self._upstream = None
        if self._retiring:
            await asyncio.wait(self._retiring)

    def _refresh(self) -> None:
        current = self._settings.current
        if current is self._seen:
            return
        self._seen = current
        wanted = _wanted(current)
        if wanted == self._wanted:
            return
        if self._upstream is not None:
            # What runs ends on the old settings; the next request finds the new ones.
            task = asyncio.get_running_loop().create_task(self._upstream.close())
            self._retiring.add(task)
            task.add_done_callback(self._retiring.discard)
        self._wanted = wanted
        self._upstream = None
        if wanted is not None:
            self._upstream = UpstreamBackend(
                base_url=wanted.base_url,
                model=wanted.model,
                api_key=wanted.api_key,
                timeout=wanted.timeout,
                queue=wanted.queue,
                context_tokens=wanted.context_tokens,
                tool_form=wanted.tool_form,
            )


def _wanted(settings: Settings) -> _Upstream | None:
    upstream = settings.models.upstream
    if not (upstream.enabled and upstream.base_url and upstream.model):
        return None
    return _Upstream(
        base_url=str(upstream.base_url),
        model=upstream.model,
        api_key=upstream.api_key.get_secret_value() if upstream.api_key is not None else None,
        timeout=upstream.timeout,
        queue=settings.settings.ha_assist_queue,
        context_tokens=upstream.context_tokens,
        tool_form=None if upstream.tool_form == "auto" else ToolForm(upstream.tool_form),
    )
