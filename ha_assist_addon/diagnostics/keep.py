"""What of a request may be kept: the person's choice, applied before anything is stored."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..settings.model import Diagnostics
from ..trace.trace import Exchange, Trace

LARGEST_BODY = 1024 * 1024
"""Bytes of a request that are kept at most; one with pictures may be larger, and is not kept."""
PICTURE = "data:,removed"
FACTS = ("ha_route", "ha_stages_ms", "ha_verify_settle_ms")
"""Parts of the metrics that hold no texts, but for the route's `why`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished request on its way into the store."""

    record: Mapping[str, Any]
    request: bytes | None = None
    exchange: Exchange | None = None

    @classmethod
    def of(cls, trace: Trace, *, body: bool = True) -> Entry:
        """Taken when the request ends: later changes of the trace do not reach it."""
        kept = body and trace.request is not None and len(trace.request) <= LARGEST_BODY
        return cls(trace.record(), trace.request if kept else None, trace.exchange if body else None)


@dataclass(frozen=True, slots=True)
class Kept:
    """What memory may hold of a request; the file gets its prompts only where `keep_prompts` says so."""

    record: Mapping[str, Any]
    request: bytes | None = None
    """Compressed: bodies are long, and much the same."""
    exchange: Exchange | None = None


def kept_of(entry: Entry, keep: Diagnostics) -> Kept:
    """Apply the person's choice."""
    if not keep.keep_texts:
        return without_texts(Kept(entry.record))
    exchange = entry.exchange
    if exchange is not None:
        answer = exchange.answer.encode("utf-8", "replace").decode()
        exchange = Exchange(_without_pictures(exchange.prompt), answer)
    return Kept(entry.record, zlib.compress(entry.request, 1) if entry.request is not None else None, exchange)


def without_texts(kept: Kept) -> Kept:
    """Times, routes and results: nothing that was said, and no name of the home."""
    record = kept.record
    metrics = record["metrics"]
    facts = {name: metrics[name] for name in FACTS if name in metrics}
    facts["ha_route"] = {**facts["ha_route"], "why": None}
    if "ha_intent" in metrics:
        facts["ha_intent"] = {"exact": metrics["ha_intent"].get("exact")}
    if "ha_validation" in metrics:
        facts["ha_validation"] = {"verdict": metrics["ha_validation"].get("verdict")}
    return Kept(
        {
            **record,
            "conversation": None,
            "sentence": None,
            "reply": None,
            "server_said": "",
            "calls": (),
            "metrics": facts,
        }
    )


def _without_pictures(value: Any) -> Any:
    if isinstance(value, str):
        return PICTURE if value.startswith("data:") and len(value) > len(PICTURE) else value
    if isinstance(value, Mapping):
        return {key: _without_pictures(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_pictures(inner) for inner in value]
    return value
