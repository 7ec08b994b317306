"""What every request needs and what lives as long as the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .diagnostics.arrivals import Arrivals
from .diagnostics.store import TraceStore
from .home.catalogue import HomeCache
from .retrieval.finder import Finder
from .taught.store import LessonStore
from .turn.confirmations import Confirmations
from .verification.evidence import Evidence

if TYPE_CHECKING:
    from .backends.registry import BackendRegistry
    from .language.grammar import GrammarLibrary
    from .settings.store import SettingsStore
    from .supervisor.mcp import HomeOverMcp
    from .supervisor.state_stream import StateStream
    from .supervisor.watcher import RegistryWatcher


@dataclass(frozen=True, slots=True)
class Services:
    """Handed to each request; tests replace single parts."""

    settings: SettingsStore
    grammars: GrammarLibrary
    backends: BackendRegistry
    traces: TraceStore
    homes: HomeCache = field(default_factory=HomeCache)
    finder: Finder = field(default_factory=lambda: Finder(lambda: False))
    """Finds devices for prompts; by their words alone unless told otherwise."""
    taught: LessonStore = field(default_factory=LessonStore)
    """What was taught in the panel."""
    confirmations: Confirmations = field(default_factory=Confirmations)
    evidence: Evidence = field(default_factory=Evidence)
    """What tells whether a device has followed."""
    registry: RegistryWatcher | None = None
    """What Home Assistant's registries tell; None without its token."""
    states: StateStream | None = None
    """What keeps `evidence.events` up to date; None without the token."""
    arrivals: Arrivals = field(default_factory=Arrivals)
    """Calls to the API, with a right key and with a wrong one."""
    real_home: HomeOverMcp | None = None
    """The home that the panel's "Try it" can ask for; None without Home Assistant's token."""
