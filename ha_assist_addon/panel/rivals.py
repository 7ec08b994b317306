"""The readings of a sentence that were considered: what won, what lost, by how much and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rival:
    """One reading; `rule` is a key of the panel's words."""

    reading: str
    score: float | None
    margin: float | None
    """How far it lies behind the best."""
    rule: str


def rivals_of(metrics: Mapping[str, Any]) -> list[Rival]:
    """All that a record tells of, the chosen one first."""
    plan, intent = metrics.get("ha_plan", {}), metrics.get("ha_intent", {})
    return [*_repairs(intent.get("fuzzy") or (), plan), *_intents(intent.get("candidates") or ())]


def _repairs(readings: Any, plan: Mapping[str, Any]) -> list[Rival]:
    chosen = plan.get("repairs") or []
    found = [one for one in readings if isinstance(one, Mapping) and one.get("repairs")]
    best = max((float(one.get("score") or 0) for one in found), default=0.0)
    rivals = []
    for one in found:
        score, won = float(one.get("score") or 0), one["repairs"] == chosen
        rule = "chosen" if won else "too_close" if plan.get("repair_refused") else "less_alike"
        rivals.append(Rival(_changes(one["repairs"]), score, round(best - score, 1), rule))
    return sorted(rivals, key=lambda rival: rival.rule != "chosen")


def _intents(candidates: Any) -> list[Rival]:
    found = [one for one in candidates if isinstance(one, Mapping)]
    if len(found) < 2:
        return []
    return [
        Rival(_slots(one), None, None, "chosen" if place == 0 else "after_first") for place, one in enumerate(found)
    ]


def _changes(repairs: Any) -> str:
    return ", ".join(f"{one.get('from')} → {one.get('to')}" for one in repairs if isinstance(one, Mapping))


def _slots(candidate: Mapping[str, Any]) -> str:
    slots = candidate.get("slots") or {}
    told = ", ".join(f"{value}" for value in slots.values()) if isinstance(slots, Mapping) else ""
    return f"{candidate.get('intent')} ({told})" if told else str(candidate.get("intent"))
