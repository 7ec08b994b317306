"""The vectors' cache: what is computed, how often, and what happens when time or the model gives out."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from ha_assist_addon.retrieval.finder import Finder
from ha_assist_addon.retrieval.vectors import VectorStore

LONG = 30.0


class Counting:
    """A model that counts what it encodes, and stands still while its gate is shut."""

    def __init__(self) -> None:
        self.encoded: list[str] = []
        self.threads: set[int] = set()
        self.gate = threading.Event()
        self.gate.set()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert self.gate.wait(LONG)
        self.threads.add(threading.get_ident())
        self.encoded.extend(texts)
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


async def test_each_text_is_encoded_once_and_off_the_event_loop() -> None:
    model = Counting()
    store = VectorStore(lambda: model, "a model")
    first = await store.get(["a", "bb", "a"], LONG)
    again = await store.get(["bb", "ccc"], LONG)
    assert set(first) == {"a", "bb"}
    assert again["ccc"].tolist() == [3.0, 1.0]
    assert sorted(model.encoded) == ["a", "bb", "ccc"]
    assert threading.get_ident() not in model.threads


async def test_two_requests_at_once_share_the_work() -> None:
    model = Counting()
    store = VectorStore(lambda: model, "a model")
    texts = [str(n) for n in range(100)]
    both = await asyncio.gather(store.get(texts, LONG), store.get(texts[::-1], LONG))
    assert set(both[0]) == set(both[1]) == set(texts)
    assert len(model.encoded) == 100


async def test_what_is_not_there_in_time_is_there_for_the_next_request() -> None:
    model = Counting()
    store = VectorStore(lambda: model, "a model")
    model.gate.clear()
    assert await store.get(["a", "b"], 0.01) == {}
    model.gate.set()
    await store.settle()
    assert set(await store.get(["a", "b"], 0)) == {"a", "b"}
    assert sorted(model.encoded) == ["a", "b"]


async def test_a_cancelled_request_leaves_the_work_to_go_on() -> None:
    model = Counting()
    store = VectorStore(lambda: model, "a model")
    model.gate.clear()
    request = asyncio.create_task(store.get(["a"], LONG))
    other = asyncio.create_task(store.get(["a", "b"], LONG))
    await asyncio.sleep(0.01)
    request.cancel()
    model.gate.set()
    assert set(await other) == {"a", "b"}
    with pytest.raises(asyncio.CancelledError):
        await request


async def test_a_new_sentence_comes_before_what_is_left_of_a_large_home() -> None:
    model = Counting()
    store = VectorStore(lambda: model, "a model")
    model.gate.clear()
    await store.get([str(n) for n in range(500)], 0.01)
    asked = asyncio.create_task(store.get(["the sentence"], LONG))
    await asyncio.sleep(0.01)
    model.gate.set()
    assert "the sentence" in await asked
    assert model.encoded.index("the sentence") < 50
    await store.close()


async def test_the_cache_is_bounded_in_number_and_size() -> None:
    model = Counting()
    few = VectorStore(lambda: model, "a model", most=10)
    for number in range(30):
        await few.get([str(number)], LONG)
    assert set(await few.get([str(n) for n in range(20, 30)], 0)) == {str(n) for n in range(20, 30)}
    assert len(model.encoded) == 30

    small = VectorStore(lambda: model, "a model", most_bytes=64)
    await small.get(["x" * 40], LONG)
    await small.get(["y" * 40], LONG)
    assert set(await small.get(["y" * 40], 0)) == {"y" * 40}
    before = len(model.encoded)
    await small.get(["x" * 40], LONG)
    assert len(model.encoded) == before + 1


async def test_closing_gives_up_what_is_left() -> None:
    model = Counting()
    store = VectorStore(lambda: model, "a model")
    model.gate.clear()
    await store.get([str(n) for n in range(500)], 0.01)
    model.gate.set()
    await store.close()
    assert len(model.encoded) < 500


def _broken() -> Counting:
    raise ImportError("this processor is too old")


class FailsLater(Counting):
    """A model that loads and then fails."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise RuntimeError("the model broke")


@pytest.mark.parametrize("load", [_broken, FailsLater])
async def test_a_model_that_cannot_be_used_is_told_once_and_never_fails_a_request(
    load: type[Counting], caplog: pytest.LogCaptureFixture
) -> None:
    finder = Finder(lambda: True, english=load)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert await finder.likeness("it is dark", ["Lamp", "Fan"], "en", wait=LONG) == {}
    assert len(caplog.records) == 1
    assert "words alone" in caplog.text


async def test_switched_off_nothing_is_loaded() -> None:
    finder = Finder(lambda: False, english=_broken, multilingual=_broken)
    assert await finder.likeness("it is dark", ["Lamp"], "en") == {}
    assert not finder.store("en").broken


async def test_a_store_works_in_a_second_event_loop() -> None:
    model = Counting()
    store = VectorStore(lambda: model, "a model")
    await store.get(["a"], LONG)
    found = await asyncio.to_thread(lambda: asyncio.run(store.get(["a", "b"], LONG)))
    assert set(found) == {"a", "b"}
