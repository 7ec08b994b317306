"""How long devices take to report is kept over a restart, unless the person keeps no texts."""

from __future__ import annotations

from pathlib import Path

from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.settings.model import Diagnostics
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.verification.settle import MOST_ENTITIES, MOST_TIMES, SettleTimes, Settling

LAMP = Settling("light.attic", "Attic Lamp", ((1.5, 1.5), (0.5, 1.0)), 2)


async def after(path: Path, known: Settling, keep: Diagnostics) -> tuple[Settling, ...]:
    """What is there after a restart."""
    store = TraceStore(path, lambda: keep)
    store.start()
    store.keep_settling(known)
    trace = Trace("HA-Assist")
    trace.finish("answered", "Done")
    store.add(trace)
    await store.close(10)
    again = TraceStore(path, lambda: keep)
    again.start()
    try:
        return await again.settling()
    finally:
        await again.close(10)


async def test_it_is_kept(tmp_path: Path) -> None:
    assert await after(tmp_path / "d.sqlite", LAMP, Diagnostics()) == (LAMP,)
    newer = Settling("light.attic", "Attic Lamp", ((0.2, 0.2),))
    assert await after(tmp_path / "d.sqlite", newer, Diagnostics()) == (newer,)


async def test_without_texts_no_name_of_a_device_is_kept(tmp_path: Path) -> None:
    assert await after(tmp_path / "d.sqlite", LAMP, Diagnostics(keep_texts=False)) == ()
    assert await after(tmp_path / "d.sqlite", LAMP, Diagnostics()) == (LAMP,)
    assert await after(tmp_path / "d.sqlite", LAMP, Diagnostics(keep_texts=False)) == ()


async def test_clearing_forgets_it(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    await after(path, LAMP, Diagnostics())
    store = TraceStore(path)
    store.start()
    await store.clear()
    assert await store.settling() == ()
    await store.close(10)


def test_what_was_learned_since_the_start_counts() -> None:
    times = SettleTimes()
    times.reported("light.attic", "Attic Lamp", 0.3, 0.3)
    times.load([LAMP, Settling("light.hall", "Hall Lamp", ((0.1, 0.1),))])
    assert {one.entity: one.seconds for one in times.all()} == {"light.attic": 0.3, "light.hall": 0.1}


def test_it_is_bounded() -> None:
    times = SettleTimes()
    for number in range(MOST_ENTITIES + 50):
        for _ in range(MOST_TIMES + 2):
            times.reported(f"light.{number}", "Lamp", 1, 1)
    known = times.all()
    assert len(known) == MOST_ENTITIES
    assert all(len(one.times) == MOST_TIMES for one in known)


def test_the_first_wait_closes_in_on_a_time_that_only_reads_show() -> None:
    times, takes, delay = SettleTimes(), 0.8, 0.5
    waits = []
    for _ in range(8):
        wait = times.first_wait(["light.attic"]) or delay
        waits.append(wait)
        read_at, before = wait, 0.0
        while read_at < takes:
            read_at, before = read_at + delay, read_at
        times.reported("light.attic", "Attic Lamp", before, read_at)
    assert takes <= waits[-1] < takes + 0.2
    assert times.first_wait(["light.unknown"]) is None


def test_a_device_that_stays_silent_is_named_until_it_reports() -> None:
    times = SettleTimes()
    for _ in range(3):
        times.missed("light.attic", "Attic Lamp")
    assert [one.is_silent for one in times.all()] == [True]
    times.confirmed("light.attic")
    assert [one.is_silent for one in times.all()] == [False]
