"""What the conversation agent and the AI task have in common: asking HA-Assist until it has answered."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.entity import Entity

from .const import CONF_CHAT_MODEL, DEFAULT_MODEL, DOMAIN, HOME_FIELD, LOGGER
from .errors import InvalidKey, Refused, TooManyRounds
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
        # The entry forgets it when it is unloaded, and a turn may still go on.
        self._data = entry.runtime_data
        self._subentry = subentry
        self._model: str = subentry.data.get(CONF_CHAT_MODEL, DEFAULT_MODEL)
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer="HA-Assist",
            model=self._model,
            sw_version=self._data.version,
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
            if self.hass.config_entries.async_get_entry(self._entry.entry_id) is not None:
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
        async with aclosing(self._chunks(body)) as chunks:
            async for _ in log.async_add_delta_content_stream(self.entity_id, deltas(chunks)):
                pass

    async def _chunks(self, body: dict[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """The answer; where the server cannot use what is told of the home, the one that it gives without it."""
        try:
            async with aclosing(self._data.client.chat(body)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except Refused as error:
            if not error.param.startswith(HOME_FIELD) or HOME_FIELD not in body:
                raise
            LOGGER.warning("HA-Assist cannot use %s, so this sentence is asked without the home", error.param)
        else:
            return
        bare = {key: value for key, value in body.items() if key != HOME_FIELD}
        async with aclosing(self._data.client.chat(bare)) as chunks:
            async for chunk in chunks:
                yield chunk
