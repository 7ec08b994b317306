"""How long devices take to report, as rows."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable

from ..verification.settle import MOST_ENTITIES, Settling


def write(connection: sqlite3.Connection, known: Iterable[Settling]) -> None:
    """Put these in the place of what was kept of the same entities, within the caller's transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO settling VALUES (?, ?, ?, ?, ?)",
        [(one.entity, one.name, json.dumps(one.times), one.silent, time.time()) for one in known],
    )
    connection.execute(
        "DELETE FROM settling WHERE entity NOT IN (SELECT entity FROM settling ORDER BY time DESC LIMIT ?)",
        (MOST_ENTITIES,),
    )


def read(connection: sqlite3.Connection) -> tuple[Settling, ...]:
    """All, the one that was written last at the end."""
    rows = connection.execute("SELECT entity, name, times, silent FROM settling ORDER BY time")
    return tuple(
        Settling(entity, name, tuple((float(low), float(high)) for low, high in json.loads(times)), silent)
        for entity, name, times, silent in rows
    )
