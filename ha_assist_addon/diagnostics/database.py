"""Where the rows are: in a file, or in memory as long as the file cannot be used. Methods may wait for the disk."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from ..settings.model import Diagnostics
from ..verification.settle import Settling
from . import rows, settling_rows
from .rows import Packed
from .schema import NewerFile, open_file, open_for_reading, open_memory

FILE_NAME = "diagnostics.sqlite"
LARGEST_FILE = 64 * 1024 * 1024
MOST_IN_MEMORY = 500
TURNS_WITH_BODIES = 500
MOST_BODY_BYTES = 16 * 1024 * 1024
"""Compressed; a home of a thousand devices makes about 20 kB a request."""
RETRY_SECONDS = 30.0
_DAY = 86400.0
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_FULL = frozenset({sqlite3.SQLITE_FULL})
_LOGGER = logging.getLogger(__name__)
T = TypeVar("T")


class Database:
    """Written by one thread, read by any; a fault of the file is never raised, it becomes `problem`."""

    def __init__(self, path: Path | None, *, largest: int = LARGEST_FILE, retry_seconds: float = RETRY_SECONDS) -> None:
        self.problem: str | None = None
        """One sentence while the file cannot be used, so that new requests are kept in memory only."""
        self.cause = ""
        """`full`, `read_only` or `unusable` while there is a problem: it names the sentence in another language."""
        self.path = path
        self._largest = largest
        self._retry_seconds = retry_seconds
        self._retry_at = 0.0
        self._suspect: sqlite3.Error | None = None
        """What a reader found, for the writer to act on."""
        self._file: sqlite3.Connection | None = None
        self._memory: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        """Around the connection of memory, which readers share with the writer."""
        if path is None:
            self._memory = open_memory()

    def open(self) -> None:
        """Open the file, or go on in memory."""
        if self.path is not None and self._file is None and self._memory is None:
            try:
                self._file = self._opened(self.path)
            except (sqlite3.Error, OSError) as error:
                self._fall_back(error)

    def last_seq(self) -> int:
        """The highest `seq` there is, 0 without requests."""
        return self.read(lambda c: int(c.execute("SELECT coalesce(max(seq), 0) FROM requests").fetchone()[0]), 0)

    def write(self, batch: Sequence[Packed]) -> None:
        """Keep them, all at once."""

        def work(connection: sqlite3.Connection) -> None:
            for packed in batch:
                rows.insert(connection, packed)

        self._change(work)

    def write_settling(self, known: Sequence[Settling]) -> None:
        """Keep how long these devices take to report."""
        self._change(lambda connection: settling_rows.write(connection, known))

    def prune(self, keep: Diagnostics) -> None:
        """Take out what is too old, too much, or not to be kept any more."""
        most = keep.keep_count if self._memory is None else min(keep.keep_count, MOST_IN_MEMORY)
        oldest = time.time() - keep.keep_days * _DAY

        def work(connection: sqlite3.Connection) -> None:
            limit = "(SELECT seq FROM requests ORDER BY seq DESC LIMIT 1 OFFSET ?)"
            connection.execute(f"DELETE FROM requests WHERE time < ? OR seq <= {limit}", (oldest, most))  # noqa: S608
            connection.execute("DELETE FROM settling WHERE time < ?", (oldest,))
            while self._used(connection) > self._largest:
                shrunk = connection.execute(
                    "DELETE FROM requests WHERE seq <= (SELECT seq FROM requests ORDER BY seq LIMIT 1 "
                    "OFFSET (SELECT count(*) / 10 FROM requests))"
                )
                _delete_orphans(connection)
                if not shrunk.rowcount:
                    break
            connection.execute("DELETE FROM homes WHERE seq < (SELECT coalesce(min(seq), ?) FROM requests)", (2**62,))
            if not keep.keep_texts:
                connection.execute("DELETE FROM homes")
                connection.execute("DELETE FROM settling")
                connection.execute("DELETE FROM details WHERE seq IN (SELECT seq FROM requests WHERE texts)")
                connection.execute(
                    "UPDATE requests SET conversation = NULL, sentence = NULL, reply = NULL, why = NULL, "
                    "target = NULL, area = NULL, words = '', texts = 0 WHERE texts"
                )
            if not keep.keep_texts or not (keep.keep_prompts or keep.keep_requests):
                connection.execute("DELETE FROM bodies")
            elif not keep.keep_prompts:
                _prune_bodies(connection)
            _delete_orphans(connection)

        self._change(work)
        self._shrink()

    def clear(self) -> None:
        """Forget everything; where the file cannot be emptied it is removed."""

        def work(connection: sqlite3.Connection) -> None:
            for table in ("requests", "details", "bodies", "homes", "settling"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names

        self._change(work)
        if self.path is not None:
            with suppress(OSError):
                _aside(self.path).unlink(missing_ok=True)
                if self.problem is not None:
                    _remove(self.path)
        self._shrink()

    def read(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run a query; `otherwise` where the file fails in the middle of it."""
        try:
            with self._reading() as connection:
                return work(connection)
        except (sqlite3.Error, zlib.error, ValueError, OverflowError) as error:
            # At the start the writer may still be about to make the tables; a number may be too large for SQLite.
            _LOGGER.debug("The kept requests cannot be read: %s", error)
            if isinstance(error, sqlite3.Error) and _code(error) in _BROKEN:
                self._suspect = error
            return otherwise

    def close(self) -> None:
        """Leave one tidy file behind."""
        for connection in (self._file, self._memory):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()
        self._file = None

    @property
    def wake_after(self) -> float | None:
        """Seconds until the file should be tried again; None while nothing is wrong."""
        return None if self.problem is None else max(0.0, self._retry_at - time.monotonic())

    def recover(self) -> None:
        """Try the file again if it is time, and bring into it what memory has collected."""
        if self._suspect is not None and self._file is not None:
            self._fall_back(self._suspect)
        self._suspect = None
        if self.path is None or self.problem is None or time.monotonic() < self._retry_at:
            return
        try:
            connection = self._opened(self.path)
        except (sqlite3.Error, OSError) as error:
            self._fall_back(error)
            return
        with self._lock:
            memory = self._memory
            try:
                if memory is not None:
                    rows.copy_newest(memory, connection, MOST_IN_MEMORY)
            except sqlite3.Error as error:
                connection.close()
                self._explain(error)
                return
            self._file, self._memory, self.problem = connection, None, None
            if memory is not None:
                memory.close()
        _LOGGER.info("The requests are recorded in %s again", self.path)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._memory is not None:
                yield self._memory
                return
        # Before the writer has opened the file there is nothing to read.
        path = self.path if self.path is not None and self.path.exists() else None
        connection = open_for_reading(path) if path is not None else open_memory()
        try:
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()

    def _change(self, work: Callable[[sqlite3.Connection], object]) -> None:
        self.open()
        if self._file is not None:
            try:
                _transaction(self._file, work)
            except sqlite3.Error as error:
                self._fall_back(error)
            else:
                return
        with self._lock:
            if self._memory is not None:
                _transaction(self._memory, work)

    def _opened(self, path: Path) -> sqlite3.Connection:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return open_file(path)
        except sqlite3.DatabaseError as error:
            if _code(error) not in _BROKEN and not isinstance(error, NewerFile):
                raise
            _LOGGER.warning("%s cannot be read (%s); it is set aside, and recording starts anew", path, error)
            _set_aside(path)
            return open_file(path)

    def _fall_back(self, error: Exception) -> None:
        """Go on in memory, with the newest requests of the file as far as they can be read."""
        memory = self._memory or open_memory()
        if self._memory is None and self._file is not None:
            with suppress(sqlite3.Error):
                rows.copy_newest(self._file, memory, MOST_IN_MEMORY)
        if self._file is not None:
            with suppress(sqlite3.Error):
                self._file.close()
        with self._lock:
            self._file, self._memory = None, memory
        self._explain(error)
        if self.path is not None and _code(error) in _BROKEN:
            # What can be saved of it is in memory by now.
            with suppress(OSError):
                _set_aside(self.path)
            self._retry_at = 0.0

    def _explain(self, error: Exception) -> None:
        self._retry_at = time.monotonic() + self._retry_seconds
        sentence = f"The requests are kept in memory only, because {_reason(error)}."
        if sentence != self.problem:
            _LOGGER.warning("%s", sentence)
        self.problem, self.cause = sentence, _cause(error)

    def _used(self, connection: sqlite3.Connection) -> int:
        pages, free, size = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def _shrink(self) -> None:
        if self._file is not None:
            # With a reader in the way it is done the next time.
            with suppress(sqlite3.Error):
                # A plain `execute` would free one page: it ends at the first row that has no columns.
                self._file.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")


def _transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], object]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _delete_orphans(connection: sqlite3.Connection) -> None:
    for table in ("details", "bodies"):
        connection.execute(f"DELETE FROM {table} WHERE seq NOT IN (SELECT seq FROM requests)")  # noqa: S608


def _prune_bodies(connection: sqlite3.Connection) -> None:
    """Leave the requests of the newest turns as they came, and nothing of what a model was asked."""
    connection.execute("UPDATE bodies SET exchange = NULL WHERE exchange IS NOT NULL")
    connection.execute(
        "DELETE FROM bodies WHERE request IS NULL OR seq < "
        "(SELECT coalesce(min(turn), 0) FROM (SELECT DISTINCT turn FROM requests ORDER BY turn DESC LIMIT ?))",
        (TURNS_WITH_BODIES,),
    )
    connection.execute(
        "DELETE FROM bodies WHERE seq IN (SELECT seq FROM "
        "(SELECT seq, sum(length(request)) OVER (ORDER BY seq DESC) AS total FROM bodies) WHERE total > ?)",
        (MOST_BODY_BYTES,),
    )


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}.broken")


def _set_aside(path: Path) -> None:
    """One such file is kept, for whoever wants to look."""
    path.replace(_aside(path))
    _remove(path)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _code(error: BaseException) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _cause(error: Exception) -> str:
    if _code(error) in _FULL or getattr(error, "errno", None) == errno.ENOSPC:
        return "full"
    if _code(error) == sqlite3.SQLITE_READONLY or getattr(error, "errno", None) == errno.EROFS:
        return "read_only"
    return "unusable"


def _reason(error: Exception) -> str:
    match _cause(error):
        case "full":
            return "the disk is full"
        case "read_only":
            return "the disk cannot be written"
    if isinstance(error, OSError):
        return f"the file cannot be used ({os.strerror(error.errno) if error.errno else error})"
    return f"the file cannot be used ({error})"
