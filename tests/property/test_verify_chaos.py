"""Whatever happens to Home Assistant's events, no state from before an action confirms it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from tests.support.chaotic_events import switch_lamps
from tests.support.house import Pipeline

ACTIONS = 120
SPEED = 0.1


@pytest.mark.parametrize("with_events", [True, False])
async def test_nothing_is_confirmed_falsely(tmp_path: Path, with_events: bool) -> None:
    """`script/bench home --chaos 10000` does the same for longer."""
    environ = {
        "HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": "en",
        "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_DELAY": str(0.5 * SPEED),
    }
    store = SettingsStore(tmp_path, environ=environ)
    pipeline = Pipeline(tmp_path, "en")
    pipeline.services = Services(store, GrammarLibrary(), BackendRegistry(store), TraceStore())
    outcome = await switch_lamps(pipeline, ACTIONS, seed=7, lamps=12, speed=SPEED, with_events=with_events)
    assert outcome.actions == ACTIONS
    assert outcome.false_confirmations == []
    assert outcome.confirmed > ACTIONS / 4, "where nothing is confirmed, nothing is confirmed falsely"
    assert outcome.doubted > 0
