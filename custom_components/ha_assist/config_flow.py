"""Setting up the connection: by hand, or as the Supervisor found it."""

from collections.abc import Mapping
from typing import Any

import voluptuous as vol

from homeassistant.config_entries import (
    SOURCE_IGNORE,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
)
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import TextSelector, TextSelectorConfig, TextSelectorType
from homeassistant.helpers.service_info.hassio import HassioServiceInfo

from .api import HaAssistClient, normalize_url
from .const import (
    CONF_VERSION,
    DEFAULT_AI_TASK_TITLE,
    DEFAULT_MODEL,
    DEFAULT_TITLE,
    DOMAIN,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
)
from .errors import HaAssistError, NotHaAssist
from .subentry_flow import AI_TASK_DEFAULTS, CONVERSATION_DEFAULTS, AgentSubentryFlow

KEY_SELECTOR = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))
CONNECTION_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_URL): TextSelector(TextSelectorConfig(type=TextSelectorType.URL)),
        vol.Required(CONF_API_KEY): KEY_SELECTOR,
    }
)
KEY_SCHEMA = vol.Schema({vol.Required(CONF_API_KEY): KEY_SELECTOR})


class HaAssistConfigFlow(ConfigFlow, domain=DOMAIN):
    """A server is known by the Supervisor's discovery, else by its address."""

    VERSION = 1

    def __init__(self) -> None:
        self._found: dict[str, str] = {}
        self._found_title = DEFAULT_TITLE

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for address and key."""
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_check(user_input)
            if not errors:
                self._async_abort_entries_match({CONF_URL: data[CONF_URL]})
                await self.async_set_unique_id(data[CONF_URL])
                self._abort_if_unique_id_configured()
                return self._create(DEFAULT_TITLE, data)
        return self._connection_form("user", user_input, errors)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for another address or key."""
        entry = self._get_reconfigure_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_check(user_input)
            if not errors:
                self._async_abort_entries_match({CONF_URL: data[CONF_URL]})
                by_address = entry.unique_id == entry.data[CONF_URL]
                self._update(entry, data, data[CONF_URL] if by_address else entry.unique_id)
                return self.async_abort(reason="reconfigure_successful")
        return self._connection_form("reconfigure", user_input or dict(entry.data), errors)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """The key is not accepted any more."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for the key alone."""
        entry = self._get_reauth_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_check({**entry.data, **user_input})
            if not errors:
                self._update(entry, data, entry.unique_id)
                return self.async_abort(reason="reauth_successful")
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=KEY_SCHEMA,
            errors=errors,
            description_placeholders={"url": entry.data[CONF_URL]},
        )

    async def async_step_hassio(self, discovery_info: HassioServiceInfo) -> ConfigFlowResult:
        """The app announced itself: a new one, or one that has moved, has another key or was updated."""
        config = discovery_info.config
        self._found = {CONF_URL: normalize_url(config[CONF_URL]), CONF_API_KEY: config[CONF_API_KEY]}
        self._found_title = discovery_info.name
        entry = await self.async_set_unique_id(discovery_info.uuid) or self._entry_at(self._found[CONF_URL])
        if entry is None:
            self.context["title_placeholders"] = {"name": self._found_title}
            return await self.async_step_hassio_confirm()
        if entry.source != SOURCE_IGNORE:
            self._take_over(entry, config.get(CONF_VERSION))
        return self.async_abort(reason="already_configured")

    async def async_step_hassio_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """One question: whether to use it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            self._async_abort_entries_match({CONF_URL: self._found[CONF_URL]})
            data, errors = await self._async_check(self._found)
            if not errors:
                return self._create(self._found_title, data)
        return self.async_show_form(
            step_id="hassio_confirm", description_placeholders={"addon": self._found_title}, errors=errors
        )

    @classmethod
    @callback
    def async_get_supported_subentry_types(cls, config_entry: ConfigEntry) -> dict[str, type[ConfigSubentryFlow]]:
        """Conversation agents and AI tasks."""
        return {SUBENTRY_CONVERSATION: AgentSubentryFlow, SUBENTRY_AI_TASK: AgentSubentryFlow}

    async def _async_check(self, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
        """The data of an entry, and what is wrong with it."""
        data = {CONF_URL: given[CONF_URL], CONF_API_KEY: given[CONF_API_KEY].strip()}
        try:
            data[CONF_URL] = normalize_url(data[CONF_URL])
        except ValueError:
            return data, {CONF_URL: "invalid_url"}
        client = HaAssistClient(async_get_clientsession(self.hass), data[CONF_URL], data[CONF_API_KEY])
        try:
            if DEFAULT_MODEL not in await client.models():
                raise NotHaAssist
        except HaAssistError as error:
            return data, {"base": error.key}
        return data, {}

    def _connection_form(self, step_id: str, given: dict[str, Any] | None, errors: dict[str, str]) -> ConfigFlowResult:
        schema = self.add_suggested_values_to_schema(CONNECTION_SCHEMA, given)
        return self.async_show_form(step_id=step_id, data_schema=schema, errors=errors)

    def _create(self, title: str, data: dict[str, Any]) -> ConfigFlowResult:
        return self.async_create_entry(
            title=title,
            data=data,
            subentries=[
                {
                    "subentry_type": SUBENTRY_CONVERSATION,
                    "data": dict(CONVERSATION_DEFAULTS),
                    "title": DEFAULT_TITLE,
                    "unique_id": None,
                },
                {
                    "subentry_type": SUBENTRY_AI_TASK,
                    "data": dict(AI_TASK_DEFAULTS),
                    "title": DEFAULT_AI_TASK_TITLE,
                    "unique_id": None,
                },
            ],
        )

    def _entry_at(self, url: str) -> ConfigEntry | None:
        entries = self._async_current_entries(include_ignore=False)
        return next((entry for entry in entries if entry.data.get(CONF_URL) == url), None)

    def _take_over(self, entry: ConfigEntry, version: str | None) -> None:
        data = {**entry.data, **self._found}
        known = getattr(getattr(entry, "runtime_data", None), "version", None)
        if dict(entry.data) != data or version != known:
            self._update(entry, data, entry.unique_id)

    def _update(self, entry: ConfigEntry, data: dict[str, Any], unique_id: str | None) -> None:
        """Change an entry and have it connect again; one that is loaded does so by itself when it is changed."""
        listening = bool(entry.update_listeners)
        changed = self.hass.config_entries.async_update_entry(entry, data=data, unique_id=unique_id)
        if not (changed and listening):
            self.hass.config_entries.async_schedule_reload(entry.entry_id)
