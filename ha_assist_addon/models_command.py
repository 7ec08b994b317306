"""The command `models`: what can be named in a request, and whether it can answer."""

from __future__ import annotations

from .api.keys import VIRTUAL_MODEL
from .backends.registry import BackendRegistry
from .backends.upstream import UpstreamBackend
from .settings.bootstrap import Bootstrap
from .settings.store import SettingsStore


async def show_models(bootstrap: Bootstrap) -> int:
    """Print one model a line."""
    registry = BackendRegistry(SettingsStore(bootstrap.data_dir))
    print(f"{VIRTUAL_MODEL}\tready, needs no model for what your home's data answers")
    for backend in registry.backends():
        state = "enabled"
        if isinstance(backend, UpstreamBackend):
            state = "server answers" if await backend.reachable() else "server does not answer"
        print(f"{backend.info.id}\t{state}")
    await registry.close()
    return 0
