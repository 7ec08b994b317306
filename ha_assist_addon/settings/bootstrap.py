"""What must be known before settings.yaml can be read: where the data is, where to listen, and who may ask."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any, Literal, Self, get_args

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import override

from .errors import BootstrapError
from .explain import explain
from .files import read_regular

OPTIONS_FILE = "options.json"
_LARGEST_OPTIONS = 1024 * 1024
LogLevel = Literal["debug", "info", "warning", "error"]
_LOGGER = logging.getLogger(__name__)


class Bootstrap(BaseSettings):
    """Values of the command line, else of `HA_ASSIST_*`, else of the Supervisor's options, else the defaults."""

    model_config = SettingsConfigDict(env_prefix="HA_ASSIST_", env_ignore_empty=True, extra="ignore", frozen=True)

    data_dir: Path = Field(Path("data"), description="Where settings, key and models are kept.")
    host: str = Field("0.0.0.0", description="The address on which the API listens.")  # noqa: S104 - the home's other machines are to reach it, with the key
    port: int = Field(8090, ge=0, le=65535, description="The port of the API; 0 takes a free one.")
    panel_port: int = Field(8099, ge=0, le=65535, description="The port of the panel; 0 takes a free one.")
    api_key: SecretStr | None = Field(None, description="The key that clients must send.")
    log_level: LogLevel = Field("info", description="How much the log tells.")
    home_assistant_url: str | None = Field(None, description="Where Home Assistant is, outside of its add-ons.")
    home_assistant_token: SecretStr | None = Field(None, description="A long-lived token for that Home Assistant.")

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("api_key", "home_assistant_url", "home_assistant_token", mode="before")
    @classmethod
    def _blank_is_unset(cls, value: object) -> object:
        return value.strip() or None if isinstance(value, str) else value

    @override
    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Later sources only fill what earlier ones leave open."""
        return init_settings, env_settings, SupervisorOptions(settings_cls)

    @classmethod
    def load(cls, **arguments: Any) -> Self:
        """Gather the values; arguments that are None or empty count as not given. Raises BootstrapError."""
        try:
            return cls(**{name: value for name, value in arguments.items() if value not in {None, ""}})
        except ValidationError as error:
            raise BootstrapError(explain(error, cls)[1]) from error


class SupervisorOptions(PydanticBaseSettingsSource):
    """The add-on's options as the Supervisor writes them at each start; nothing in them can prevent the start."""

    @override
    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Unused: all values are read at once."""
        return None, field_name, False

    @override
    def __call__(self) -> dict[str, Any]:
        """The options that can be used."""
        folder = self.current_state.get("data_dir") or Bootstrap.model_fields["data_dir"].default
        path = Path(folder) / OPTIONS_FILE
        try:
            options = json.loads(read_regular(path, _LARGEST_OPTIONS))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            _LOGGER.warning("%s cannot be read and is left out: %s", path, error)
            return {}
        if not isinstance(options, dict):
            _LOGGER.warning("%s holds no options and is left out", path)
            return {}
        return {
            name: value for name in ("log_level", "api_key") if self._usable(name, value := options.get(name), path)
        }

    def _usable(self, name: str, value: object, path: Path) -> bool:
        if value is None or value == "":
            return False
        good = isinstance(value, str) and (name != "log_level" or value.strip().lower() in get_args(LogLevel))
        if not good:
            _LOGGER.warning("The option %s in %s is not valid and is left out", name, path)
        return good
