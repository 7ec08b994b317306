"""What the conversation agent and the AI task have in common: asking HA-Assist until it has answered."""

from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import Entity

from .const import CONF_CHAT_MODEL, DEFAULT_MODEL, DOMAIN
from .errors import InvalidKey, TooManyRounds
from .messages import messages_of
from .models import HaAssistConfigEntry
from .schema import tool_of
from .stream import deltas

MAX_ROUNDS = 10
"""As many as Home Assistant's own agents make in a turn; HA-Assist answers with the tenth at the latest."""


class HaAssistEntity(Entity):
    """An entity of a subentry."""

    _attr_has_entity_name = True
    _attr_name = None

    def __init__(self, entry: HaAssistConfigEntry, subentry: ConfigSubentry) -> None:
        self._entry = entry
        self._subentry = subentry
        self._model: str = subentry.data.get(CONF_CHAT_MODEL, DEFAULT_MODEL)
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer="HA-Assist",
            model=self._model,
            sw_version=entry.runtime_data.version,
            entry_type=DeviceEntryType.SERVICE,
        )

    async def _async_ask(self, log: conversation.ChatLog, more: Callable[[], dict[str, Any]]) -> None:
        """Ask, let Home Assistant run what is called, and ask again; `more` is read for each request.

        Raises a `HaAssistError`.
        """
        try:
            for _ in range(MAX_ROUNDS):
                await self._async_ask_once(log, more())
                if not log.unresponded_tool_results:
                    return
        except InvalidKey:
            self._entry.async_start_reauth(self.hass)
            raise
        raise TooManyRounds

    async def _async_ask_once(self, log: conversation.ChatLog, more: dict[str, Any]) -> None:
        body = {
            "model": self._model,
            "messages": await messages_of(self.hass, log),
            "user": log.conversation_id,
            "stream": True,
            **more,
        }
        if log.llm_api:
            body["tools"] = [tool_of(tool, log.llm_api.custom_serializer) for tool in log.llm_api.tools]
        async with aclosing(self._entry.runtime_data.client.chat(body)) as chunks:
            async for _ in log.async_add_delta_content_stream(self.entity_id, deltas(chunks)):
                pass
