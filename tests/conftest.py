"""Settings of the whole test suite."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ha_assist_addon.language import compiled
from ha_assist_addon.language.grammar import GrammarLibrary
from tests.support.shared import ROOT, find_shared

# The same cases at every run: a red build must be about the change, not about luck.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure() -> None:
    """Compile once what nearly every test asks for, as an image does: each of them has a library of its own."""
    compiled.SHIPPED = ROOT / ".pytest_cache" / "compiled"
    library = GrammarLibrary(compiled=compiled.SHIPPED)
    library.detector()
    for language in ("en", "de"):
        library.get(language)


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder with captures and datasets that stands beside the project; without it the test is skipped."""
    found = find_shared()
    if found is None:
        pytest.skip("no captures and datasets: put them in ../shared or name their folder in HA_ASSIST_SHARED")
    return found
