"""What can go wrong between Home Assistant and HA-Assist, worded by the translations."""

from typing import ClassVar

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import translation

from .const import DOMAIN


class HaAssistError(HomeAssistantError):
    """Base of all; `key` names its text in the translations."""

    key: ClassVar[str]

    def __init__(self, **placeholders: str) -> None:
        super().__init__(translation_domain=DOMAIN, translation_key=self.key, translation_placeholders=placeholders)


class CannotConnect(HaAssistError):
    """Nothing answers at the address, or the connection broke."""

    key = "cannot_connect"


class TimedOut(HaAssistError):
    """The answer took too long."""

    key = "timeout"


class InvalidKey(HaAssistError):
    """The key is missing or wrong."""

    key = "invalid_auth"


class Unavailable(HaAssistError):
    """Something in between, such as a proxy, says that it cannot reach HA-Assist."""

    key = "unavailable"


class NotHaAssist(HaAssistError):
    """Something else answers there."""

    key = "not_ha_assist"


class Refused(HaAssistError):
    """HA-Assist says itself what is wrong, in a sentence for a person; `param` names the part of the request."""

    key = "refused"

    def __init__(self, *, message: str, param: str = "") -> None:
        super().__init__(message=message)
        self.param = param


class Interrupted(HaAssistError):
    """The answer ended in the middle, or cannot be read."""

    key = "interrupted"


class EmptyAnswer(HaAssistError):
    """Neither a text nor a call came."""

    key = "empty_answer"


class TooManyRounds(HaAssistError):
    """Calls without end."""

    key = "too_many_rounds"


class InvalidData(HaAssistError):
    """The answer is not of the structure that was asked for."""

    key = "invalid_data"


class UnusableAttachment(HaAssistError):
    """A file that is no image, or cannot be read."""

    key = "unusable_attachment"


async def worded(hass: HomeAssistant, error: HaAssistError, language: str) -> str:
    """The error in the language of a conversation; the text of an exception itself is always English."""
    texts = await translation.async_get_translations(hass, language, "exceptions", {DOMAIN})
    text = texts.get(f"component.{DOMAIN}.exceptions.{error.key}.message")
    return text.format(**(error.translation_placeholders or {})) if text else str(error)
