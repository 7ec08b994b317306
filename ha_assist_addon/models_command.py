"""The commands `models` and `models download`: what can be named in a request, whether it can answer, and its file."""

from __future__ import annotations

import asyncio
import logging
import sys

from .api.keys import VIRTUAL_MODEL
from .backends.upstream import UpstreamBackend
from .models import files
from .models.catalogue import KnownModel, find
from .models.download import amount
from .models.files import ManagedFile
from .models.library import ModelLibrary
from .models.status import ModelState, ModelStatus
from .settings.bootstrap import Bootstrap
from .settings.model import Settings
from .settings.profiles import EnabledModel, ModelKind, enabled_models
from .settings.store import SettingsStore

_SHOW_SECONDS = 1.0


async def show_models(bootstrap: Bootstrap) -> int:
    """Print one model a line: first those that are enabled, then those that could be."""
    settings = SettingsStore(bootstrap.data_dir).current
    library = ModelLibrary(bootstrap.data_dir)
    enabled = enabled_models(settings)
    print(f"{VIRTUAL_MODEL}\tready, needs no model for what your home's data answers")
    for model in enabled:
        print(f"{model.name}\t{await _state(model, settings, library)}")
    used = {model.name.casefold() for model in enabled}
    for known in library.known():
        if known.id.casefold() not in used:
            there = library.file_for(known.kind, known.id).status.state is ModelState.READY
            print(f"{known.id}\tnot enabled: {_describe(known)}{', its file is there' if there else ''}")
    return 0


async def download_model(bootstrap: Bootstrap, name: str) -> int:
    """Fetch a known model and show how far it is; cancelled, it keeps what is there."""
    library = ModelLibrary(bootstrap.data_dir)
    model = find(library.known(), name)
    if model is None:
        known = ", ".join(each.id for each in library.known())
        print(f"HA-Assist does not know {name}. It knows {known}.", file=sys.stderr)
        return 2
    file = library.file_for(model.kind, model.id)
    # What the log would tell is shown here.
    logging.getLogger(files.__name__).setLevel(logging.ERROR)
    file.start()
    try:
        status = await _watched(file)
    finally:
        await library.close()
    if status.state is ModelState.READY:
        print(f"{model.id} is there: {file.path}")
        return 0
    print(status.detail, file=sys.stderr)
    return 1


async def _watched(file: ManagedFile) -> ModelStatus:
    """The status when nothing moves any more."""
    waiting = asyncio.create_task(file.wait())
    shown = ""
    try:
        while (status := file.status).state in {ModelState.DOWNLOADING, ModelState.LOADING}:
            shown = _show(status, shown)
            await asyncio.wait({waiting}, timeout=_SHOW_SECONDS)
    finally:
        waiting.cancel()
        if shown and sys.stdout.isatty():
            print()
    return status


def _show(status: ModelStatus, shown: str) -> str:
    """On a terminal one line that is written over; elsewhere a line for each tenth, and for each thing to say."""
    share = "" if status.progress is None else f"{status.progress:4.0%} "
    if sys.stdout.isatty():
        print(f"\r\x1b[K{share}{status.detail}", end="", flush=True)
        return status.detail
    stage = f"{status.state} {int((status.progress or 0) * 10)}"
    if stage != shown:
        print(f"{share}{status.detail}", flush=True)
    return stage


async def _state(model: EnabledModel, settings: Settings, library: ModelLibrary) -> str:
    if model.kind is ModelKind.UPSTREAM:
        return await _reached(settings)
    block = getattr(settings.models, model.kind)
    return f"enabled. {_told(library.file_for(model.kind, model.name, block.path).status)}"


async def _reached(settings: Settings) -> str:
    upstream = settings.models.upstream
    if not upstream.base_url or not upstream.model:
        return "enabled. Its address is missing."
    backend = UpstreamBackend(
        base_url=upstream.base_url,
        model=upstream.model,
        api_key=upstream.api_key.get_secret_value() if upstream.api_key is not None else None,
        timeout=upstream.timeout,
        queue=1,
    )
    try:
        return "server answers" if await backend.reachable() else "server does not answer"
    finally:
        await backend.close()


def _told(status: ModelStatus) -> str:
    return status.detail or "Its file is there."


def _describe(model: KnownModel) -> str:
    size = model.releases[0].size
    versions = ", ".join(release.runtime_version for release in model.releases if release.runtime_version)
    parts = (
        "text and images" if model.images else "text",
        f"about {amount(size)}" if size else "",
        f"{model.runtime} {versions}".rstrip(),
        model.licence,
    )
    return ", ".join(filter(None, parts))
