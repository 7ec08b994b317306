"""A yes that holds from now on: the tool is written into the settings, where it can be taken out again."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..errors import HaAssistError
from ..settings.store import SettingsStore

_KEY = "settings.ha_assist_trusted_tools"
_LOGGER = logging.getLogger(__name__)


def remember_trust(names: Sequence[str], store: SettingsStore) -> None:
    """Add tools to the trusted ones; where the settings cannot be saved, the yes counts this once."""
    known = store.current.settings.ha_assist_trusted_tools
    if not set(names) - set(known):
        return
    try:
        store.save({_KEY: tuple(dict.fromkeys((*known, *names)))})
    except HaAssistError as error:
        _LOGGER.warning("A tool could not be remembered as trusted: %s", error)
