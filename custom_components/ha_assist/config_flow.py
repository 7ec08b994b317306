"""Setting up the connection: by hand, or as the Supervisor found it."""

from collections.abc import Mapping
from typing import Any, override

import voluptuous as vol

from homeassistant.config_entries import (
    SOURCE_IGNORE,
    SOURCE_REAUTH,
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentryFlow,
)
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import callback
from homeassistant.data_entry_flow import AbortFlow
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
    LENGTH_OF_MADE_KEYS,
    LOGGER,
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

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for address and key."""
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_check(user_input)
            if not errors:
                return self._create(DEFAULT_TITLE, data)
        return self._connection_form("user", user_input, errors)

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for another address or key."""
        entry = self._get_reconfigure_entry()
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_check(user_input)
            if not errors:
                self._update(entry, data, entry.unique_id)
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

    @override
    async def async_step_hassio(self, discovery_info: HassioServiceInfo) -> ConfigFlowResult:
        """The app announced itself: a new one, or one that has moved, has another key or was updated."""
        config = discovery_info.config
        try:
            key = str(config[CONF_API_KEY]).strip()
            self._found = {CONF_URL: normalize_url(str(config[CONF_URL])), CONF_API_KEY: key}
        except (KeyError, ValueError):
            key = ""
        if not key:
            return self.async_abort(reason="invalid_discovery_info")
        self._found_title = discovery_info.name
        entry = await self.async_set_unique_id(discovery_info.uuid) or self._entry_of(self._found)
        if entry is None:
            self.context["title_placeholders"] = {"name": self._found_title}
            return await self.async_step_hassio_confirm()
        if entry.source != SOURCE_IGNORE:
            if entry.unique_id != discovery_info.uuid:
                # It was connected by hand, under an address that works.
                self._found[CONF_URL] = entry.data[CONF_URL]
            self._take_over(entry, config.get(CONF_VERSION))
        return self.async_abort(reason="already_configured")

    async def async_step_hassio_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """One question: whether to use it."""
        errors: dict[str, str] = {}
        if user_input is not None:
            data, errors = await self._async_check(self._found)
            if not errors:
                return self._create(self._found_title, data)
        return self.async_show_form(
            step_id="hassio_confirm", description_placeholders={"addon": self._found_title}, errors=errors
        )

    @override
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
        known = self._entry_of(data)
        ours = self.context.get("entry_id") if self.source in (SOURCE_REAUTH, SOURCE_RECONFIGURE) else None
        if known is not None and known.entry_id != ours:
            raise AbortFlow("already_configured")
        client = HaAssistClient(async_get_clientsession(self.hass), data[CONF_URL], data[CONF_API_KEY])
        try:
            models = await client.models()
        except HaAssistError as error:
            return data, {"base": error.key}
        except Exception:  # noqa: BLE001 - whatever it is, the person can go on with the form
            LOGGER.exception("The connection to HA-Assist cannot be checked")
            return data, {"base": "unknown"}
        return data, {} if DEFAULT_MODEL in models else {"base": NotHaAssist.key}

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

    def _entry_of(self, data: Mapping[str, Any]) -> ConfigEntry | None:
        """The entry of a server: by its address, or by the key that it made for itself, whatever it is called."""
        key = data[CONF_API_KEY]
        own = len(key) >= LENGTH_OF_MADE_KEYS
        for entry in self._async_current_entries(include_ignore=False):
            if entry.data.get(CONF_URL) == data[CONF_URL] or (own and entry.data.get(CONF_API_KEY) == key):
                return entry
        return None

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
