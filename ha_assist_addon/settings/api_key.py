"""The key that clients of the API must send: given by the person, else made at the first start and kept."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from .bootstrap import Bootstrap
from .files import TooLarge, read_regular, write_private

FILE_NAME = "api_key"
_LARGEST = 4096
_LOGGER = logging.getLogger(__name__)


class KeySource(StrEnum):
    """Where a key comes from."""

    GIVEN = "given"
    """By option, environment variable or argument."""
    FILE = "file"
    GENERATED = "generated"
    TEMPORARY = "temporary"
    """Could not be kept: the next start has another."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The key in force; its value never appears in a log."""

    value: str = field(repr=False)
    source: KeySource
    path: Path | None = None
    """The file it is kept in."""


def ensure_api_key(bootstrap: Bootstrap) -> ApiKey:
    """The key for this run; never fails, a data directory that cannot be written to gives a key for this run alone."""
    if bootstrap.api_key is not None:
        return ApiKey(bootstrap.api_key.get_secret_value(), KeySource.GIVEN)
    path = bootstrap.data_dir / FILE_NAME
    try:
        if kept := _read(path):
            return ApiKey(kept, KeySource.FILE, path)
        made = secrets.token_urlsafe(32)
        write_private(path, f"{made}\n".encode())
    except OSError as error:
        _LOGGER.warning(
            "The key cannot be kept in %s (%s): a new one holds until the next start, then clients need yet another. "
            "The panel shows it.",
            path,
            error.strerror or error,
        )
        return ApiKey(secrets.token_urlsafe(32), KeySource.TEMPORARY)
    _LOGGER.info("A key for the API was made and is kept in %s", path)
    return ApiKey(made, KeySource.GENERATED, path)


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_mode & 0o077:
            # Another's file, or a folder that cannot be written to: the key in it counts all the same.
            with suppress(OSError):
                path.chmod(0o600)
        key = read_regular(path, _LARGEST).strip()
    except (FileNotFoundError, TooLarge):
        return None
    # It travels in a header: a file that was cut short or overwritten with anything else is replaced.
    usable = key.isascii() and key.decode("ascii").isprintable() and b" " not in key
    return key.decode("ascii") if key and usable else None
