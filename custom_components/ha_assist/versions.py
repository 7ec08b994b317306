"""Whether server and integration fit each other."""

from awesomeversion import AwesomeVersion, AwesomeVersionException

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN

OLDEST_SERVER = "0.1.0"
NEXT_SERVER = "1.0.0"
"""From here on the integration cannot know what has changed."""

SERVER_TOO_OLD = "server_too_old"
INTEGRATION_TOO_OLD = "integration_too_old"


def misfit(version: str | None) -> str | None:
    """Which of the two has to be updated, as the name of an issue; None where they fit or nothing is known."""
    try:
        if version is None:
            return None
        if AwesomeVersion(version) < OLDEST_SERVER:
            return SERVER_TOO_OLD
        return INTEGRATION_TOO_OLD if AwesomeVersion(version) >= NEXT_SERVER else None
    except AwesomeVersionException:
        return None


@callback
def async_report(hass: HomeAssistant, entry_id: str, title: str, version: str | None) -> None:
    """Raise the issue that there is, and take down the one that there is no more."""
    found = misfit(version)
    for kind in (SERVER_TOO_OLD, INTEGRATION_TOO_OLD):
        issue_id = f"{kind}_{entry_id}"
        if kind != found:
            ir.async_delete_issue(hass, DOMAIN, issue_id)
            continue
        ir.async_create_issue(
            hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=kind,
            translation_placeholders={"title": title, "version": str(version), "oldest": OLDEST_SERVER},
        )
