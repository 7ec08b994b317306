"""Finds the captures and datasets that are too large for the project and stand beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def find_shared() -> Path | None:
    """HA_ASSIST_SHARED, else `../shared`; None where there is none."""
    folder = Path(os.environ.get("HA_ASSIST_SHARED") or ROOT.parent / "shared")
    return folder.resolve() if folder.is_dir() else None


SHARED = find_shared()

needs_shared = pytest.mark.skipif(
    SHARED is None, reason="no captures and datasets: put them in ../shared or name their folder in HA_ASSIST_SHARED"
)
