"""What the tools have in common: how Home Assistant's versions describe one, and which entity is meant."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm

from .const import DOMAIN

PREFIX = f"{DOMAIN}__"
"""Home Assistant wants the names of an integration's tools to begin so."""

_ResultType = getattr(llm, "ToolResult", None)
"""Home Assistant before 2026.10 has none: a tool returns its data."""


def annotations(*, read_only: bool) -> Any:
    """What Home Assistant 2026.10 is told of a tool; older versions know no such thing."""
    kind = getattr(llm, "ToolAnnotations", None)
    if kind is None:
        return None
    return kind(read_only=read_only, destructive=not read_only, idempotent=read_only, open_world=False)


def as_result(data: dict[str, Any]) -> Any:
    """The data in the form that this Home Assistant expects."""
    return data if _ResultType is None else _ResultType(data=data)


async def async_find_one(hass: HomeAssistant, context: llm.LLMContext, wanted: intent.MatchTargetsConstraints) -> State:
    """The one exposed entity that is meant and that the person may see; raises a `HomeAssistantError`."""
    found = await async_find(hass, context, wanted)
    if len(found) == 1:
        return found[0]
    if not found:
        raise HomeAssistantError(f"No exposed entity fits {_described(wanted)}")
    names = ", ".join(sorted({state.name for state in found})[:8])
    raise HomeAssistantError(f"Several entities fit {_described(wanted)}: {names}. Name one of them")


async def async_find(
    hass: HomeAssistant, context: llm.LLMContext, wanted: intent.MatchTargetsConstraints
) -> list[State]:
    """All exposed entities that are meant and that the person may see."""
    result = intent.async_match_targets(hass, wanted)
    if not result.is_match:
        return []
    return [state for state in result.states if await async_may(hass, context, state.entity_id, POLICY_READ)]


async def async_may(hass: HomeAssistant, context: llm.LLMContext, entity_id: str, policy: str) -> bool:
    """Whether the person may; a sentence to a satellite comes from nobody in particular, who may what is exposed."""
    user_id = context.context.user_id if context.context else None
    if user_id is None:
        return True
    user = await hass.auth.async_get_user(user_id)
    return user is not None and user.permissions.check_entity(entity_id, policy)


def constraints(
    context: llm.LLMContext, arguments: dict[str, Any], domains: Collection[str] | None = None
) -> intent.MatchTargetsConstraints:
    """What the arguments of a call say of the entity."""
    device_class = arguments.get("device_class")
    return intent.MatchTargetsConstraints(
        name=arguments.get("name"),
        area_name=arguments.get("area"),
        domains=domains or ([arguments["domain"]] if "domain" in arguments else None),
        device_classes=[device_class] if device_class else None,
        assistant=context.assistant,
        allow_duplicate_names=True,
    )


def _described(wanted: intent.MatchTargetsConstraints) -> str:
    said = (wanted.name, wanted.area_name, *(wanted.domains or ()), *(wanted.device_classes or ()))
    return ", ".join(repr(str(part)) for part in said if part) or "this"
