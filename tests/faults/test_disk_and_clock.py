"""Files that are cut off while they are written, folders that refuse, and a clock that jumps."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.settings.store import SettingsStore
from tests.diagnostics.records import finished, written
from tests.support.shared import ROOT

SAVER = textwrap.dedent(
    """
    import pathlib, sys
    from ha_assist_addon.settings.store import SettingsStore
    store = SettingsStore(pathlib.Path(sys.argv[1]), environ={})
    number = 0
    while True:
        number += 1
        store.save({"settings.ha_assist_queue": number % 9 + 1, "models.upstream.model": "m" * (number % 200 + 1)})
        if number == 3:
            print("ready", flush=True)
    """
)


def test_settings_survive_a_kill_while_they_are_saved(tmp_path: Path) -> None:
    for _ in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", SAVER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        with process:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGKILL)
        store = SettingsStore(tmp_path, environ={})
        assert store.problem is None
        model = store.current.models.upstream.model
        assert model is not None
        assert set(model) == {"m"}
    assert not list(tmp_path.glob("*.broken-*"))


@pytest.mark.parametrize("jump", [-3600.0, -40 * 365 * 86400.0])
async def test_the_order_survives_a_clock_that_jumps_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    store = TraceStore(tmp_path / "d.sqlite")
    store.start()
    store.add(finished("before"))
    await written(store, 1)
    now, nanoseconds = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: now() + jump)
    monkeypatch.setattr(time, "time_ns", lambda: nanoseconds() + int(jump * 1e9))
    store.add(finished("after"))
    await written(store, 2)
    await store.close()
    again = TraceStore(tmp_path / "d.sqlite")
    again.start()
    again.add(finished("after a restart"))
    await written(again, 3)
    assert [summary.sentence for summary in await again.newest()] == ["after a restart", "after", "before"]
    await again.close()
