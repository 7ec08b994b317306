"""Requests as rows: packed when written, read back as summaries and details."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast

from ..trace.trace import Exchange, Span
from .bodies import unpacked_body
from .keep import Kept
from .names import KnownNames, Names, names_of
from .overview import Measured
from .query import Filter
from .summary import Detail, Neighbours, Summary, Turn, detail_of, summary_of

LARGEST_DETAIL = 256 * 1024
"""Bytes of a request's metrics as JSON; where a model's answer makes them longer, its route and times are kept."""
_COLUMNS = tuple(f.name for f in fields(Summary))
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM requests"  # noqa: S608 - our own names
_FAULT = "CASE WHEN failed THEN coalesce(error, CASE outcome WHEN 'failed' THEN nullif(reason, '') END, outcome) END"
_ASKED_BY_NAME = "CASE reason WHEN 'physical_model' THEN 'physical' ELSE route END"
"""A failed request to a model by its name has the route `failed`."""
_MEASURED = f"turn, time, {_ASKED_BY_NAME}, outcome, model_calls, total_ms, {_FAULT}"
_TIME = _COLUMNS.index("time")


@dataclass(frozen=True, slots=True)
class Packed:
    """All rows of a request."""

    summary: Summary
    texts: bool
    words: str
    content: bytes
    request: bytes | None
    exchange: bytes | None
    home: tuple[str, bytes] | None = None
    """The names of its home, which many requests share, by their hash."""


def pack(kept: Kept, seq: int, turn: int, *, texts: bool, requests: bool, prompts: bool) -> Packed:
    """The rows of a request; `requests` lets its body in, `prompts` that and its exchange with the model."""
    summary = summary_of(kept.record, seq, turn)
    parts = (
        summary.sentence,
        summary.reply,
        summary.target,
        summary.intent,
        summary.area,
        summary.language,
        summary.route,
        summary.outcome,
        summary.reason,
        summary.error,
        summary.model,
    )
    # Without them nobody can replace them later: the body itself is kept only where prompts are.
    known = names_of(zlib.decompress(kept.request)) if texts and kept.request is not None else None
    return Packed(
        summary=summary,
        texts=texts,
        words="\n".join(part for part in parts if part).casefold(),
        content=_content(kept.record, known),
        home=_home(known),
        request=kept.request if requests or prompts else None,
        exchange=_squeezed(asdict(kept.exchange)) if prompts and kept.exchange is not None else None,
    )


def insert(connection: sqlite3.Connection, packed: Packed) -> None:
    """Write all rows of a request, within the caller's transaction."""
    summary = packed.summary
    values = {name: getattr(summary, name) for name in _COLUMNS}
    values.update(time=summary.time.timestamp(), failed=summary.failed, texts=packed.texts, words=packed.words)
    marks = ", ".join(f":{name}" for name in values)
    connection.execute(f"INSERT INTO requests ({', '.join(values)}) VALUES ({marks})", values)  # noqa: S608
    connection.execute("INSERT INTO details VALUES (?, ?)", (summary.seq, packed.content))
    if packed.home is not None:
        connection.execute(
            "INSERT INTO homes VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET seq = excluded.seq",
            (packed.home[0], summary.seq, packed.home[1]),
        )
    if packed.request is not None or packed.exchange is not None:
        connection.execute("INSERT INTO bodies VALUES (?, ?, ?)", (summary.seq, packed.request, packed.exchange))


def copy_newest(source: sqlite3.Connection, target: sqlite3.Connection, limit: int) -> None:
    """Carry the newest requests over; those that the target has stay as they are."""
    target.execute("BEGIN IMMEDIATE")
    try:
        for table in ("requests", "details", "bodies", "homes"):
            rows = source.execute(
                f"SELECT * FROM {table} WHERE seq >= "  # noqa: S608
                "(SELECT coalesce(min(seq), 0) FROM (SELECT seq FROM requests ORDER BY seq DESC LIMIT ?))",
                (limit,),
            ).fetchall()
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                target.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)  # noqa: S608
        target.execute("COMMIT")
    except BaseException:
        if target.in_transaction:
            target.execute("ROLLBACK")
        raise


def newest(
    connection: sqlite3.Connection, wanted: Filter, *, before: int | None, after: int | None, limit: int
) -> tuple[Summary, ...]:
    """Summaries, the newest first."""
    where, values = _where(wanted, before=before, after=after)
    rows = connection.execute(f"{_SELECT}{where} ORDER BY seq DESC LIMIT ?", (*values, limit))
    return tuple(map(_summary, rows))


def turns(connection: sqlite3.Connection, wanted: Filter, *, before: int | None, limit: int) -> tuple[Turn, ...]:
    """Turns of which at least one request passes the filter, each whole, the newest first."""
    where, values = _where(wanted, before=before, cursor="turn")
    found = connection.execute(
        f"SELECT turn FROM requests{where} GROUP BY turn ORDER BY turn DESC LIMIT ?",  # noqa: S608
        (*values, limit),
    ).fetchall()
    marks = ", ".join("?" * len(found))
    rows = connection.execute(f"{_SELECT} WHERE turn IN ({marks}) ORDER BY turn DESC, seq", [t for (t,) in found])
    groups: dict[int, list[Summary]] = {}
    for summary in map(_summary, rows):
        groups.setdefault(summary.turn, []).append(summary)
    return tuple(Turn(tuple(group)) for group in groups.values())


def count(connection: sqlite3.Connection, wanted: Filter) -> int:
    """How many requests pass the filter."""
    where, values = _where(wanted)
    return cast("int", connection.execute(f"SELECT count(*) FROM requests{where}", values).fetchone()[0])  # noqa: S608


def neighbours(connection: sqlite3.Connection, request_id: str, wanted: Filter) -> Neighbours:
    """The first requests of the turns around that of a request; nothing where the request is not kept."""
    row = connection.execute("SELECT turn FROM requests WHERE id = ?", (request_id,)).fetchone()
    if row is None:
        return Neighbours()
    found = []
    for limits, order in (({"after": row[0]}, "ASC"), ({"before": row[0]}, "DESC")):
        where, values = _where(wanted, **limits, cursor="turn")
        turn = f"SELECT turn FROM requests{where} ORDER BY turn {order} LIMIT 1"  # noqa: S608
        query = f"SELECT id FROM requests WHERE turn = ({turn}) ORDER BY seq LIMIT 1"  # noqa: S608
        found.append(connection.execute(query, values).fetchone())
    newer, older = (each[0] if each else None for each in found)
    return Neighbours(newer, older)


def newer_turns(connection: sqlite3.Connection, turn: int, wanted: Filter, most: int) -> int:
    """How many turns that pass the filter are newer, up to a number."""
    where, values = _where(wanted, after=turn, cursor="turn")
    query = f"SELECT count(*) FROM (SELECT DISTINCT turn FROM requests{where} LIMIT ?)"  # noqa: S608
    return cast("int", connection.execute(query, (*values, most)).fetchone()[0])


def facet(connection: sqlite3.Connection, column: str, most: int = 50) -> Mapping[str, int]:
    """The values of a column with their number."""
    query = (
        f"SELECT {column}, count(*) AS n FROM requests WHERE {column} IS NOT NULL GROUP BY 1 ORDER BY n DESC LIMIT ?"  # noqa: S608
    )
    return dict(connection.execute(query, (most,)).fetchall())


def measured(connection: sqlite3.Connection, wanted: Filter) -> Iterator[Measured]:
    """What the overview counts."""
    where, values = _where(wanted)
    query = f"SELECT {_MEASURED} FROM requests{where} ORDER BY seq"  # noqa: S608
    return map(Measured._make, connection.execute(query, values))


def one(connection: sqlite3.Connection, request_id: str) -> Detail | None:
    """Everything that is kept of a request."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (request_id,)).fetchone()
    if row is None:
        return None
    summary = _summary(row)
    content = connection.execute("SELECT content FROM details WHERE seq = ?", (summary.seq,)).fetchone()
    body = connection.execute("SELECT request, exchange FROM bodies WHERE seq = ?", (summary.seq,)).fetchone()
    request, exchange = body or (None, None)
    record = _unpacked(content[0]) if content else _bare(summary)
    detail = detail_of(
        record,
        summary,
        unpacked_body(request),
        Exchange(**_expanded(exchange)) if exchange else None,
    )
    return replace(detail, names=_names(connection, record))


def latest_bodies(connection: sqlite3.Connection, limit: int) -> list[tuple[str, dict[str, Any]]]:
    """Ids and bodies of the newest requests to HA-Assist whose bodies are kept, the newest first."""
    found = connection.execute(
        "SELECT id, request FROM bodies JOIN requests USING (seq) "
        "WHERE request IS NOT NULL AND route != 'physical' AND reason != 'physical_model' ORDER BY seq DESC LIMIT ?",
        (limit,),
    )
    return [(identity, body) for identity, packed in found if (body := unpacked_body(packed)) is not None]


def _where(
    wanted: Filter, *, before: int | None = None, after: int | None = None, cursor: str = "seq"
) -> tuple[str, list[object]]:
    conditions = list(wanted.conditions())
    if before is not None:
        conditions.append((f"{cursor} < ?", before))
    if after is not None:
        conditions.append((f"{cursor} > ?", after))
    where = " AND ".join(condition for condition, _ in conditions)
    return (f" WHERE {where}" if where else ""), [value for _, value in conditions]


def _summary(row: tuple[Any, ...]) -> Summary:
    values = list(row)
    values[_TIME] = datetime.fromtimestamp(values[_TIME], UTC)
    return Summary(*values)


def _home(known: KnownNames | None) -> tuple[str, bytes] | None:
    return None if known is None else _packed_home(known.home)


@lru_cache(maxsize=4)
def _packed_home(names: Names) -> tuple[str, bytes]:
    """The id and the row of a home, which many requests share."""
    encoded = _encoded(names)
    return hashlib.sha256(encoded).hexdigest()[:32], zlib.compress(encoded, 1)


def _names(connection: sqlite3.Connection, record: Mapping[str, Any]) -> Names | None:
    """None also where the home was forgotten, or the request was kept by a version that kept no names."""
    known = record.get("names")
    if known is None:
        return None
    found = connection.execute("SELECT names FROM homes WHERE id = ?", (known["home"],)).fetchone()
    if found is None:
        return None
    listed = [*json.loads(zlib.decompress(found[0])), *known["own"]]
    return tuple((str(kind), tuple(map(str, names))) for kind, names in listed)


def _content(record: Mapping[str, Any], known: KnownNames | None) -> bytes:
    content = {name: record[name] for name in ("metrics", "spans", "calls", "server_said")}
    if known is not None and (home := _home(known)) is not None:
        content["names"] = {"home": home[0], "own": known.own}
    content["spans"] = [astuple(span) for span in record["spans"]]
    encoded = _encoded(content)
    if len(encoded) > LARGEST_DETAIL:
        metrics = {name: record["metrics"][name] for name in ("ha_route", "ha_stages_ms")}
        encoded = _encoded({**content, "metrics": metrics, "calls": ()})
    return zlib.compress(encoded, 1)


def _unpacked(content: bytes) -> Mapping[str, Any]:
    record = _expanded(content)
    return {**record, "spans": [Span(*span) for span in record["spans"]]}


def _bare(summary: Summary) -> Mapping[str, Any]:
    """What is left of a request whose details are gone because texts are not kept any more."""
    return {
        "metrics": {
            "ha_route": {
                "requested_model": "",
                "backend_model": summary.model,
                "reason": summary.reason,
                "inference_calls": summary.model_calls,
                "language": summary.language,
            }
        }
    }


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace")


def _squeezed(value: Any) -> bytes:
    return zlib.compress(_encoded(value), 1)


def _expanded(blob: bytes) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(zlib.decompress(blob)))
