"""The models page: how each language model is, and what to do when something is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from aiohttp import web

from ..backends.base import Backend
from ..backends.upstream import LastAnswer, UpstreamBackend
from ..models.status import ModelState, ModelStatus
from ..services import Services
from ..settings.profiles import ModelKind, enabled_models, text_model, vision_model
from .keys import SERVICES
from .model_trial import try_model
from .page import go, render, render_part

routes = web.RouteTableDef()


@runtime_checkable
class Downloadable(Protocol):
    """A backend whose model's file can be stopped on its way, and fetched on."""

    async def cancel_download(self) -> None:
        """Stop; what has arrived is kept."""
        ...

    async def resume_download(self) -> None:
        """Go on where it stopped."""
        ...


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What is shown of one enabled model."""

    name: str
    kind: str
    status: ModelStatus
    answers_text: bool
    answers_images: bool
    can_cancel: bool = False
    can_resume: bool = False
    can_try: bool = False
    last: LastAnswer | None = None
    """How a server's last real request ended."""

    @property
    def shown_state(self) -> str:
        """A server that has never answered is at best within reach."""
        unproven = self.kind == ModelKind.UPSTREAM and self.last is None
        return "reachable" if unproven and self.status.state is ModelState.READY else str(self.status.state)


@routes.get("/models")
async def show(request: web.Request) -> web.Response:
    """All models; the page keeps itself up to date."""
    return render(request, "models.html", "models", await _context(request))


@routes.get("/models/state")
async def state(request: web.Request) -> web.Response:
    """The part of the page that changes."""
    return render_part(request, "models_state.html", await _context(request))


@routes.post("/models/download")
async def download(request: web.Request) -> web.Response:
    """Cancel or resume the download of a model's file."""
    form = await request.post()
    backend: object = request.app[SERVICES].backends.find(str(form.get("model", "")))
    if isinstance(backend, Downloadable):
        await (backend.cancel_download() if form.get("do") == "cancel" else backend.resume_download())
    raise go(request, "models")


@routes.post("/models/test")
async def test(request: web.Request) -> web.Response:
    """Ask a model once, and show what came of it above its card."""
    form = await request.post()
    backend = request.app[SERVICES].backends.find(str(form.get("model", "")))
    trial = await try_model(backend) if backend is not None else None
    return render(request, "models.html", "models", {**await _context(request), "trial": trial})


@routes.post("/models/check")
async def check(request: web.Request) -> web.Response:
    """The steps of the server in force, for the settings page after saving."""
    backends = request.app[SERVICES].backends.backends()
    server = next((backend for backend in backends if isinstance(backend, UpstreamBackend)), None)
    probe = await server.probe() if server is not None else None
    return render_part(request, "models_check.html", {"probe": probe})


async def _context(request: web.Request) -> Mapping[str, Any]:
    services = request.app[SERVICES]
    registry = services.registry
    known = registry.current if registry is not None else None
    return {
        "trial": None,
        "cards": await cards(services),
        "registry": str(registry.status.word) if registry is not None else "off",
        "events": str(services.states.status.word) if services.states is not None else "off",
        "known": {"floors": len(known.floors), "areas": len(known.areas)} if known is not None else {},
    }


async def cards(services: Services) -> list[ModelCard]:
    """Every enabled model, also one that nothing here can run."""
    settings = services.settings.current
    backends = {backend.info.id: backend for backend in services.backends.backends()}
    statuses = await asyncio.gather(*(backend.status() for backend in backends.values()))
    known = dict(zip(backends, statuses, strict=True))
    text, vision = text_model(settings), vision_model(settings)
    return [
        _card(
            model.name,
            model.kind.value,
            known.get(model.name),
            backends.get(model.name),
            text=model == text,
            vision=model == vision,
        )
        for model in enabled_models(settings)
    ]


def _card(
    name: str, kind: str, status: ModelStatus | None, backend: Backend | None, *, text: bool, vision: bool
) -> ModelCard:
    status = status or ModelStatus(ModelState.MISSING)
    downloadable = isinstance(backend, Downloadable)
    return ModelCard(
        name,
        kind,
        status,
        answers_text=text,
        answers_images=vision,
        can_cancel=downloadable and status.state is ModelState.DOWNLOADING,
        can_resume=downloadable and status.state in {ModelState.MISSING, ModelState.FAILED},
        can_try=backend is not None and (kind == ModelKind.UPSTREAM or status.state is ModelState.READY),
        last=getattr(backend, "last_answer", None),
    )
