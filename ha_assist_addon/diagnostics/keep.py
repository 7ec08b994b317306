"""What of a request may be kept: the person's choice, applied before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..settings.model import Diagnostics
from .trace import Exchange, Trace

LARGEST_BODY = 1024 * 1024
"""Bytes of a request that are kept at most; one with pictures may be larger, and is not kept."""
_FACTS = ("ha_route", "ha_stages_ms", "ha_verify_settle_ms")


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished request on its way into the store."""

    record: Mapping[str, Any]
    request: bytes | None = None
    exchange: Exchange | None = None

    @classmethod
    def of(cls, trace: Trace) -> Entry:
        """Taken when the request ends: later changes of the trace do not reach it."""
        request = trace.request if trace.request is None or len(trace.request) <= LARGEST_BODY else None
        return cls(trace.record(), request, trace.exchange)


def without_texts(entry: Entry) -> Entry:
    """Times, routes and results: nothing that was said, and no name of the home."""
    record = entry.record
    metrics = record["metrics"]
    facts = {name: metrics[name] for name in _FACTS if name in metrics}
    facts["ha_route"] = {**facts["ha_route"], "why": None}
    if "ha_intent" in metrics:
        facts["ha_intent"] = {"exact": metrics["ha_intent"].get("exact")}
    if "ha_validation" in metrics:
        facts["ha_validation"] = {"verdict": metrics["ha_validation"].get("verdict")}
    return Entry({**record, "conversation": None, "sentence": None, "reply": None, "calls": (), "metrics": facts})


def allowed(entry: Entry, keep: Diagnostics) -> Entry:
    """What memory may hold of it; the file gets its prompts only where `keep_prompts` says so."""
    return entry if keep.keep_texts else without_texts(entry)
