"""The tool that changes a value by so much, of several things at once."""

from __future__ import annotations

from typing import Any, override

import voluptuous as vol

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from .adjusting import QUANTITIES, Change, Moved, Thing, adjust
from .const import DOMAIN, LOGGER
from .tool import PREFIX, annotations, as_result, async_find, async_may, constraints

_MOST_NAMES = 20


class AdjustTool(llm.Tool):
    """Changes brightness, volume, temperature, speed, position or humidity from what it is now."""

    name = f"{PREFIX}adjust"
    title = "Change by so much"
    description = (
        "Acts: changes one quantity of the named entities from what it is now, in one call. Give exactly one of `by` "
        "(points of a hundred, or degrees; negative for less) and `factor` (0.5 for half as much). It opens nothing "
        "but blinds, curtains, shades, shutters and awnings. For an exact value use the tool that sets it."
    )
    integration = DOMAIN
    annotations = annotations(read_only=False)
    parameters = vol.Schema(
        {
            vol.Required("quantity"): vol.In(list(QUANTITIES)),
            vol.Optional("names", description="Names of the entities"): vol.All([str], vol.Length(1, _MOST_NAMES)),
            vol.Optional("area", description="Or all that have it in an area"): str,
            vol.Optional("by"): vol.All(vol.Coerce(float), vol.Range(min=-100, max=100)),
            vol.Optional("factor"): vol.All(vol.Coerce(float), vol.Range(min=0.01, max=10)),
        }
    )

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext) -> Any:
        """Change each, and tell what it was, what it is now, and what stays as it was."""
        given = self.parameters(tool_input.tool_args)
        if len(given.keys() & {"by", "factor"}) != 1 or len(given.keys() & {"names", "area"}) != 1:
            raise HomeAssistantError("Exactly one of by and factor is needed, and one of names and area")
        domain = QUANTITIES[given["quantity"]]
        wanted = [{"name": name} for name in given["names"]] if "names" in given else [{"area": given["area"]}]
        states: dict[str, State] = {}
        missing: list[str] = []
        for one in wanted:
            found = await async_find(hass, llm_context, constraints(llm_context, one, [domain]))
            if "name" in one and len(found) != 1:
                missing.append(one["name"])
                continue
            states |= {state.entity_id: state for state in found}
        change = Change(given["quantity"], given.get("by"), given.get("factor"))
        things = [Thing(s.entity_id, s.name, s.state, s.attributes) for s in states.values()]
        changed: list[dict[str, Any]] = []
        left = [{"name": name, "why": "not_found"} for name in missing]
        for became in adjust(things, change):
            why = None if isinstance(became, Moved) else became.why
            if isinstance(became, Moved):
                why = await _async_done(hass, llm_context, became)
            if isinstance(became, Moved) and why is None:
                changed.append({"name": became.thing.name, "from": became.was, "to": became.becomes})
            else:
                left.append({"name": became.thing.name, "why": str(why)})
        unit = hass.config.units.temperature_unit if domain == "climate" else "%"
        return as_result({"quantity": given["quantity"], "unit": unit, "changed": changed, "unchanged": left})


async def _async_done(hass: HomeAssistant, context: llm.LLMContext, moved: Moved) -> str | None:
    """Why it was not done, or None."""
    entity_id, step = moved.thing.entity_id, moved.step
    if not await async_may(hass, context, entity_id, POLICY_CONTROL):
        return "not_allowed"
    try:
        await hass.services.async_call(
            step.domain, step.service, {"entity_id": entity_id, **step.data}, blocking=True, context=context.context
        )
    except (HomeAssistantError, vol.Invalid):
        LOGGER.warning("%s could not be changed", entity_id, exc_info=True)
        return "failed"
    return None
