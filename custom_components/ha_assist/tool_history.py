"""The tool that reads what the recorder kept of an entity."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, override

import voluptuous as vol

from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_UNIT_OF_MEASUREMENT, PERCENTAGE
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from .const import DOMAIN
from .past import Moment, is_measurement, summarise_events, summarise_numbers, summarise_states
from .periods import PERIODS, span_of
from .tool import PREFIX, annotations, as_result, async_find, async_find_one, constraints

DEFAULT_PERIOD = "last_10_days"
"""As long as Home Assistant keeps states unless told otherwise."""

EVENTS = frozenset({"event", "button", "input_button", "scene"})
"""Domains whose state is the time when something happened last."""

NUMBERS = frozenset({"sensor", "number", "input_number", "counter"})

MEASURED_BY = {
    "temperature": {"climate": "current_temperature", "weather": "temperature", "water_heater": "current_temperature"},
    "humidity": {"climate": "current_humidity", "weather": "humidity", "humidifier": "current_humidity"},
}
"""Where a quantity is kept that no sensor of its class reports."""


class HistoryTool(llm.Tool):
    """Reads the past of one entity."""

    name = f"{PREFIX}get_history"
    title = "Get the history of a device"
    description = (
        "Reads what a device did or a sensor measured in the past and changes nothing. For states it tells when each "
        "began and ended last, how often it began and for how many seconds it held; for measurements the lowest, "
        "highest and mean value with their times. Times are local, and `now` is the time it is."
    )
    integration = DOMAIN
    annotations = annotations(read_only=True)
    parameters = vol.Schema(
        {
            vol.Optional("name", description="Name of the entity"): str,
            vol.Optional("area", description="Area, to tell entities of one name apart or instead of a name"): str,
            vol.Optional("domain"): str,
            vol.Optional("device_class", description="What is measured, such as temperature or humidity"): str,
            vol.Optional("period", description="Leave it out to look as far back as possible"): vol.In(list(PERIODS)),
        }
    )

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext) -> Any:
        """Read the recorder."""
        arguments = self.parameters(tool_input.tool_args)
        if not arguments.keys() & {"name", "area", "domain", "device_class"}:
            raise HomeAssistantError("Say which entity is meant")
        state, attribute = await _async_meant(hass, llm_context, arguments)
        now = dt_util.now()
        start, end = span_of(arguments.get("period", DEFAULT_PERIOD), now)
        if start.timestamp() >= now.timestamp():
            raise HomeAssistantError("That time has not begun yet")
        moments = await _async_moments(hass, state.entity_id, attribute, start, end)
        told: dict[str, Any] = {
            "name": state.name,
            "domain": state.domain,
            "now": now.isoformat(),
            "from": start.isoformat(),
            "to": end.isoformat(),
            "state": state.state,
            "since": dt_util.as_local(state.last_changed).isoformat(),
        }
        if device_class := state.attributes.get(ATTR_DEVICE_CLASS):
            told["device_class"] = str(device_class)
        if not moments:
            return as_result({**told, "recorded": False})
        if state.domain in EVENTS:
            return as_result({**told, **summarise_events(moments, start)})
        unit = _unit(hass, state, attribute)
        if unit is not None or (state.domain in NUMBERS and is_measurement(moments)):
            return as_result({**told, "unit": unit, **summarise_numbers(moments, start, end)})
        return as_result({**told, **summarise_states(moments, start, end)})


async def _async_meant(
    hass: HomeAssistant, context: llm.LLMContext, arguments: dict[str, Any]
) -> tuple[State, str | None]:
    """The entity, and the attribute that holds the value where its state does not."""
    attributes = MEASURED_BY.get(arguments.get("device_class", ""), {})
    if not attributes or "domain" in arguments:
        return await async_find_one(hass, context, constraints(context, arguments)), None
    placed = bool(arguments.keys() & {"name", "area"})
    sensors = await async_find(hass, context, constraints(context, arguments, ["sensor"])) if placed else []
    if len(sensors) == 1:
        return sensors[0], None
    without = {key: value for key, value in arguments.items() if key != "device_class"}
    if not sensors:
        domains = list(attributes) if placed else ["weather"]
        other = await async_find(hass, context, constraints(context, without, domains))
        able = [state for state in other if state.attributes.get(attributes[state.domain]) is not None]
        if len(able) == 1:
            return able[0], attributes[able[0].domain]
    # A sensor that is named is meant, also where nobody told what it measures.
    named = without if not sensors and "name" in arguments else arguments
    return await async_find_one(hass, context, constraints(context, named)), None


async def _async_moments(
    hass: HomeAssistant, entity_id: str, attribute: str | None, start: datetime, end: datetime
) -> list[Moment]:
    # The packages that the recorder needs are only there where it is set up.
    from homeassistant.components.recorder import get_instance, history  # noqa: PLC0415

    def read() -> list[Moment]:
        found = history.get_significant_states(
            hass,
            dt_util.as_utc(start),
            dt_util.as_utc(end),
            [entity_id],
            significant_changes_only=attribute is None,
            no_attributes=attribute is None,
        )
        return _moments(found.get(entity_id, ()), attribute)

    return await get_instance(hass).async_add_executor_job(read)


def _moments(states: Iterable[Any], attribute: str | None) -> list[Moment]:
    moments = []
    for state in states:
        if attribute is None:
            moments.append(Moment(state.state, dt_util.as_local(state.last_changed)))
        else:
            value = state.attributes.get(attribute)
            moments.append(Moment("" if value is None else str(value), dt_util.as_local(state.last_updated)))
    return moments


def _unit(hass: HomeAssistant, state: State, attribute: str | None) -> str | None:
    if attribute is None:
        unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT)
        return None if unit is None else str(unit)
    if "humidity" in attribute:
        return PERCENTAGE
    return str(state.attributes.get("temperature_unit") or hass.config.units.temperature_unit)
