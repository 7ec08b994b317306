"""Fetches one file: resumes, waits and tries again, checks room and content, and leaves a whole file or none."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import aiohttp

from .. import __version__
from .catalogue import Release
from .errors import DownloadFailed, NetworkFailed, PartBusy, WrongContent
from .formats import Format, check_head
from .off_loop import off_loop
from .part import PartFile, part_of, read_origin
from .transfer import NETWORK_FAULTS, Answer, ask, break_off

T = TypeVar("T")
_RATE_SECONDS = 10.0
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and bytes; `attempts` is how many in a row may fail without `worthwhile` bytes in between."""

    connect: float = 30
    silence: float = 60
    attempts: int = 10
    first_wait: float = 2
    longest_wait: float = 120
    busy_wait: float = 2
    chunk: int = 1 << 20
    worthwhile: int = 1 << 20
    check_every: int = 64 << 20
    """After so many bytes the disk is synchronised and its room looked at."""
    reserve: int = 256 << 20
    """Room that a download leaves on the disk."""


class Progress:
    """How far a download is, in bytes, and how fast it was in the last seconds."""

    def __init__(self) -> None:
        self.done = 0
        self.total: int | None = None
        self._seen: deque[tuple[float, int]] = deque()

    def at(self, done: int, total: int | None) -> None:
        """Note how much is on the disk."""
        now = time.monotonic()
        if done < self.done:
            self._seen.clear()
        self.done, self.total = done, total
        self._seen.append((now, done))
        while now - self._seen[0][0] > _RATE_SECONDS:
            self._seen.popleft()

    @property
    def share(self) -> float | None:
        """From 0 to 1, None while the size is unknown."""
        return min(self.done / self.total, 1.0) if self.total else None

    @property
    def bytes_per_second(self) -> float | None:
        """None while nothing comes."""
        if len(self._seen) < 2 or time.monotonic() - self._seen[-1][0] > _RATE_SECONDS:
            return None
        (began, before), (ended, after) = self._seen[0], self._seen[-1]
        return (after - before) / (ended - began) if ended > began else None


class Download:
    """One run for one file; when it ends early, the next one goes on where it stopped."""

    def __init__(self, release: Release, target: Path, expected: Format, limits: Limits | None = None) -> None:
        self._release = release
        self._target = target
        self._format = expected
        self._limits = limits or Limits()
        self._checked_at = 0
        self.progress = Progress()
        self.note = ""
        """Why nothing moves at the moment; one sentence, or empty."""

    async def run(self) -> None:
        """Fetch, check and put in place; raises DownloadFailed."""
        part = await self._open()
        if part is None:
            return
        try:
            if not await off_loop(self._target.exists):
                await self._fetch_whole(part)
        finally:
            await off_loop(part.close)

    async def _open(self) -> PartFile | None:
        """The part, as soon as nobody else writes it; None when the file is there meanwhile."""
        await self._disk(lambda: self._target.parent.mkdir(parents=True, exist_ok=True))
        while True:
            try:
                # A moment's work; left to a thread, a cancelled download could leave the lock behind.
                return PartFile(self._target)
            except PartBusy:
                self.note = f"{self._target.name} is being fetched by another process."
                self._look_on()
            except OSError as error:
                raise self._disk_failed(error) from error
            await asyncio.sleep(self._limits.busy_wait)
            if await off_loop(self._target.exists):
                return None

    def _look_on(self) -> None:
        """Tell how far the other process is."""
        origin = read_origin(self._target)
        with suppress(OSError):
            self.progress.at(part_of(self._target).stat().st_size, origin.size if origin else None)

    async def _fetch_whole(self, part: PartFile) -> None:
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=self._limits.connect, sock_read=self._limits.silence)
        session = aiohttp.ClientSession(
            timeout=timeout,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": f"HA-Assist/{__version__}"},
            auto_decompress=False,
        )
        async with session:
            resumed = part.size > 0
            await self._persist(session, part)
            if not self._as_published(part) and resumed:
                # An old piece may be what is wrong.
                await self._disk(part.clear)
                await self._persist(session, part)
        if not self._as_published(part):
            await self._disk(part.discard)
            raise DownloadFailed(
                f"{self._target.name} is not the file that was published: its hash is wrong. It was thrown away."
            )
        await self._check_content(part, part.head())
        await self._disk(part.finish)

    async def _persist(self, session: aiohttp.ClientSession, part: PartFile) -> None:
        """Ask until the part is whole, with growing pauses; raises DownloadFailed when nothing helps."""
        failures, farthest = 0, part.size
        while True:
            try:
                if await self._advance(session, part):
                    return
            except NetworkFailed as error:
                failures = 1 if part.size - farthest >= self._limits.worthwhile else failures + 1
                farthest = max(farthest, part.size)
                if failures >= self._limits.attempts:
                    raise DownloadFailed(
                        f"{error} After {failures} tries the download was given up; started again, "
                        "it goes on from here."
                    ) from error
                await self._pause(max(error.wait, self._wait_after(failures)), str(error))

    def _wait_after(self, failures: int) -> float:
        return min(self._limits.first_wait * 2.0 ** (failures - 1), self._limits.longest_wait)

    async def _pause(self, seconds: float, why: str) -> None:
        self.note = f"{why} The next try is in {max(round(seconds), 1)} s."
        await asyncio.sleep(seconds)
        self.note = ""

    async def _advance(self, session: aiohttp.ClientSession, part: PartFile) -> bool:
        """One request; True when the part is whole."""
        await self._prepare(part)
        if part.origin is not None and part.size and part.size == part.origin.size:
            return True
        async with ask(session, self._release.address, part.size, part.origin) as answer:
            if answer.complete:
                return True
            if answer.start is None:
                await self._disk(part.clear)
                raise NetworkFailed("The server does not go on where the download stopped, so it begins again.")
            if answer.start == 0:
                await self._disk(lambda: part.restart(answer.origin))
            elif answer.origin != part.origin:
                await self._disk(lambda: part.learn(answer.origin))
            await self._check_room(part)
            await self._receive(answer, part)
        self._refuse_unfinished(answer, part)
        return True

    async def _prepare(self, part: PartFile) -> None:
        """Keep only a beginning of which it can be told that the rest belongs to it."""
        if not part.size:
            return
        origin = part.origin
        known = origin is not None and origin.address == self._release.address
        sure = origin is not None and bool(origin.validator or self._release.sha256)
        if not (known and sure) or (origin is not None and origin.size is not None and part.size > origin.size):
            await self._disk(part.clear)
        elif not part.hashed:
            stop = threading.Event()
            await self._disk(lambda: part.rehash(stop), on_cancel=stop.set)
        self._note_progress(part)

    async def _receive(self, answer: Answer, part: PartFile) -> None:
        waiting = bytearray()
        self._note_progress(part)
        try:
            async for piece in answer.response.content.iter_any():
                waiting += piece
                if len(waiting) >= self._limits.chunk:
                    await self._store(part, bytes(waiting))
                    waiting.clear()
        except NETWORK_FAULTS as error:
            await self._store(part, bytes(waiting))
            raise break_off(error) from error
        await self._store(part, bytes(waiting))

    async def _store(self, part: PartFile, content: bytes) -> None:
        if not content:
            return
        if not part.size:
            await self._check_content(part, content)
        await self._disk(lambda: part.append(content))
        self._note_progress(part)
        if part.size - self._checked_at >= self._limits.check_every:
            await self._disk(part.sync)
            await self._check_room(part)

    async def _check_content(self, part: PartFile, head: bytes) -> None:
        try:
            check_head(self._format, head)
        except WrongContent as error:
            await self._disk(part.discard)
            raise DownloadFailed(f"What the server sent cannot be used. {error}") from error

    async def _check_room(self, part: PartFile) -> None:
        self._checked_at = part.size
        total = self._total(part)
        missing = max(total - part.size, 0) if total else 0
        free = await self._disk(lambda: free_bytes(self._target.parent))
        if free < missing + self._limits.reserve:
            raise DownloadFailed(
                f"There is too little room in {self._target.parent}: {amount(missing)} of {self._target.name} are to "
                f"come and {amount(free)} are free, of which {amount(self._limits.reserve)} stay for other things."
            )

    def _refuse_unfinished(self, answer: Answer, part: PartFile) -> None:
        size = part.origin.size if part.origin else None
        if size is not None and part.size < size:
            raise NetworkFailed("The connection broke off.")
        if size is not None and part.size > size:
            raise DownloadFailed("The server sent more than the file has.")
        if not part.size:
            raise DownloadFailed("The server sent nothing.")
        chunked = "chunked" in answer.response.headers.get("Transfer-Encoding", "").lower()
        if size is None and not chunked and not self._release.sha256:
            raise DownloadFailed("The server does not tell how long the file is, so nobody knows whether it is whole.")

    def _as_published(self, part: PartFile) -> bool:
        return self._release.sha256 in {None, part.sha256}

    def _total(self, part: PartFile) -> int | None:
        return part.origin.size if part.origin and part.origin.size else self._release.size

    def _note_progress(self, part: PartFile) -> None:
        self.note = ""
        self.progress.at(part.size, self._total(part))

    async def _disk(self, work: Callable[[], T], on_cancel: Callable[[], None] | None = None) -> T:
        try:
            return await off_loop(work, on_cancel=on_cancel)
        except OSError as error:
            raise self._disk_failed(error) from error

    def _disk_failed(self, error: OSError) -> DownloadFailed:
        folder = self._target.parent
        if error.errno in _NO_ROOM:
            return DownloadFailed(f"The disk of {folder} is full. Make room and start the download again.")
        reason = os.strerror(error.errno) if error.errno else str(error)
        return DownloadFailed(f"{folder} cannot be written to: {reason.lower()}.")


def free_bytes(folder: Path) -> int:
    """Room on a folder's disk for this process."""
    return shutil.disk_usage(folder).free


def amount(count: float) -> str:
    """Bytes as a person reads them: `2.6 GB`, `310 MB`."""
    if count >= 1e9:
        return f"{count / 1e9:.1f} GB"
    if count >= 1e6:
        return f"{count / 1e6:.0f} MB"
    return f"{count / 1e3:.0f} kB"
