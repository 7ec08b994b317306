"""Why a request went as it did, as sentences in the reader's language; codes and English stay in the details."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..diagnostics.summary import Detail
from .words import Words

_QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
_NOT_LET_THROUGH = frozenset({"endless", "rejected", "unbacked_claim"})


@dataclass(frozen=True, slots=True)
class Why:
    """The reason, and what led to it."""

    text: str
    asked: str = ""
    """Why the model was asked, where the reason is that it failed."""
    said: str = ""
    """The own words of the model's server."""


def explain(detail: Detail, words: Words) -> Why:
    """The reason of a request, recorded or only tried."""
    summary, metrics = detail.summary, detail.metrics
    told = metrics.get("ha_route", {}).get("why") or ""
    decided = reason_sentence(summary.reason, told, metrics, words)
    if summary.error is not None:
        known = words.find(f"error.{summary.error}")
        asked = decided if summary.reason != summary.error else ""
        return Why(f"{known}." if known else summary.why or "", asked, detail.server_said)
    verdict = metrics.get("ha_validation", {}).get("verdict")
    if verdict in _NOT_LET_THROUGH:
        return Why(words(f"why.{verdict}"), decided)
    return Why(decided)


def reason_sentence(reason: str, told: str, metrics: Mapping[str, Any], words: Words) -> str:
    """The sentence of a rule; what it is about is named where that is known."""
    repairs = metrics.get("ha_plan", {}).get("repairs")
    if reason == "repaired_match" and repairs:
        changes = [words("why.read_as", heard=one.get("from"), read=one.get("to")) for one in repairs]
        return words("why.repaired_match", changes=", ".join(changes))
    what = metrics.get("ha_intent", {}).get("unknown", {}).get("text") or _quoted(told)
    if what and words.find(f"why.{reason}_what"):
        return words(f"why.{reason}_what", what=what)
    return words.find(f"why.{reason}") or told


def understood_as(plan: Mapping[str, Any]) -> str | None:
    """The sentence as it was understood, where that is not what was heard."""
    heard, repairs = plan.get("original"), plan.get("repairs")
    if not isinstance(heard, str) or not repairs:
        return None
    read = heard
    for one in repairs:
        before, after = one.get("from"), one.get("to")
        if isinstance(before, str) and isinstance(after, str) and before:
            at = read.casefold().find(before.casefold())
            read = read if at < 0 else f"{read[:at]}{after}{read[at + len(before) :]}"
    return read if read != heard else None


def _quoted(sentence: str) -> str | None:
    found = _QUOTED.search(sentence)
    return (found[1] or found[2]) if found else None
