"""The conversation agent."""

from typing import Any, Literal, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT, MATCH_ALL
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import CONF_SEND_HOME, DOMAIN, HOME_FIELD, SUBENTRY_CONVERSATION
from .entity import HaAssistEntity
from .errors import HaAssistError, worded
from .models import HaAssistConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: HaAssistConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """An agent for each of its subentries."""
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_CONVERSATION:
            async_add_entities([HaAssistConversationEntity(entry, subentry)], config_subentry_id=subentry.subentry_id)


class HaAssistConversationEntity(HaAssistEntity, conversation.ConversationEntity):
    """Answers what is said to Assist."""

    _attr_supports_streaming = True

    def __init__(self, entry: HaAssistConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry, subentry)
        if subentry.data.get(CONF_LLM_HASS_API):
            self._attr_supported_features = conversation.ConversationEntityFeature.CONTROL

    @override
    @property
    def supported_languages(self) -> list[str] | Literal["*"]:
        """All: HA-Assist finds out itself which it has a grammar for."""
        return MATCH_ALL

    @override
    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        """Answer a sentence."""
        options = self._subentry.data
        try:
            await chat_log.async_provide_llm_data(
                user_input.as_llm_context(DOMAIN),
                options.get(CONF_LLM_HASS_API),
                options.get(CONF_PROMPT),
                user_input.extra_system_prompt,
            )
        except conversation.ConverseError as error:
            return error.as_conversation_result()
        try:
            await self._async_ask(chat_log, lambda: self._told(user_input))
        except HaAssistError as error:
            raise HomeAssistantError(await worded(self.hass, error, user_input.language)) from error
        return conversation.async_get_result_from_chat_log(user_input, chat_log)

    @callback
    def _told(self, user_input: conversation.ConversationInput) -> dict[str, Any]:
        """The home only where the person lets the agent see it."""
        options = self._subentry.data
        if not options.get(CONF_SEND_HOME, True):
            return {}
        home = self._data.home
        told = home.async_speech(user_input.language, user_input.device_id, user_input.satellite_id)
        if llm.LLM_API_ASSIST in (options.get(CONF_LLM_HASS_API) or ()):
            told |= home.async_home()
        return {HOME_FIELD: told}
