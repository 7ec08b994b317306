"""Whether server and integration fit each other."""

import re

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN

OLDEST_SERVER = "0.1.0"
NEXT_SERVER = "1.0.0"
_OLDEST, _NEXT = (0, 1, 0), (1, 0, 0)
_NUMBERS = re.compile(r"v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?![\d.])")
"""From here on the integration cannot know what has changed."""

SERVER_TOO_OLD = "server_too_old"
INTEGRATION_TOO_OLD = "integration_too_old"


def misfit(version: str | None) -> str | None:
    """Which of the two has to be updated, as the name of an issue; None where they fit or nothing is known."""
    found = _NUMBERS.match(version or "")
    if found is None:
        return None
    # What a preview such as 1.0.0b1 is about to be counts: it has what that will have.
    numbers = tuple(int(number or 0) for number in found.groups())
    if numbers < _OLDEST:
        return SERVER_TOO_OLD
    return INTEGRATION_TOO_OLD if numbers >= _NEXT else None


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
