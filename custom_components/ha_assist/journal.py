"""Follows what is done in Home Assistant, so that the last action can be undone."""

from __future__ import annotations

import time
from collections.abc import Iterable

from homeassistant.const import ATTR_ENTITY_ID, EVENT_CALL_SERVICE
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers import llm

from .actions import Action, Journal, Origin
from .const import DOMAIN
from .restoring import Was, kept

_RUNS_BY_ITSELF = "automation_triggered"
_WHERE = frozenset({"area_id", "device_id", "floor_id", "label_id"})
_NO_ACTIONS = frozenset(
    {
        "ai_task", "assist_pipeline", "assist_satellite", "backup", "calendar", "conversation", "frontend", "logbook",
        "logger", "notify", "persistent_notification", "recorder", "stt", "system_log", "tts", "weather", DOMAIN,
    }
)  # fmt: skip
"""Domains whose actions change nothing in the home, or nothing that anybody would undo."""
_READS = frozenset({"get_items", "get_events", "get_forecasts", "search_media", "browse_media"})


class ActionJournal:
    """Remembers the states before each action."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._journal = Journal()

    @callback
    def async_listen(self) -> CALLBACK_TYPE:
        """Follow the actions; returns what ends that."""
        listeners = (
            (EVENT_CALL_SERVICE, self._called),
            (_RUNS_BY_ITSELF, self._started),
        )
        removers = [self._hass.bus.async_listen(kind, listener) for kind, listener in listeners]

        @callback
        def stop() -> None:
            for remove in removers:
                remove()

        return stop

    @callback
    def async_expect(self, context: llm.LLMContext) -> None:
        """What is done for this request was said to an agent."""
        if context.context is not None:
            self._journal.expect(context.context.id, _origin(context))

    @callback
    def async_ignore(self, context_id: str) -> None:
        """What is done in this context is no action to be undone."""
        self._journal.ignore(context_id)

    @callback
    def async_last(self, context: llm.LLMContext) -> Action | None:
        """The last action of this person and device."""
        return self._journal.last(_origin(context), time.monotonic())

    @callback
    def async_forget(self, action: Action) -> None:
        """It was undone."""
        self._journal.forget(action)

    @callback
    def async_now(self, entity_id: str) -> Was | None:
        """The state of an entity, and what of its attributes counts."""
        state = self._hass.states.get(entity_id)
        return None if state is None else kept(state.domain, state.state, state.attributes)

    @callback
    def _started(self, event: Event) -> None:
        self._journal.ignore(event.context.id)

    @callback
    def _called(self, event: Event) -> None:
        domain, service = str(event.data["domain"]), str(event.data["service"])
        if event.context.parent_id is not None or domain in _NO_ACTIONS or service in _READS:
            return
        data = event.data.get("service_data") or {}
        targets = list(self._members(_listed(data.get(ATTR_ENTITY_ID))))
        before = {entity_id: was for entity_id in targets if (was := self.async_now(entity_id)) is not None}
        # An action on a whole room does not say here what it changes.
        untold = None if before and not _WHERE & data.keys() else f"{domain}.{service}"
        self._journal.note(event.context.id, event.context.user_id, time.monotonic(), before, untold)

    def _members(self, entity_ids: Iterable[str], depth: int = 3) -> Iterable[str]:
        """The entities themselves; of a group its members, since it has no state of its own."""
        for entity_id in entity_ids:
            state = self._hass.states.get(entity_id)
            members = _listed(state.attributes.get(ATTR_ENTITY_ID)) if state is not None and depth else []
            if members:
                yield from self._members(members, depth - 1)
            else:
                yield entity_id


def _listed(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, list | tuple | set) else []


def _origin(context: llm.LLMContext) -> Origin:
    return Origin(context.context.user_id if context.context else None, context.device_id)
