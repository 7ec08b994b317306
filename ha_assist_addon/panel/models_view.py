"""The models page: how each language model is, and what to do when something is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from aiohttp import web

from ..backends.base import Backend
from ..models.status import ModelState, ModelStatus
from ..services import Services
from ..settings.profiles import enabled_models, text_model, vision_model
from .keys import SERVICES
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


async def _context(request: web.Request) -> Mapping[str, Any]:
    services = request.app[SERVICES]
    return {
        "cards": await cards(services),
        "registry": services.registry.status if services.registry else None,
        "states": services.states.status if services.states else None,
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
    )
