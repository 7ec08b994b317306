"""The tools that do something later, once."""

from __future__ import annotations

from datetime import datetime, time
from time import time as time_now
from typing import Any, override

import voluptuous as vol

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from .const import DOMAIN
from .due import DAYS, LONGEST, after, at_clock
from .later import SCHEDULABLE, WHATEVER, opened_by
from .planned import Plan
from .scheduler import Scheduler
from .tool import PREFIX, annotations, as_result

_LONGEST_TEXT = 255


def _user(context: llm.LLMContext) -> str | None:
    return context.context.user_id if context.context else None


def _told(plan: Plan) -> dict[str, Any]:
    return {"id": plan.id, "what": plan.what, "at": _local(plan.due).isoformat()}


def _local(due: float) -> datetime:
    return dt_util.as_local(datetime.fromtimestamp(due, dt_util.UTC))


class ScheduleTool(llm.Tool):
    """Plans one call of a tool."""

    name = f"{PREFIX}schedule"
    title = "Do something later"
    description = (
        "Acts later, once: plans one call of another tool for a time within the next seven days. Give exactly one of "
        "`time`, `after_seconds` and `sun`. It survives a restart. What opens or unlocks something has to be asked "
        "first. Call it only if the person said when."
    )
    integration = DOMAIN
    annotations = annotations(read_only=False)
    parameters = vol.Schema(
        {
            vol.Required("what", description="The command in the person's own words, without the time"): str,
            vol.Required("tool", description="Name of the tool to call then"): str,
            vol.Required("arguments", description="Its arguments"): dict,
            vol.Optional("time", description="Local time as HH:MM"): vol.Match(r"^([01]\d|2[0-3]):[0-5]\d$"),
            vol.Optional("either_half", description="true if it may mean morning or evening"): bool,
            vol.Optional("day", description="Without it, whenever the time comes next"): vol.In(list(DAYS)),
            vol.Optional("after_seconds"): vol.All(vol.Coerce(int), vol.Range(min=1)),
            vol.Optional("sun"): vol.In(["sunrise", "sunset"]),
            vol.Optional(
                "confirmed", description="true only if the person was asked, and said yes to opening it"
            ): bool,
        }
    )

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext) -> Any:
        """Plan it, or say why not."""
        given = self.parameters(tool_input.tool_args)
        tool, arguments = given["tool"].rpartition("__")[2], given["arguments"]
        now = dt_util.now()
        opened = opened_by(hass, llm_context, tool, arguments)
        if why := _refused(tool, opened, confirmed=given.get("confirmed", False)):
            return as_result({"scheduled": False, "why": why})
        if len(given.keys() & {"time", "after_seconds", "sun"}) != 1:
            return as_result({"scheduled": False, "why": "no_time"})
        at = _when(hass, given, now)
        if at is None:
            return as_result({"scheduled": False, "why": "passed"})
        if at.timestamp() - now.timestamp() > LONGEST:
            return as_result({"scheduled": False, "why": "too_far"})
        if self._scheduler.full:
            return as_result({"scheduled": False, "why": "full"})
        plan = Plan(
            id=ulid_now(),
            due=at.timestamp(),
            made=time_now(),
            what=given["what"][:_LONGEST_TEXT],
            tool=tool,
            arguments=arguments,
            language=llm_context.language,
            user_id=_user(llm_context),
            device_id=llm_context.device_id,
            opens=tuple(sorted(opened or ())),
        )
        await self._scheduler.async_add(plan)
        return as_result({"scheduled": True, "now": now.isoformat(), **_told(plan)})


def _refused(tool: str, opened: frozenset[str] | None, *, confirmed: bool) -> str | None:
    """Why a call is not planned; without a yes nothing that it `opened` is."""
    if tool not in SCHEDULABLE:
        return "other_tool"
    if opened is None:
        return "nothing_fits"
    return "opens" if opened and (opened == WHATEVER or not confirmed) else None


def _when(hass: HomeAssistant, given: dict[str, Any], now: datetime) -> datetime | None:
    if "after_seconds" in given:
        return after(now, given["after_seconds"])
    if "sun" in given:
        return dt_util.as_local(get_astral_event_next(hass, given["sun"]))
    return at_clock(
        now, time.fromisoformat(given["time"]), given.get("day"), either_half=given.get("either_half", False)
    )


class ListScheduledTool(llm.Tool):
    """Tells what is planned."""

    name = f"{PREFIX}list_scheduled"
    title = "List what is planned"
    description = "Reads what is planned for later with ha_assist__schedule and changes nothing."
    integration = DOMAIN
    annotations = annotations(read_only=True)
    parameters = vol.Schema({})

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext) -> Any:
        """All of this person's, by time."""
        plans = self._scheduler.async_list(_user(llm_context))
        return as_result({"now": dt_util.now().isoformat(), "items": [_told(plan) for plan in plans]})


class CancelScheduledTool(llm.Tool):
    """Takes back what is planned."""

    name = f"{PREFIX}cancel_scheduled"
    title = "Cancel what is planned"
    description = (
        "Acts: takes back what is planned with ha_assist__schedule, by its `id`, or with `which` the one that was "
        "planned last, or all."
    )
    integration = DOMAIN
    annotations = annotations(read_only=False)
    parameters = vol.Schema({vol.Optional("id"): str, vol.Optional("which"): vol.In(["last", "all"])})

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    @override
    async def async_call(self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext) -> Any:
        """Take back those that have not begun."""
        given = self.parameters(tool_input.tool_args)
        plans = self._scheduler.async_list(_user(llm_context))
        if "id" in given:
            plans = [plan for plan in plans if plan.id == given["id"]]
        elif given.get("which") == "last":
            plans = sorted(plans, key=lambda plan: plan.made)[-1:]
        elif given.get("which") != "all":
            plans = []
        gone = await self._scheduler.async_cancel(plans)
        return as_result({"now": dt_util.now().isoformat(), "cancelled": [_told(plan) for plan in gone]})
