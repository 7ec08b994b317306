"""Stored sentences run again: what is understood now, what other settings would change, what deserves a look."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.trial.replay import preview, replay, week_of
from tests.diagnostics.records import finished
from tests.support.house import House, body, thing

HOME = House((thing("Ceiling Light", "light", "Kitchen"), thing("Front Door", "lock", "Hall")), satellite="Kitchen")
GRAMMARS = GrammarLibrary()
SINCE = datetime.now(UTC) - timedelta(days=7)


@pytest.fixture
def services(tmp_path: Path) -> Services:
    store = SettingsStore(tmp_path, environ={})
    return Services(store, GRAMMARS, BackendRegistry(store), TraceStore())


def said(sentence: str, **more: object) -> Trace:
    return finished(sentence, request=json.dumps(body(HOME, sentence)).encode(), **more)  # type: ignore[arg-type]


async def test_misses_are_grouped_and_tried_again(services: Services) -> None:
    for _ in range(3):
        services.traces.add(said("Tell me a story", reason="not_recognised"))
    services.traces.add(said("Turn on the ceiling light", reason="not_recognised"))
    services.traces.add(said("turn on the Ceiling Light", reason="not_recognised"))
    services.traces.add(said("Is the front door locked?"))
    services.traces.add(said("Which one", reply="Which lamp?"))
    services.traces.add(said("An old one", reason="not_recognised", ago=timedelta(days=9)))
    week = await week_of(services.traces, SINCE)
    assert [(miss.latest.sentence, miss.kind, miss.count) for miss in week.misses] == [
        ("Tell me a story", "unmet", 3),
        ("turn on the Ceiling Light", "unmet", 2),
        ("Which one", "asked", 1),
    ]
    replayed = await replay([miss.latest for miss in week.misses], services)
    assert [one.before.sentence for one in replayed if one.understood_now] == ["turn on the Ceiling Light"]
    assert await services.traces.count() == 8, "nothing is recorded"


async def test_slow_devices_and_those_that_do_not_confirm_are_found(services: Services) -> None:
    def turn(name: str, seconds: float, verdict: str) -> None:
        for number in (0, 1):
            ago = timedelta(hours=1) - timedelta(seconds=seconds * number)
            trace = finished(f"turn on the {name}", rounds=number, conversation=f"{name} {seconds}", ago=ago, ms=5)
            if number:
                trace.reason, trace.verification = "verify_state", verdict
            else:
                trace.outcome = "called"
            services.traces.add(trace)

    turn("lamp", 0.4, "confirmed")
    turn("blind", 6.0, "confirmed")
    turn("fan", 1.0, "unconfirmed")
    turn("fan", 1.2, "confirmed")
    week = await week_of(services.traces, SINCE)
    assert [(one.target, one.turns, one.unconfirmed) for one in week.unconfirmed] == [("fan", 2, 1)]
    assert [one.target for one in week.slow] == ["blind"]
    assert week.slow[0].median_ms == pytest.approx(6005, abs=50)


async def test_what_other_settings_would_change_is_known_before(services: Services) -> None:
    services.traces.add(said("Turn on the celing light", reason="repaired_match"))
    services.traces.add(said("Turn on the ceiling light"))
    same = services.settings.current
    assert await preview(same, services) == []
    strict = services.settings.validated(
        {"settings.ha_assist_fuzzy_enabled": False, "settings.ha_assist_sentence_repair": False}
    )
    (changed,) = await preview(strict, services)
    assert changed.before.sentence == "Turn on the celing light"
    assert (changed.before.outcome, changed.after.outcome) == ("called", "asked")
    assert services.settings.current == same
    assert await services.traces.count() == 2
