# ruff: noqa: ASYNC220, ASYNC221, ASYNC240 - nothing else runs in these loops
"""Whatever happens to the file or the process: requests go on, what was written stays, and the panel can say so."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from datetime import timedelta
from pathlib import Path

import pytest

from ha_assist_addon.diagnostics import schema
from ha_assist_addon.diagnostics.query import Filter
from ha_assist_addon.diagnostics.schema import open_file
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.settings.model import Diagnostics
from tests.diagnostics.records import finished, until, written
from tests.support.shared import ROOT


async def stored(path: Path, *sentences: str) -> None:
    store = TraceStore(path)
    store.start()
    for sentence in sentences:
        store.add(finished(sentence))
    await store.close()


async def test_closing_writes_what_is_left_and_tidies_up(path: Path) -> None:
    await stored(path, *map(str, range(100)))
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.stat().st_mode & 0o077 == 0
    store = TraceStore(path)
    assert await store.count() == 100
    await store.close()


async def test_a_killed_process_leaves_what_it_had_written(path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import asyncio, pathlib
        from ha_assist_addon.diagnostics.store import TraceStore
        from tests.diagnostics.records import finished

        async def main():
            store = TraceStore(pathlib.Path({str(path)!r}))
            store.start()
            with store.subscribe() as live:
                number = 0
                async def write():
                    nonlocal number
                    while True:
                        store.add(finished(f"sentence {{number}}"))
                        number += 1
                        await asyncio.sleep(0.0005)
                task = asyncio.create_task(write())
                async for summary in live:
                    print(summary.sentence, flush=True)

        asyncio.run(main())
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told: list[str] = []
    for line in process.stdout:
        told.append(line.strip())
        if len(told) == 300:
            process.send_signal(signal.SIGKILL)
    assert process.wait(10) == -signal.SIGKILL
    process.stdout.close()

    store = TraceStore(path)
    store.start()
    count = await store.count()
    assert count >= len(told) >= 300
    kept = await store.newest(limit=500)
    assert {*told} <= {summary.sentence for summary in kept} | {f"sentence {n}" for n in range(count - 500)}
    store.add(finished("afterwards"))
    await written(store, count + 1)
    assert store.problem is None
    await store.close()


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\x00" + b"\xff" * 5000])
async def test_a_file_that_is_no_database_is_set_aside(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    await stored(path, "anew")
    assert path.with_name(f"{path.name}.broken").read_bytes() == content
    assert await TraceStore(path).count() == 1


async def test_a_file_that_breaks_is_replaced_while_requests_go_on(path: Path) -> None:
    await stored(path, *(f"{n} {'x' * 1500}" for n in range(300)))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    store = TraceStore(path, retry_seconds=0.01)
    store.start()
    assert await store.newest() == ()
    for number in range(5):
        store.add(finished(f"after {number}"))
        await asyncio.sleep(0.1)
    await until(lambda: store.problem is None)
    await written(store, 5, Filter(text="after"))
    await store.close()
    assert path.with_name(f"{path.name}.broken").exists()


async def test_where_the_file_cannot_be_memory_helps_out_until_it_can(path: Path) -> None:
    path.mkdir()
    store = TraceStore(path, retry_seconds=0.05)
    store.start()
    for number in range(3):
        store.add(finished(f"early {number}"))
    await until(lambda: "in memory only" in str(store.problem))
    await written(store, 3)
    path.rmdir()
    await until(lambda: store.problem is None)
    store.add(finished("late"))
    await written(store, 4)
    await store.close()
    assert [s.sentence for s in await TraceStore(path).newest()] == ["late", "early 2", "early 1", "early 0"]


async def test_a_full_disk_stops_recording_and_nothing_else(tmp_path: Path) -> None:
    """A limit on the size of files is as near to a full disk as a process can bring itself."""
    program = textwrap.dedent(
        f"""
        import asyncio, pathlib, resource, signal
        from ha_assist_addon.diagnostics.store import TraceStore
        from tests.diagnostics.records import finished, until, written

        async def main():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            path = pathlib.Path({str(tmp_path / "diagnostics.sqlite")!r})
            store = TraceStore(path, retry_seconds=0.05)
            store.start()
            for number in range(20):
                store.add(finished(f"before {{number}}"))
            await written(store, 20)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, resource.RLIM_INFINITY))
            for number in range(30):
                store.add(finished(f"meanwhile {{number}}"))
            await until(lambda: "in memory only" in str(store.problem))
            await written(store, 50)
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            await until(lambda: store.problem is None)
            store.add(finished("after"))
            await written(store, 51)
            await store.close()
            print(await TraceStore(path).count())

        asyncio.run(main())
        """
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.stdout.strip(), ran.returncode) == ("51", 0), ran.stderr


async def test_what_is_old_or_too_much_is_taken_out(path: Path) -> None:
    keep = Diagnostics(keep_days=2, keep_count=100)
    store = TraceStore(path, lambda: keep)
    store.start()
    for number in range(30):
        store.add(finished(f"old {number}", ago=timedelta(days=3)))
    for number in range(250):
        store.add(finished(f"new {number}"))
    await written(store, 1, Filter(text="249"))
    store.settings_changed()
    await written(store, 100)
    assert [s.sentence for s in await store.newest(limit=1)] == ["new 249"]
    assert await store.count(Filter(text="old")) == 0
    await store.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM details").fetchone() == (100,)
    connection.close()


async def test_the_file_stays_within_its_size(path: Path) -> None:
    largest = 400_000
    store = TraceStore(path, lambda: Diagnostics(keep_prompts=True), largest=largest)
    store.start()
    for number in range(400):
        store.add(finished(f"{number}", request=os.urandom(4000)))
        if number % 50 == 49:
            await asyncio.sleep(0.1)
    await store.close()
    store = TraceStore(path, largest=largest)
    store.start()
    await store.close()
    assert 0 < path.stat().st_size <= largest * 1.1
    assert [s.sentence for s in await TraceStore(path).newest(limit=1)] == ["399"]


async def test_an_earlier_file_is_brought_up_to_date(path: Path) -> None:
    await stored(path, "first")
    later = (*schema.MIGRATIONS, "ALTER TABLE requests ADD COLUMN mood TEXT; UPDATE requests SET mood = 'fine'")
    open_file(path, later).close()
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT sentence, mood FROM requests").fetchall() == [("first", "fine")]
    assert connection.execute("PRAGMA user_version").fetchone() == (len(later),)
    connection.close()


def test_a_step_that_fails_changes_nothing(path: Path) -> None:
    open_file(path).close()
    with pytest.raises(sqlite3.OperationalError):
        open_file(path, (*schema.MIGRATIONS, "ALTER TABLE requests ADD COLUMN mood TEXT; SELECT nonsense"))
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
    assert "mood" not in {row[1] for row in connection.execute("PRAGMA table_info(requests)")}
    connection.close()


async def test_a_file_of_a_later_version_is_left_alone(path: Path) -> None:
    open_file(path, (*schema.MIGRATIONS, "CREATE TABLE moods (mood TEXT)")).close()
    await stored(path, "anew")
    assert path.with_name(f"{path.name}.broken").exists()
    assert await TraceStore(path).count() == 1
