"""A crash of onnxruntime ends the process that it is in, which is not the server's."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest

from ha_assist_addon.retrieval import apart
from ha_assist_addon.retrieval.apart import MOST_CRASHES, Apart, ModelEnded
from ha_assist_addon.retrieval.embedder import MiniLm
from ha_assist_addon.retrieval.finder import Finder


@pytest.fixture
def model() -> Iterator[Apart]:
    model = Apart()
    yield model
    model.close()


def test_it_says_the_same_as_the_model_itself(model: Apart) -> None:
    texts = ["Desk Lamp", "", "\ud800", "x" * 5000, "Küche\n"]
    assert np.allclose(model.encode(texts), MiniLm().encode(texts), atol=1e-5)


def test_after_a_crash_it_starts_again_and_after_some_it_gives_up(model: Apart) -> None:
    for _ in range(MOST_CRASHES - 1):
        os.kill(model.pid, signal.SIGSEGV)
        assert model.encode(["Desk Lamp"]).shape == (1, 384)
    os.kill(model.pid, signal.SIGSEGV)
    with pytest.raises(ModelEnded, match="SIGSEGV"):
        model.encode(["Desk Lamp"])


def test_one_that_hangs_is_ended(model: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    first = model.pid
    os.kill(first, signal.SIGSTOP)
    monkeypatch.setattr(apart, "ENCODE_SECONDS", 0.2)
    monkeypatch.setattr(Apart, "_start", lambda self: (_ for _ in ()).throw(ModelEnded("not again")))
    with pytest.raises(ModelEnded, match="not again"):
        model.encode(["Desk Lamp"])
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


async def test_the_server_finds_devices_after_a_crash() -> None:
    finder = Finder(lambda: True)
    assert await finder.likeness("too dark", ["Desk Lamp"], "en", wait=60)
    embedder = finder._english._embedder
    assert isinstance(embedder, Apart)
    os.kill(embedder.pid, signal.SIGABRT)
    assert await finder.likeness("too cold", ["Heater"], "en", wait=60)
    pid = embedder.pid
    await finder.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
