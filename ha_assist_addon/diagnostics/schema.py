"""The tables of the kept requests, and how a file of an earlier version becomes one of this."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE requests (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        time REAL NOT NULL,
        turn INTEGER NOT NULL,
        conversation TEXT,
        sentence TEXT,
        reply TEXT,
        route TEXT NOT NULL,
        outcome TEXT NOT NULL,
        failed INTEGER NOT NULL,
        error TEXT,
        reason TEXT NOT NULL,
        why TEXT,
        target TEXT,
        intent TEXT,
        area TEXT,
        language TEXT,
        model TEXT,
        total_ms REAL NOT NULL,
        model_calls INTEGER NOT NULL,
        texts INTEGER NOT NULL,
        words TEXT NOT NULL
    );
    CREATE INDEX requests_time ON requests (time);
    CREATE INDEX requests_turn ON requests (turn);
    CREATE TABLE details (seq INTEGER PRIMARY KEY, content BLOB NOT NULL);
    CREATE TABLE bodies (seq INTEGER PRIMARY KEY, request BLOB, exchange BLOB);
    """,
    """
    CREATE TABLE homes (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, names BLOB NOT NULL);
    CREATE TABLE settling (
        entity TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        times TEXT NOT NULL,
        silent INTEGER NOT NULL,
        time REAL NOT NULL
    );
    """,
)
"""Each step takes a file from the version that is its index to the next; steps are only ever added."""

_BUSY_SECONDS = 5.0


class NewerFile(sqlite3.DatabaseError):
    """The file was written by a later version."""


def open_file(path: Path, migrations: Sequence[str] = MIGRATIONS) -> sqlite3.Connection:
    """Open for writing, create or migrate; raises sqlite3.Error or OSError."""
    path.touch(mode=0o600, exist_ok=True)
    connection = _connect(str(path))
    try:
        # Before the first table, or it has no effect: what retention frees goes back to the disk.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA cache_size = -512")
        connection.execute("PRAGMA journal_size_limit = 1048576")
        migrate(connection, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def open_memory() -> sqlite3.Connection:
    """The same tables in memory."""
    connection = _connect(":memory:")
    migrate(connection)
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection of a reader's own; the writer is not waited for."""
    connection = _connect(f"{path.absolute().as_uri()}?mode=ro")
    connection.execute("PRAGMA cache_size = -512")
    return connection


def migrate(connection: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring the tables to the latest version, each step whole or not at all."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(migrations):
        raise NewerFile(f"version {version}")
    for number, step in enumerate(migrations[version:], version + 1):
        connection.executescript(f"BEGIN IMMEDIATE; {step}; PRAGMA user_version = {number}; COMMIT;")


def _connect(where: str) -> sqlite3.Connection:
    return sqlite3.connect(
        where,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=where.startswith("file:"),
        cached_statements=32,
    )
