"""What a person can send along with a report: no key, no instructions, no names of the home."""

from typing import Any

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.const import CONF_API_KEY, CONF_PROMPT, CONF_URL
from homeassistant.core import HomeAssistant

from .models import HaAssistConfigEntry, HaAssistData
from .versions import misfit

REDACTED = {CONF_API_KEY, CONF_PROMPT, CONF_URL}


async def async_get_config_entry_diagnostics(hass: HomeAssistant, entry: HaAssistConfigEntry) -> dict[str, Any]:
    """An entry and how much of the home is told."""
    # An entry that is not loaded has none.
    data: HaAssistData | None = getattr(entry, "runtime_data", None)
    return {
        "entry": async_redact_data(dict(entry.data), REDACTED),
        "state": entry.state.value,
        "server": data and {"version": data.version, "models": data.models, "misfit": misfit(data.version)},
        "subentries": [
            {
                "type": subentry.subentry_type,
                "data": async_redact_data(dict(subentry.data), REDACTED),
            }
            for subentry in entry.subentries.values()
        ],
        "home": data and {kind: len(told) for kind, told in data.home.async_home().items()},
    }
