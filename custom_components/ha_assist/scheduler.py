"""Runs planned commands when they are due, with the tools that Home Assistant gives an agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from homeassistant.components import persistent_notification
from homeassistant.core import CALLBACK_TYPE, Context, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.event import async_track_point_in_utc_time
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.storage import Store
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util import dt as dt_util

from .const import DOMAIN, LOGGER
from .later import SCHEDULABLE, opened_by
from .planned import Plan, Plans

ASSISTANT = "conversation"
_VERSION = 1


class Scheduler:
    """Keeps the plans over restarts."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._store: Store[dict[str, Any]] = Store(hass, _VERSION, f"{DOMAIN}.planned")
        self._plans = Plans()
        self._timers: dict[str, CALLBACK_TYPE] = {}
        self._stop_waiting: CALLBACK_TYPE | None = None
        self._restarted = True

    async def async_start(self) -> None:
        """Take up what was planned; it is run when Home Assistant has started."""
        if self._restarted:
            self._plans = Plans(await self._store.async_load())
        self._stop_waiting = async_at_started(self._hass, self._async_wake)

    @callback
    def async_stop(self) -> None:
        """Nothing is run any more; what is planned stays kept."""
        if self._stop_waiting is not None:
            self._stop_waiting()
            self._stop_waiting = None
        for cancel in self._timers.values():
            cancel()
        self._timers.clear()

    @callback
    def async_list(self, user_id: str | None) -> list[Plan]:
        """What this person planned, or nobody in particular."""
        return [plan for plan in self._plans.all if not plan.running and _may(plan, user_id)]

    @property
    def full(self) -> bool:
        """Whether no more are taken."""
        return self._plans.full

    async def async_add(self, plan: Plan) -> None:
        """Plan one; it is kept before anybody is told of it."""
        self._plans.add(plan)
        await self._async_keep()
        self._async_set_timer(plan)

    async def async_cancel(self, plans: list[Plan]) -> list[Plan]:
        """Take back those that have not begun."""
        gone = []
        for plan in plans:
            if plan in self._plans.all and self._plans.remove(plan.id) is not None:
                if (cancel := self._timers.pop(plan.id, None)) is not None:
                    cancel()
                gone.append(plan)
        if gone:
            await self._async_keep()
        return gone

    async def _async_keep(self) -> None:
        await self._store.async_save(self._plans.as_kept())

    async def _async_wake(self, _hass: HomeAssistant) -> None:
        woken = self._plans.wake(dt_util.utcnow().timestamp(), restarted=self._restarted)
        self._restarted = False
        if woken.missed:
            await self._async_keep()
        for plan in woken.missed:
            await self._async_tell(plan, "missed")
        for plan in (*woken.waiting, *woken.due):
            self._async_set_timer(plan)

    @callback
    def _async_set_timer(self, plan: Plan) -> None:
        async def due(_now: datetime) -> None:
            self._timers.pop(plan.id, None)
            await self._async_run(plan.id)

        at = datetime.fromtimestamp(plan.due, dt_util.UTC)
        self._timers[plan.id] = async_track_point_in_utc_time(self._hass, due, at)

    async def _async_run(self, identity: str) -> None:
        plan = self._plans.begin(identity)
        if plan is None:
            return
        await self._async_keep()
        why: str | None = None
        try:
            why = await self._async_call(plan)
        except HomeAssistantError as error:
            why = str(error)
        except Exception:  # noqa: BLE001 - whatever it is, the person is told and the plan is not run again
            LOGGER.exception("A planned command failed")
            why = "unexpected error"
        self._plans.remove(identity)
        await self._async_keep()
        if why is not None:
            LOGGER.warning("A planned command was not carried out")
            LOGGER.debug("Why it was not: %s", why)
            await self._async_tell(plan, "failed")

    async def _async_call(self, plan: Plan) -> str | None:
        """Why it was not carried out, or None."""
        context = llm.LLMContext(DOMAIN, Context(user_id=plan.user_id), plan.language, ASSISTANT, plan.device_id)
        opened = opened_by(self._hass, context, plan.tool, plan.arguments)
        if plan.tool not in SCHEDULABLE or opened is None or not opened <= set(plan.opens):
            return "it would open something else than was agreed to, or nothing fits it any more"
        api = await llm.async_get_api(self._hass, llm.LLM_API_ASSIST, context)
        name = next((tool.name for tool in api.tools if tool.name.rpartition("__")[2] == plan.tool), None)
        if name is None:
            return f"Home Assistant does not offer {plan.tool}"
        return _fault(await api.async_call_tool(llm.ToolInput(name, dict(plan.arguments))))

    async def _async_tell(self, plan: Plan, kind: str) -> None:
        language = plan.language or self._hass.config.language
        texts = await async_get_translations(self._hass, language, "exceptions", [DOMAIN])
        text = texts.get(f"component.{DOMAIN}.exceptions.planned_{kind}.message", "{what}: {at}")
        at = dt_util.as_local(datetime.fromtimestamp(plan.due, dt_util.UTC))
        message = text.format(what=plan.what, at=f"{at:%Y-%m-%d %H:%M}")
        persistent_notification.async_create(self._hass, message, "HA-Assist", f"{DOMAIN}_{plan.id}")


def _may(plan: Plan, user_id: str | None) -> bool:
    return plan.user_id is None or plan.user_id == user_id


def _fault(result: Any) -> str | None:
    """What a tool's result says went wrong."""
    data = result if isinstance(result, Mapping) else result.data
    if getattr(result, "error", False) or "error" in data or data.get("response_type") == "error":
        return str(data.get("error_text") or data.get("error") or "the tool failed")
    inner = data.get("data")
    failed = inner.get("failed") if isinstance(inner, Mapping) else None
    return ", ".join(str(one.get("name")) for one in failed if isinstance(one, Mapping)) if failed else None
