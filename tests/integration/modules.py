"""Modules of the integration that need no Home Assistant, loaded without its package."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from tests.support.shared import ROOT


@cache
def load_pure(name: str) -> Any:
    """`custom_components/ha_assist/<name>.py`."""
    spec = spec_from_file_location(f"_pure_{name}", ROOT / f"custom_components/ha_assist/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
