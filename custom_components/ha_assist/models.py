"""What a config entry holds while it is loaded."""

from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntry

from .api import HaAssistClient
from .home_context import HomeContext


@dataclass(frozen=True, slots=True)
class HaAssistData:
    """Shared by the entities of an entry."""

    client: HaAssistClient
    home: HomeContext
    models: list[str]
    version: str | None


type HaAssistConfigEntry = ConfigEntry[HaAssistData]
