"""State questions: which states to read, and what they answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.match import as_list
from ..home.toolbox import Tool, Toolbox
from ..language.grammar import Grammar
from ..language.replies import official
from .outcome import PlannedCall, Reason
from .plan import NotPlanned, Planned
from .recognise import Candidate

STATE_INTENTS = frozenset({"HassGetState", "HassClimateGetTemperature", "HassGetWeather"})
CLOCK_INTENTS = frozenset({"HassGetCurrentTime", "HassGetCurrentDate"})
QUERY_INTENTS = STATE_INTENTS | CLOCK_INTENTS

READ_ONLY = QUERY_INTENTS | {"HassTimerStatus"}
"""Intents that change nothing: a question word does not speak against them."""

_DOMAIN_OF = {"HassClimateGetTemperature": "climate", "HassGetWeather": "weather"}


@dataclass(frozen=True, slots=True)
class StateView:
    """A live entity as the official response templates see it (`helpers/template` in HA core)."""

    name: str
    domain: str
    state: str
    attributes: Mapping[str, Any]

    @property
    def entity_id(self) -> str:
        """Stands for the id that the live context does not tell; `state_attr` takes it back."""
        return self.name

    @property
    def state_with_unit(self) -> str:
        """The state and its unit, as Home Assistant speaks it."""
        unit = self.attributes.get("unit_of_measurement")
        return f"{self.state} {unit}" if unit else self.state


def plan_query(candidate: Candidate, home: Home, toolbox: Toolbox) -> Planned | NotPlanned:
    """The one read that a question needs, with the filters that the offered schema has."""
    plain = "GetDateTime" if candidate.intent in CLOCK_INTENTS else "GetLiveContext"
    tool = toolbox.find(plain)
    if tool is None:
        return NotPlanned(candidate, Reason.TOOL_NOT_OFFERED, f"Home Assistant does not offer {plain} here.")
    arguments = {} if candidate.intent in CLOCK_INTENTS else _filters(candidate, home, tool)
    problem = tool.problem(arguments)
    if problem is not None:
        return NotPlanned(candidate, Reason.NOT_CARRIED, f"The offered schema refuses the call: {problem}.")
    return Planned(PlannedCall(tool.name, arguments), candidate, ())


def _filters(candidate: Candidate, home: Home, tool: Tool) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    name, area = candidate.slots.get("name"), candidate.slots.get("area")
    domains = as_list(candidate.slots.get("domain") or _DOMAIN_OF.get(candidate.intent) or candidate.domain)
    if name is not None and fold(str(name)) in home.by_name:
        wanted["name"] = str(name)
    if area is not None and name is None:
        wanted["area"] = str(area)
    there = home.in_area(str(area)) if area is not None else home.entities
    if domains and name is None and any(e.domain in domains for e in there):
        wanted["domain"] = domains[0] if len(domains) == 1 else list(domains)
    return {key: value for key, value in wanted.items() if key in tool.properties}


def answer_state(candidate: Candidate, live: Sequence[Entity], grammar: Grammar) -> str | None:
    """What the live states answer, or None where they do not answer it."""
    found = _matching(candidate, live)
    if not found:
        return None
    views = [StateView(e.name, e.domain, e.state or "", e.attributes) for e in found]
    wanted = candidate.slots.get("state")
    matched = [v for v in views if wanted is None or v.state in as_list(wanted)]
    unmatched = [v for v in views if v not in matched]
    by_name = {v.entity_id: v for v in views}

    def state_attr(entity_id: str, attribute: str) -> Any:
        view = by_name.get(entity_id)
        return view.attributes.get(attribute) if view else None

    return official(
        grammar.responses,
        candidate.intent,
        candidate.response,
        slots=_slots(candidate),
        state=(matched or unmatched)[0],
        query={"matched": matched, "unmatched": unmatched},
        state_attr=state_attr,
    )


def _matching(candidate: Candidate, live: Sequence[Entity]) -> list[Entity]:
    slots = candidate.slots
    domains = as_list(slots.get("domain") or _DOMAIN_OF.get(candidate.intent) or candidate.domain)
    classes = as_list(slots.get("device_class"))
    found = [e for e in live if e.state is not None]
    if (name := slots.get("name")) is not None:
        found = [e for e in found if fold(str(name)) in {fold(n) for n in e.names}]
    if (area := slots.get("area")) is not None:
        found = [e for e in found if fold(str(area)) in {fold(a) for a in e.areas}]
    if domains:
        found = [e for e in found if e.domain in domains]
    if classes:
        found = [e for e in found if e.device_class in classes]
    return found


def _slots(candidate: Candidate) -> dict[str, Any]:
    return {slot: candidate.said.get(slot) or value for slot, value in candidate.slots.items()}


def answer_clock(candidate: Candidate, data: Any, grammar: Grammar) -> str | None:
    """Time or date from the result of GetDateTime."""
    clock = data.get("result", data) if isinstance(data, Mapping) else None
    if not isinstance(clock, Mapping):
        return None
    try:
        slots = {"time": time.fromisoformat(str(clock["time"])), "date": date.fromisoformat(str(clock["date"]))}
    except (KeyError, ValueError):
        return None
    return official(grammar.responses, candidate.intent, candidate.response, slots=slots)
