"""Texts that are not to be kept are not on the disk, in whatever packing."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest

from ha_assist_addon.diagnostics.query import Filter
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.settings.model import Diagnostics
from tests.diagnostics.records import finished, private, until, written

WORD = "Zwiebelturm"


def everything_in(path: Path) -> bytes:
    """The bytes of all files, and what the packed values unpack to."""
    found = [file.read_bytes() for file in path.parent.iterdir()]
    connection = sqlite3.connect(path)
    for table, columns in {"details": "content", "bodies": "request, exchange"}.items():
        for row in connection.execute(f"SELECT {columns} FROM {table}"):
            found += [zlib.decompress(value) for value in row if value is not None]
    connection.close()
    return b"".join(found)


@pytest.mark.parametrize(
    ("keep", "sentence", "body"),
    [
        (Diagnostics(), True, True),
        (Diagnostics(keep_requests=False), True, False),
        (Diagnostics(keep_prompts=True), True, True),
        (Diagnostics(keep_texts=False), False, False),
        (Diagnostics(keep_texts=False, keep_prompts=True), False, False),
    ],
)
async def test_the_disk_holds_what_it_may(path: Path, keep: Diagnostics, sentence: bool, body: bool) -> None:
    store = TraceStore(path, lambda: keep)
    store.start()
    trace = private(WORD)
    store.add(trace)
    await written(store, 1)
    on_disk = everything_in(path)
    assert (WORD.encode() in on_disk) is sentence
    assert (b'{"messages": "' + WORD.encode() in on_disk) is body
    detail = await store.one(trace.id)
    assert detail is not None
    assert (detail.summary.sentence is not None) is sentence
    assert (detail.request is not None) is sentence, "the newest stay in memory unless texts are not kept at all"
    assert (WORD in str(detail)) is sentence
    assert detail.summary.total_ms > 0
    assert detail.spans
    assert detail.metrics["ha_route"]["reason"] == "exact_match"
    await store.close()


async def test_turning_it_off_takes_out_what_was_kept(path: Path) -> None:
    keep = [Diagnostics(keep_prompts=True)]
    store = TraceStore(path, lambda: keep[0])
    store.start()
    trace = private(WORD)
    store.add(trace)
    await written(store, 1)
    assert WORD.encode() in everything_in(path)

    keep[0] = Diagnostics(keep_requests=False)
    store.settings_changed()
    await until(lambda: b"messages" not in everything_in(path))
    assert await store.count(Filter(text=WORD)) == 1

    keep[0] = Diagnostics(keep_texts=False)
    store.settings_changed()
    await written(store, 0, Filter(text=WORD))
    detail = await store.one(trace.id)
    assert detail is not None
    assert WORD not in str(detail)
    assert await store.latest_bodies() == []
    await store.close()
    assert WORD.encode() not in everything_in(path)


async def test_turns_hold_together_without_texts(path: Path) -> None:
    store = TraceStore(path, lambda: Diagnostics(keep_texts=False))
    store.start()
    for rounds in (0, 1):
        for conversation in ("a", "b"):
            store.add(finished("lamp", rounds=rounds, conversation=conversation))
    await written(store, 4)
    assert [len(turn.requests) for turn in await store.turns()] == [2, 2]
    await store.close()
