"""The kept requests: taken without waiting, written by a thread of their own, read without stopping the event loop."""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from ..settings.model import Diagnostics
from ..trace.trace import Trace
from ..verification.settle import Settling
from . import rows, settling_rows
from .bodies import unpacked_body
from .database import LARGEST_FILE, RETRY_SECONDS, Database
from .keep import Entry, Kept, kept_of, without_texts
from .live import Subscription
from .overview import Overview, overview_of
from .query import EVERYTHING, Filter
from .running import Running, RunningRequests
from .summary import Detail, Facets, Neighbours, Route, Summary, Turn

LOGGER = logging.getLogger(__name__)
QUEUE = 500
MOST_QUEUED_BODIES = 50
"""With more before them than that, requests are recorded without their bodies: the memory is not the disk's."""
RECENT = 20
"""Requests whose bodies stay in memory, for running them again."""
GATHER_SECONDS = 0.05
"""How long the writer lets requests gather, so that a burst is one transaction."""
PRUNE_EVERY = 200
PRUNE_SECONDS = 3600.0
MOST_A_PAGE = 500
TURN_SECONDS = 600.0
MOST_OPEN_TURNS = 64
T = TypeVar("T")


class TraceStore:
    """Keeps finished requests as long as the settings say; without a path in memory only, and at once."""

    def __init__(
        self,
        path: Path | None = None,
        keep: Callable[[], Diagnostics] = Diagnostics,
        *,
        largest: int = LARGEST_FILE,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._keep = keep
        self._database = Database(path, largest=largest, retry_seconds=retry_seconds)
        self._queue: queue.Queue[Entry | None] = queue.Queue(QUEUE)
        self._recent: deque[tuple[Kept, Route]] = deque(maxlen=RECENT)
        self._open_turns: dict[str, tuple[int, float]] = {}
        self._settling: dict[str, Settling] = {}
        """What the writer has not written yet."""
        self._settling_lock = threading.Lock()
        self._subscriptions: set[Subscription] = set()
        self._running = RunningRequests(lambda: self._publish((None,)))
        self._seq = 0
        self._lost = 0
        self._since_prune = PRUNE_EVERY
        self._clearing: list[asyncio.Future[None]] = []
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    # --- what requests do

    def begin(self, trace: Trace) -> None:
        """A request has arrived: until it is added it is listed as running."""
        self._running.begin(trace)

    def add(self, trace: Trace) -> None:
        """Keep a finished trace; never waits and never fails."""
        self._running.end(trace.id)
        entry = Entry.of(trace, body=self._queue.qsize() < MOST_QUEUED_BODIES)
        if self._database.path is None:
            self._take([entry])
            return
        try:
            self._queue.put_nowait(entry)
        except queue.Full:
            self._lost += 1

    def keep_settling(self, settling: Settling) -> None:
        """Write it with the next request; never waits and never fails."""
        with self._settling_lock:
            self._settling[settling.entity] = settling

    # --- life

    def start(self) -> None:
        """Begin to write what `add` collects."""
        if self._database.path is not None and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="diagnostics", daemon=True)
            self._thread.start()

    async def close(self, seconds: float = 2.0) -> None:
        """Write what is left, as far as the time allows."""
        self._closing.set()
        self._wake()
        for subscription in tuple(self._subscriptions):
            subscription.close()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, seconds)
        else:
            self._database.close()

    @property
    def problem(self) -> str | None:
        """One sentence for a person where requests are not recorded as they should be."""
        if self._lost:
            lost = f"{self._lost} requests were not recorded, because the disk is too slow."
            return f"{self._database.problem} {lost}" if self._database.problem else lost
        return self._database.problem

    @property
    def troubles(self) -> tuple[tuple[str, int], ...]:
        """The same as codes with a number: why only memory is used, and how many requests were lost."""
        causes = [(self._database.cause, 0)] if self._database.problem is not None else []
        return (*causes, *([("lost", self._lost)] if self._lost else []))

    # --- what readers ask

    async def newest(
        self, wanted: Filter = EVERYTHING, *, before: int | None = None, after: int | None = None, limit: int = 50
    ) -> tuple[Summary, ...]:
        """Requests, the newest first; `before` and `after` are the `seq` of one that is there already."""
        return await self._read(lambda c: rows.newest(c, wanted, before=before, after=after, limit=_page(limit)), ())

    async def turns(
        self, wanted: Filter = EVERYTHING, *, before: int | None = None, limit: int = 50
    ) -> tuple[Turn, ...]:
        """Turns of which a request passes the filter, each whole, the newest first; `before` is a `Turn.id`."""
        return await self._read(lambda c: rows.turns(c, wanted, before=before, limit=_page(limit)), ())

    async def one(self, request_id: str) -> Detail | None:
        """Everything that is kept of a request; its body may come from memory."""
        detail = await self._read(lambda c: rows.one(c, request_id), None)
        recent = next((kept for kept, _ in tuple(self._recent) if kept.record["id"] == request_id), None)
        if detail is None or recent is None:
            return detail
        return replace(detail, request=unpacked_body(recent.request), exchange=recent.exchange)

    async def count(self, wanted: Filter = EVERYTHING) -> int:
        """How many requests pass the filter."""
        return await self._read(lambda c: rows.count(c, wanted), 0)

    async def neighbours(self, request_id: str, wanted: Filter = EVERYTHING) -> Neighbours:
        """The next newer and the next older turn that pass the filter."""
        return await self._read(lambda c: rows.neighbours(c, request_id, wanted), Neighbours())

    async def newer_turns(self, turn: int, wanted: Filter = EVERYTHING, *, most: int) -> int:
        """How many turns that pass the filter are newer than one; counted up to `most`."""
        return await self._read(lambda c: rows.newer_turns(c, turn, wanted, most), 0)

    async def facets(self) -> Facets:
        """What the filters can choose among."""
        return await self._read(
            lambda c: Facets(*(rows.facet(c, name) for name in ("route", "outcome", "intent", "area", "language"))),
            Facets(),
        )

    async def overview(self, since: datetime, until: datetime | None = None) -> Overview:
        """Figures of a time range that ends at `until`, else now."""
        end = until or datetime.now(UTC)
        wanted = Filter(since=since, until=end)
        return await self._read(lambda c: overview_of(rows.measured(c, wanted), since, end), Overview(since, end))

    async def settling(self) -> tuple[Settling, ...]:
        """How long devices take to report, as it was kept."""
        return await self._read(settling_rows.read, ())

    async def latest_bodies(self, limit: int = RECENT) -> list[tuple[str, dict[str, Any]]]:
        """Ids and bodies of the newest requests to HA-Assist whose bodies are at hand, the newest first."""
        found = [
            (str(kept.record["id"]), body)
            for kept, _ in reversed(tuple(self._recent))
            if kept.record["metrics"]["ha_route"]["route"] != "physical"
            and (body := unpacked_body(kept.request)) is not None
        ]
        return found[:limit] or await self._read(lambda c: rows.latest_bodies(c, limit), [])

    def newest_first(self) -> Sequence[Mapping[str, Any]]:
        """The records of the newest requests, from memory."""
        return tuple(kept.record for kept, _ in reversed(tuple(self._recent)))

    def running(self) -> tuple[Running, ...]:
        """Requests that have not ended yet, the newest first."""
        return self._running.now(texts=self._keep().keep_texts)

    def subscribe(self) -> Subscription:
        """What happens from now on: `with store.subscribe() as live: async for summary in live`."""
        subscription = Subscription(self._subscriptions.discard)
        self._subscriptions.add(subscription)
        return subscription

    async def clear(self) -> None:
        """Forget every request, on disk and in memory; returns when it is done."""
        if self._thread is None or not self._thread.is_alive():
            self._forget()
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._clearing.append(done)
        self._wake()
        await done

    def settings_changed(self) -> None:
        """Apply the retention of the settings soon, rather than with the next requests."""
        self._since_prune = PRUNE_EVERY
        if self._thread is None:
            self._prune()
        else:
            self._wake()

    # --- the writer

    def _run(self) -> None:
        self._database.open()
        self._seq = self._database.last_seq()
        while True:
            try:
                self._prune()
                batch = self._gather()
                self._database.recover()
                self._take(batch)
            except Exception:
                LOGGER.exception("Some requests could not be recorded")
            self._clear_if_asked()
            if self._closing.is_set() and self._queue.empty():
                self._database.close()
                return

    def _gather(self) -> list[Entry]:
        """What there is, at the latest when the file or the retention wants to be looked at."""
        wait = self._database.wake_after
        try:
            found = [self._queue.get(timeout=PRUNE_SECONDS if wait is None else wait + 0.001)]
        except queue.Empty:
            self._since_prune = PRUNE_EVERY
            return []
        if found[0] is not None:
            self._closing.wait(GATHER_SECONDS)
        while True:
            try:
                found.append(self._queue.get_nowait())
            except queue.Empty:
                return [entry for entry in found if entry is not None]

    def _take(self, batch: Sequence[Entry]) -> None:
        if not batch:
            return
        keep = self._keep()
        packed = []
        for entry in batch:
            kept = kept_of(entry, keep)
            # The time keeps the order over restarts and over the change between file and memory.
            self._seq = max(self._seq + 1, time.time_ns() // 1000)
            turn = self._turn(entry, self._seq)
            row = rows.pack(
                kept, self._seq, turn, texts=keep.keep_texts, requests=keep.keep_requests, prompts=keep.keep_prompts
            )
            packed.append(row)
            self._recent.append((kept, row.summary.route))
        self._database.write(packed)
        self._write_settling(keep)
        self._since_prune += len(packed)
        self._publish(tuple(row.summary for row in packed))
        if self._thread is None:
            self._prune()

    def _write_settling(self, keep: Diagnostics) -> None:
        with self._settling_lock:
            known, self._settling = tuple(self._settling.values()), {}
        if known and keep.keep_texts:
            self._database.write_settling(known)

    def _publish(self, news: Sequence[Summary | None]) -> None:
        for subscription in tuple(self._subscriptions):
            subscription.publish(news)

    def _turn(self, entry: Entry, seq: int) -> int:
        """The first request of the turn: tool rounds in a request say that it goes on with one."""
        record, now = entry.record, time.monotonic()
        key = f"{record['conversation']}\n{record['sentence']}"
        rounds = record["metrics"].get("ha_history", {}).get("rounds", 0)
        first, last = self._open_turns.pop(key, (seq, now))
        if not rounds or now - last > TURN_SECONDS:
            first = seq
        self._open_turns[key] = (first, now)
        while len(self._open_turns) > MOST_OPEN_TURNS:
            self._open_turns.pop(next(iter(self._open_turns)))
        return first

    def _prune(self) -> None:
        if self._since_prune < PRUNE_EVERY:
            return
        self._since_prune = 0
        keep = self._keep()
        if not keep.keep_texts:
            self._recent = deque(((without_texts(kept), route) for kept, route in self._recent), RECENT)
        self._database.prune(keep)

    def _clear_if_asked(self) -> None:
        if not self._clearing:
            return
        asked, self._clearing = self._clearing, []
        self._forget()
        for done in asked:
            done.get_loop().call_soon_threadsafe(_resolve, done)

    def _forget(self) -> None:
        self._recent.clear()
        self._open_turns.clear()
        self._lost = 0
        with self._settling_lock:
            self._settling.clear()
        self._database.clear()

    def _wake(self) -> None:
        with suppress(queue.Full):  # then it is awake
            self._queue.put_nowait(None)

    async def _read(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        return await asyncio.to_thread(self._database.read, work, otherwise)


def _page(limit: int) -> int:
    return max(1, min(limit, MOST_A_PAGE))


def _resolve(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
