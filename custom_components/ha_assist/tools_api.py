"""The LLM API "HA-Assist tools": what Home Assistant itself has no tool for, for any agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import override

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers import llm
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN, TOOLS_API_ID, TOOLS_API_NAME
from .journal import ActionJournal
from .scheduler import Scheduler
from .tool_adjust import AdjustTool
from .tool_forecast import ForecastTool
from .tool_history import HistoryTool
from .tool_schedule import CancelScheduledTool, ListScheduledTool, ScheduleTool
from .tool_undo import UndoTool

_FORECAST = "Use {} for the weather that is to come; it is not in the states of the devices."
_HISTORY = "Use {} for when something happened, how long or how often, and for what a sensor measured earlier."

_ADJUST = "Use {} for more or less of something, such as brighter, two degrees warmer or half as loud."

_UNDO = "Use {} if the person asks to undo or take back what was just done, and not to correct a mistake of yours."

_SCHEDULE = "Use {} only for what the person wants to have done later, at a time that they said."

_REGISTRATION: HassKey[_Registration] = HassKey(f"{DOMAIN}_tools_api")


class ToolsAPI(llm.API):
    """Offers each tool where there is something for it to do."""

    def __init__(self, hass: HomeAssistant, journal: ActionJournal, scheduler: Scheduler) -> None:
        super().__init__(hass=hass, id=TOOLS_API_ID, name=TOOLS_API_NAME)
        self._journal = journal
        self._scheduler = scheduler

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """The tools for one request."""
        tools: list[llm.Tool] = []
        prompt: list[str] = []
        places = self.hass.states.async_entity_ids("weather")
        if any(async_should_expose(self.hass, llm_context.assistant, place) for place in places):
            tools.append(ForecastTool())
            prompt.append(_FORECAST.format(ForecastTool.name))
        if "recorder" in self.hass.config.components:
            tools.append(HistoryTool())
            prompt.append(_HISTORY.format(HistoryTool.name))
        tools.append(AdjustTool())
        prompt.append(_ADJUST.format(AdjustTool.name))
        self._journal.async_expect(llm_context)
        tools.append(UndoTool(self._journal))
        prompt.append(_UNDO.format(UndoTool.name))
        tools += [
            ScheduleTool(self._scheduler),
            ListScheduledTool(self._scheduler),
            CancelScheduledTool(self._scheduler),
        ]
        prompt.append(_SCHEDULE.format(ScheduleTool.name))
        return llm.APIInstance(api=self, api_prompt="\n".join(prompt), llm_context=llm_context, tools=tools)


_SCHEDULER: HassKey[Scheduler] = HassKey(f"{DOMAIN}_scheduler")
"""Outlives the entries: what is under way while one is loaded anew ends as it began."""


@dataclass(slots=True)
class _Registration:
    removers: tuple[CALLBACK_TYPE, ...]
    entries: int = 0


async def async_offer(hass: HomeAssistant) -> CALLBACK_TYPE:
    """Register the API with the first entry; what is returned takes it away with the last."""
    if (known := hass.data.get(_REGISTRATION)) is None:
        journal = ActionJournal(hass)
        scheduler = hass.data.setdefault(_SCHEDULER, Scheduler(hass))
        removers = (
            scheduler.async_stop,
            journal.async_listen(),
            llm.async_register_api(hass, ToolsAPI(hass, journal, scheduler)),
        )
        # Before anything is waited for: another entry may be set up at the same time.
        known = hass.data[_REGISTRATION] = _Registration(removers, 1)
        await scheduler.async_start()
    else:
        known.entries += 1

    @callback
    def withdraw() -> None:
        known.entries -= 1
        if not known.entries:
            for remove in hass.data.pop(_REGISTRATION).removers:
                remove()

    return withdraw
