"""Adding and changing a conversation agent or an AI task."""

from types import MappingProxyType
from typing import Any

import voluptuous as vol

from homeassistant.config_entries import ConfigEntryState, ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
)

from .const import (
    CONF_CHAT_MODEL,
    CONF_SEND_HOME,
    DEFAULT_AI_TASK_TITLE,
    DEFAULT_MODEL,
    DEFAULT_TITLE,
    SUBENTRY_CONVERSATION,
    TOOLS_API_ID,
)
from .errors import HaAssistError

CONVERSATION_DEFAULTS = MappingProxyType(
    {
        CONF_PROMPT: llm.DEFAULT_INSTRUCTIONS_PROMPT,
        CONF_LLM_HASS_API: [llm.LLM_API_ASSIST, TOOLS_API_ID],
        CONF_CHAT_MODEL: DEFAULT_MODEL,
        CONF_SEND_HOME: True,
    }
)
AI_TASK_DEFAULTS = MappingProxyType({CONF_CHAT_MODEL: DEFAULT_MODEL})


class AgentSubentryFlow(ConfigSubentryFlow):
    """One form for both kinds; a task has fewer fields."""

    @property
    def _is_agent(self) -> bool:
        return self._subentry_type == SUBENTRY_CONVERSATION

    @property
    def _default_title(self) -> str:
        return DEFAULT_TITLE if self._is_agent else DEFAULT_AI_TASK_TITLE

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add one."""
        if user_input is not None:
            name = user_input.pop(CONF_NAME).strip()
            return self.async_create_entry(title=name or self._default_title, data=user_input)
        defaults = CONVERSATION_DEFAULTS if self._is_agent else AI_TASK_DEFAULTS
        values = {CONF_NAME: self._default_title, **defaults}
        return await self._async_form("user", {vol.Required(CONF_NAME): str}, values)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Change one."""
        subentry = self._get_reconfigure_subentry()
        if user_input is not None:
            return self.async_update_and_abort(self._get_entry(), subentry, data=user_input)
        return await self._async_form("reconfigure", {}, dict(subentry.data))

    async def _async_form(
        self, step_id: str, schema: dict[vol.Marker, Any], values: dict[str, Any]
    ) -> SubentryFlowResult:
        entry = self._get_entry()
        if entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        try:
            models = await entry.runtime_data.client.models()
        except HaAssistError:
            models = entry.runtime_data.models
        if self._is_agent:
            apis = [SelectOptionDict(label=api.name, value=api.id) for api in llm.async_get_apis(self.hass)]
            offered = {api["value"] for api in apis}
            # One that is gone could not be taken out of the form.
            values[CONF_LLM_HASS_API] = [api for api in values.get(CONF_LLM_HASS_API, []) if api in offered]
            schema |= {
                vol.Optional(CONF_PROMPT): TemplateSelector(),
                vol.Optional(CONF_LLM_HASS_API): SelectSelector(SelectSelectorConfig(options=apis, multiple=True)),
                vol.Required(CONF_SEND_HOME, default=True): BooleanSelector(),
            }
        schema[vol.Required(CONF_CHAT_MODEL, default=DEFAULT_MODEL)] = SelectSelector(
            SelectSelectorConfig(options=models, mode=SelectSelectorMode.DROPDOWN, custom_value=True)
        )
        return self.async_show_form(
            step_id=step_id, data_schema=self.add_suggested_values_to_schema(vol.Schema(schema), values)
        )
