"""The sentences of a reply: acknowledgements, failures and questions, in the language of the person's sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..home.entity import Entity
from ..home.match import Miss
from ..language.grammar import Grammar
from ..language.replies import has_own, official, official_error, say
from ..meaning.change import Halt, Halted
from ..meaning.plan import NotPlanned, Planned
from ..turn.history import ToolResult
from .state_view import StateView

_REASON = re.compile(r"MatchFailedReason\.([A-Z_]+)")
_NEW_TEXTS = {
    "No entities matched the name": "NAME",
    "No area matched": "INVALID_AREA",
    "No floor matched": "INVALID_FLOOR",
    "No entities matched in the area": "AREA",
    "No entities matched the domain": "DOMAIN",
    "Multiple entities share the name": "DUPLICATE_NAME",
    "Several entities have the name": "DUPLICATE_NAME",
}
"""How Home Assistant 2026.10 and later word the reasons that were a Python repr before."""


def acknowledge(planned: Planned, result: ToolResult, grammar: Grammar | None) -> str:
    """What to say when Home Assistant has accepted an action."""
    candidate = planned.candidate
    if grammar is not None:
        target = planned.targets[0] if planned.targets else None
        state = StateView(target.name, target.domain, "", {}) if target else None
        slots = {**candidate.slots, **{slot: text for slot, text in candidate.said.items() if text}}
        if isinstance(result.data, dict) and isinstance(result.data.get("speech_slots"), dict):
            slots.update(result.data["speech_slots"])
        text = official(grammar.responses, candidate.intent, candidate.response, slots=slots, state=state)
        if text:
            return text
    return say("done", candidate.language)


def failure(result: ToolResult, planned: Planned | None, grammar: Grammar | None, language: str | None) -> str:
    """What to say when Home Assistant refused a call or a target of it failed."""
    if result.failed and result.success:
        return say("partly_failed", language, names=listed(result.failed, language, "and"))
    if result.failed:
        return say("failed_named", language, names=listed(result.failed, language, "and"))
    said = planned.candidate.said if planned else {}
    slots = planned.candidate.slots if planned else {}
    name, area = said.get("name") or slots.get("name"), said.get("area") or slots.get("area")
    reason = match_reason(result)
    if reason == "DUPLICATE_NAME" and name:
        return say("duplicate", language, name=name, candidates=listed(_places(planned), language))
    if grammar is not None:
        key, values = _official_error(reason, name, area, slots.get("domain"))
        if key and (text := official_error(grammar.responses, key, **values)):
            return text
    if name:
        return say("failed_named", language, names=name)
    return say("failed", language)


def halted(problem: Halted, language: str | None) -> str:
    """What to say when a value does not move."""
    names = labels(problem.entities, language)
    if problem.why is Halt.OPENS:
        locks = all(e.domain == "lock" for e in problem.entities)
        return say("confirm_unlock" if locks else "confirm_open", language, names=listed(names, language, "and"))
    key = {Halt.OFF: "change_off", Halt.AT_END: "change_at_end", Halt.UNAVAILABLE: "not_available"}.get(problem.why)
    if key is None:
        return say("no_state", language)
    return say(key, language, names=listed(names, language, "and"), many=len(names) > 1)


def match_reason(result: ToolResult) -> str | None:
    """Why nothing matched, from the error text of any version."""
    text = result.error_text or ""
    if found := _REASON.search(text):
        return found[1]
    return next((reason for start, reason in _NEW_TEXTS.items() if text.startswith(start)), None)


def _official_error(
    reason: str | None, name: object, area: object, domain: object
) -> tuple[str | None, dict[str, object]]:
    if reason in ("NAME", "ASSISTANT") and name:
        return ("no_entity_in_area", {"entity": name, "area": area}) if area else ("no_entity", {"entity": name})
    if reason == "INVALID_AREA" and area:
        return "no_area", {"area": area}
    if reason in ("AREA", "DOMAIN") and isinstance(domain, str):
        return ("no_domain_in_area", {"domain": domain, "area": area}) if area else ("no_domain", {"domain": domain})
    if reason == "FEATURE":
        return "feature_not_supported", {}
    return None, {}


def _places(planned: Planned | None) -> Sequence[str]:
    return tuple(e.area or e.name for e in planned.targets) if planned else ()


def question(problem: NotPlanned) -> tuple[str, tuple[str, ...]]:
    """A short question for what cannot be done as said, and the candidates that it names."""
    candidate, language = problem.candidate, problem.candidate.language
    said = candidate.said
    if problem.miss is Miss.DUPLICATE:
        names = labels(problem.candidates, language)
        if said.get("name"):
            return say("duplicate", language, name=said["name"], candidates=listed(names, language)), names
        return say("which", language, candidates=listed(names, language)), names
    return say("not_found_there", language, area=candidate.slots.get("area")), ()


def labels(entities: Sequence[Entity], language: str | None) -> tuple[str, ...]:
    """Names that tell entities apart: where names are the same, the area is added."""
    named = Counter(e.name for e in entities)
    return tuple(
        dict.fromkeys(
            say("in_area", language, name=e.name, area=e.area) if e.area and named[e.name] > 1 else e.name
            for e in entities
        )
    )


MOST_NAMED = 5


def listed(names: Sequence[str], language: str | None, link: str = "or", most: int = MOST_NAMED) -> str:
    """Names as a list that is spoken; at most `most` of them."""
    shown = list(dict.fromkeys(names))[:most]
    if len(shown) < 2 or not has_own(link, language):
        return ", ".join(shown)
    return f"{', '.join(shown[:-1])} {say(link, language)} {shown[-1]}"
