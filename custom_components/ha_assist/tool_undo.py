"""The tool that undoes the last action."""

from __future__ import annotations

from typing import Any, override

import voluptuous as vol

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from .const import DOMAIN, LOGGER
from .journal import ActionJournal
from .restoring import Cannot, Step, way_back
from .tool import PREFIX, annotations, as_result, async_may


class UndoTool(llm.Tool):
    """Brings back the states before the last action."""

    name = f"{PREFIX}undo"
    title = "Undo the last action"
    description = (
        "Acts: brings lights, switches, covers, fans, thermostats and volumes back to how they were before the last "
        "action of this person in the last ten minutes. It unlocks nothing and opens no door, and it names what it "
        "could not bring back. Call it only if the person asks to undo or take back."
    )
    integration = DOMAIN
    annotations = annotations(read_only=False)
    parameters = vol.Schema({})

    def __init__(self, journal: ActionJournal) -> None:
        self._journal = journal

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext) -> Any:
        """Undo, as far as that is possible."""
        action = self._journal.async_last(llm_context)
        if action is None:
            return as_result({"found": False, "undone": [], "not_undone": []})
        self._journal.async_forget(action)
        asked_by = llm_context.context
        context = Context(user_id=asked_by.user_id if asked_by else None, parent_id=asked_by.id if asked_by else None)
        undone: list[str] = []
        left: list[dict[str, str]] = [{"name": other, "why": "not_kept"} for other in action.others]
        for entity_id, was in action.before.items():
            state, now = hass.states.get(entity_id), self._journal.async_now(entity_id)
            name = state.name if state is not None else entity_id
            if now is None or not async_should_expose(hass, llm_context.assistant, entity_id):
                left.append({"name": "something that is not exposed" if now else name, "why": "hidden"})
                continue
            steps = way_back(entity_id.partition(".")[0], was, now)
            if not isinstance(steps, Cannot) and not await async_may(hass, llm_context, entity_id, POLICY_CONTROL):
                steps = Cannot("not_allowed")
            if isinstance(steps, Cannot):
                left.append({"name": name, "why": steps.why})
            elif await _async_done(hass, entity_id, steps, context):
                undone.append(name)
            else:
                left.append({"name": name, "why": "failed"})
        return as_result({"found": True, "undone": undone, "not_undone": left})


async def _async_done(hass: HomeAssistant, entity_id: str, steps: tuple[Step, ...], context: Context) -> bool:
    try:
        for step in steps:
            await hass.services.async_call(
                step.domain, step.service, {"entity_id": entity_id, **step.data}, blocking=True, context=context
            )
    except (HomeAssistantError, vol.Invalid):
        LOGGER.warning("%s could not be brought back", entity_id, exc_info=True)
        return False
    return True
