"""Modules of the integration that need no Home Assistant, loaded without what its package does."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from tests.support.shared import ROOT

_PACKAGE = "_pure"


@cache
def load_pure(name: str) -> Any:
    """`custom_components/ha_assist/<name>.py`, which may import others of its kind."""
    if _PACKAGE not in sys.modules:
        package = ModuleType(_PACKAGE)
        package.__path__ = [str(ROOT / "custom_components/ha_assist")]
        sys.modules[_PACKAGE] = package
    return import_module(f"{_PACKAGE}.{name}")
