"""HA-Assist: a conversation agent and AI tasks that are answered by the HA-Assist app or server."""

from homeassistant.const import CONF_API_KEY, CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed, ConfigEntryNotReady
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from . import versions
from .api import HaAssistClient
from .errors import HaAssistError, InvalidKey
from .home_context import HomeContext
from .models import HaAssistConfigEntry, HaAssistData
from .tools_api import async_offer

PLATFORMS = (Platform.AI_TASK, Platform.CONVERSATION)


async def async_setup_entry(hass: HomeAssistant, entry: HaAssistConfigEntry) -> bool:
    """Connect, and set up an entity for each subentry."""
    client = HaAssistClient(async_get_clientsession(hass), entry.data[CONF_URL], entry.data[CONF_API_KEY])
    try:
        models = await client.models()
        version = await client.version()
    except HaAssistError as error:
        kind = ConfigEntryAuthFailed if isinstance(error, InvalidKey) else ConfigEntryNotReady
        raise kind(
            translation_domain=error.translation_domain,
            translation_key=error.translation_key,
            translation_placeholders=error.translation_placeholders,
        ) from error
    versions.async_report(hass, entry.entry_id, entry.title, version)

    home = HomeContext(hass)
    entry.runtime_data = HaAssistData(client, home, models, version)
    entry.async_on_unload(home.async_listen())
    entry.async_on_unload(await async_offer(hass))
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_on_unload(entry.add_update_listener(_async_reload))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: HaAssistConfigEntry) -> bool:
    """Take the entities down, and the issues of an entry that is disabled: nobody could solve them."""
    if entry.disabled_by is not None:
        versions.async_report(hass, entry.entry_id, entry.title, None)
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def async_remove_entry(hass: HomeAssistant, entry: HaAssistConfigEntry) -> None:
    """Take the issues down too."""
    versions.async_report(hass, entry.entry_id, entry.title, None)


async def _async_reload(hass: HomeAssistant, entry: HaAssistConfigEntry) -> None:
    await hass.config_entries.async_reload(entry.entry_id)
