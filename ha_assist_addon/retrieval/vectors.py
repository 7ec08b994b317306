"""Vectors of texts, computed once each: in small batches, off the event loop, and kept by text."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from .apart import Apart
from .embedder import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_LOG = logging.getLogger(__name__)

_BATCH = 16
"""Texts encoded at once: a request that comes in between waits for this many at most."""


class VectorStore:
    """The vectors of one embedding model, which is loaded at the first use and given up when it cannot be.

    All requests share one worker, which outlives those that are cancelled. `most` and `most_bytes` bound what is kept,
    `most` what may be waiting too.
    """

    def __init__(
        self, load: Callable[[], Embedder], name: str, *, most: int = 4096, most_bytes: int = 16 * 1024 * 1024
    ) -> None:
        self.name = name
        self._load = load
        self._embedder: Embedder | None = None
        self._broken = False
        self._vectors: OrderedDict[str, Vector] = OrderedDict()
        self._bytes = 0
        self._most, self._most_bytes = most, most_bytes
        self._waiting: OrderedDict[str, None] = OrderedDict()
        self._encoding: frozenset[str] = frozenset()
        self._worker: asyncio.Task[None] | None = None
        self._progress: asyncio.Event = asyncio.Event()

    @property
    def broken(self) -> bool:
        """Whether the model cannot be loaded or has failed; it is not tried again."""
        return self._broken

    async def get(self, texts: Sequence[str], seconds: float) -> Mapping[str, Vector]:
        """The vectors that are there after `seconds` at most; the rest is computed for the next request."""
        wanted = tuple(dict.fromkeys(texts))
        found = {text: vector for text in wanted if (vector := self._kept(text)) is not None}
        missing = [text for text in wanted if text not in found]
        if missing and not self._broken:
            self._enqueue(missing)
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._settled(missing)
            found.update({text: vector for text in missing if (vector := self._kept(text)) is not None})
        return found

    async def settle(self) -> None:
        """Wait until nothing is left to compute."""
        if self._worker is not None:
            await asyncio.shield(self._worker)

    async def close(self) -> None:
        """End the worker; what it was encoding is finished first, since a thread cannot be stopped."""
        self._waiting.clear()
        await self.settle()
        if isinstance(self._embedder, Apart):
            await asyncio.to_thread(self._embedder.close)
        self._embedder = None

    def _kept(self, text: str) -> Vector | None:
        vector = self._vectors.get(text)
        if vector is not None:
            self._vectors.move_to_end(text)
        return vector

    def _enqueue(self, texts: Sequence[str]) -> None:
        """Ahead of what others still wait for, in their order, and each only once."""
        for text in reversed(texts):
            if text not in self._encoding:
                self._waiting[text] = None
                self._waiting.move_to_end(text, last=False)
        while len(self._waiting) > self._most:
            self._waiting.popitem()
        if self._worker is None or self._worker.done():
            self._progress = asyncio.Event()
            self._worker = asyncio.create_task(self._work(), name=f"vectors of {self.name}")

    async def _settled(self, texts: Iterable[str]) -> None:
        left = set(texts)
        while left := {t for t in left if t in self._waiting or t in self._encoding}:
            await self._progress.wait()

    async def _work(self) -> None:
        try:
            if self._embedder is None:
                self._embedder = await asyncio.to_thread(self._load)
            while self._waiting:
                batch = [self._waiting.popitem(last=False)[0] for _ in range(min(_BATCH, len(self._waiting)))]
                self._encoding = frozenset(batch)
                rows = await asyncio.to_thread(self._embedder.encode, batch)
                for text, row in zip(batch, rows, strict=True):
                    self._keep(text, row)
                self._encoding = frozenset()
                self._tell()
        except Exception as error:  # noqa: BLE001 - native code fails in its own ways; requests go on by words alone
            self._broken = True
            _LOG.warning("Devices are found by their words alone: %s cannot be used (%s).", self.name, error)
        finally:
            self._encoding = frozenset()
            if self._broken:
                self._waiting.clear()
            self._tell()

    def _tell(self) -> None:
        """Wake everybody who waits; the next wait is for the next progress."""
        self._progress.set()
        self._progress = asyncio.Event()

    def _keep(self, text: str, vector: Vector) -> None:
        self._vectors[text] = vector = vector.copy()  # a row of its own: a view would keep the whole batch alive
        self._bytes += vector.nbytes + len(text)
        while len(self._vectors) > self._most or self._bytes > self._most_bytes:
            old, dropped = self._vectors.popitem(last=False)
            self._bytes -= dropped.nbytes + len(old)
