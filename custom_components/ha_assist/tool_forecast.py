"""The tool that reads a weather forecast."""

from __future__ import annotations

from typing import Any, override

import voluptuous as vol

from homeassistant.components.weather import DOMAIN as WEATHER_DOMAIN, WeatherEntityFeature
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from .const import DOMAIN
from .forecasts import days_of_halves, entries
from .tool import PREFIX, annotations, as_result, async_find_one, constraints

_UNITS = ("temperature_unit", "precipitation_unit", "wind_speed_unit")
_KINDS = {
    "daily": (
        ("daily", WeatherEntityFeature.FORECAST_DAILY),
        ("twice_daily", WeatherEntityFeature.FORECAST_TWICE_DAILY),
        ("hourly", WeatherEntityFeature.FORECAST_HOURLY),
    ),
    "hourly": (
        ("hourly", WeatherEntityFeature.FORECAST_HOURLY),
        ("daily", WeatherEntityFeature.FORECAST_DAILY),
        ("twice_daily", WeatherEntityFeature.FORECAST_TWICE_DAILY),
    ),
}
"""What is asked of the weather service, the first that it has."""


class ForecastTool(llm.Tool):
    """Reads a forecast by days or hours."""

    name = f"{PREFIX}get_forecast"
    title = "Get the weather forecast"
    description = (
        "Reads the weather forecast and changes nothing. Use it for the weather of today, tomorrow, a weekday, the "
        "weekend, or later today. Times in the result are local, and `now` is the time it is. Where `type` in the "
        "result is not what you asked for, the weather service does not have that."
    )
    integration = DOMAIN
    annotations = annotations(read_only=True)
    parameters = vol.Schema(
        {
            vol.Optional("name", description="Name of the weather entity; only needed if there are several"): str,
            vol.Optional("type", description="daily for whole days, hourly for parts of a day"): vol.In(
                ["daily", "hourly"]
            ),
        }
    )

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext) -> Any:
        """Ask the weather service that is meant."""
        arguments = self.parameters(tool_input.tool_args)
        place = await async_find_one(hass, llm_context, constraints(llm_context, arguments, [WEATHER_DOMAIN]))
        kind = _available(place, arguments.get("type", "daily"))
        answer = await hass.services.async_call(
            WEATHER_DOMAIN,
            "get_forecasts",
            {"entity_id": place.entity_id, "type": kind},
            blocking=True,
            return_response=True,
            context=llm_context.context,
        )
        listed = ((answer or {}).get(place.entity_id) or {}).get("forecast") or []
        now = dt_util.now()
        zone = dt_util.get_default_time_zone()
        shown = "daily" if kind == "twice_daily" else kind
        found = days_of_halves(listed, zone) if kind == "twice_daily" else entries(listed, kind, zone)
        if not found:
            raise HomeAssistantError(f"{place.name} has no forecast right now")
        units = {unit: value for unit in _UNITS if (value := place.attributes.get(unit)) is not None}
        return as_result({"name": place.name, "now": now.isoformat(), "type": shown, **units, "forecast": found})


def _available(place: State, wanted: str) -> str:
    features = int(place.attributes.get("supported_features") or 0)
    for kind, feature in _KINDS[wanted]:
        if features & feature:
            return kind
    raise HomeAssistantError(f"{place.name} has no forecast")
