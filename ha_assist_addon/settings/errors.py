"""What can go wrong when settings are saved; each is one sentence for the person in the panel."""

from __future__ import annotations

from ..errors import HaAssistError, InvalidRequest
from .explain import Fault


class SettingsInvalid(InvalidRequest):
    """A value or key that settings.yaml cannot hold; `param` names it."""

    code = "settings_invalid"
    sentence = "These settings are not valid."

    def __init__(self, message: str | None = None, *, param: str | None = None, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message, param=param)
        self.faults = faults
        """Every key at fault."""


class SettingsConflict(HaAssistError):
    """Somebody else changed the settings in the meantime."""

    code = "settings_conflict"
    status = 409
    type = "invalid_request_error"
    sentence = "The settings were changed elsewhere in the meantime, so nothing was saved. Reload them and try again."


class SettingsWriteError(HaAssistError):
    """The data directory cannot be written to."""

    code = "settings_not_saved"
    status = 500
    sentence = "The settings could not be saved."


class BootstrapError(Exception):
    """An argument or environment variable with which the server cannot start."""
