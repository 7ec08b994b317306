"""Loading a grammar holds nobody up but those who need it, and what a home speaks stays."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any

import pytest

from ha_assist_addon import app
from ha_assist_addon.language.grammar import Grammar, GrammarLibrary
from ha_assist_addon.language.loads import Usage


async def test_all_who_need_a_grammar_share_one_load(monkeypatch: pytest.MonkeyPatch) -> None:
    library, threads = GrammarLibrary(), set[int]()
    real = Grammar.__init__

    def made(self: Grammar, *what: Any) -> None:
        threads.add(threading.get_ident())
        real(self, *what)

    monkeypatch.setattr(Grammar, "__init__", made)
    waiting = [asyncio.create_task(library.loads.grammar("tr")) for _ in range(30)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    found = await asyncio.gather(*waiting[1:])
    assert len(threads) == 1
    assert threads.isdisjoint({threading.get_ident()})
    assert len(set(map(id, found))) == 1
    assert found[0] is library.get("tr")


async def test_a_load_that_waits_takes_no_thread_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """More languages at once than asyncio has threads, and none of them comes."""
    library, go_on = GrammarLibrary(), threading.Event()
    monkeypatch.setattr(library, "get", lambda _language: go_on.wait(20) and None)
    loads = [asyncio.create_task(library.loads.grammar(f"x{number}")) for number in range(50)]
    await asyncio.sleep(0)
    async with asyncio.timeout(20):
        assert await asyncio.to_thread(lambda: True)
        assert await library.loads.detector(("tr",)) is library.detector(("tr",))
    go_on.set()
    assert await asyncio.gather(*loads) == [None] * 50


async def test_a_load_that_fails_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    library = GrammarLibrary()
    with monkeypatch.context() as patched:
        patched.setattr(library, "get", lambda _language: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await library.loads.grammar("tr")
    assert await library.loads.grammar("tr") is not None


async def test_between_two_that_go_on_the_loop_comes_round() -> None:
    """However many are ready at once, whoever asks for the server's health is in between."""
    library = GrammarLibrary()
    await library.loads.grammar("tr")
    seen: list[str] = []

    async def reader() -> None:
        await library.loads.grammar("tr")
        seen.append("reader")

    async def health() -> None:
        while len(seen) < 60:
            seen.append("health")
            await asyncio.sleep(0)

    readers = [asyncio.create_task(reader()) for _ in range(20)]
    await asyncio.gather(health(), *readers)
    first, last = seen.index("reader"), len(seen) - 1 - seen[::-1].index("reader")
    between = seen[first:last]
    assert between.count("health") >= 18
    readers[0] = asyncio.create_task(reader())
    readers[1] = asyncio.create_task(reader())
    readers[1].cancel()
    await asyncio.wait(readers[:2])
    await asyncio.wait_for(reader(), 5)


def test_what_is_used_often_stays() -> None:
    library = GrammarLibrary(limit=2)
    for _ in range(5):
        assert library.get("tr")
    for language in ("uk", "sk", "cs"):
        assert library.get(language)
        assert library.in_memory("tr")
        assert library.in_memory(language)


def test_what_was_used_long_ago_counts_less() -> None:
    usage = Usage()
    for _ in range(900):
        usage.count("de")
    for _ in range(3000):
        usage.count("en")
    for _ in range(300):
        usage.count("fr")
    assert usage.least(["de", "en", "fr"]) == "de"


def test_no_load_looks_through_all_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would stop everybody for half a second."""
    looked: list[int] = []

    def collect(generation: int = 2) -> int:
        looked.append(generation)
        return 0

    monkeypatch.setattr(gc, "collect", collect)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    GrammarLibrary(on_load=app.set_aside).get("tr")
    assert looked
    assert max(looked) < 2
