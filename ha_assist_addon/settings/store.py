"""The settings in force: read from settings.yaml, overridden by the environment, saved whole and applied live."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import SecretStr, ValidationError

from .document import LARGEST, DocumentError, flatten, parse, render, unflatten
from .errors import SettingsConflict, SettingsInvalid, SettingsWriteError
from .explain import Fault, dotted, explain, faults_of
from .files import TooLarge, read_regular, write_private
from .model import Settings
from .profiles import check_profile

FILE_NAME = "settings.yaml"
MASK = str(SecretStr("x"))
"""What stands for a secret in everything that leaves the server; coming back, it means "as it was"."""

_TOO_LARGE = b"\0too large"
"""Stands for the content of a file that is not read."""
_ENV_PREFIX = "HA_ASSIST_"
_ENV_BLOCKS = tuple(f"{_ENV_PREFIX}{name.upper()}__" for name in Settings.model_fields)
_LOGGER = logging.getLogger(__name__)

Subscriber = Callable[[Settings, Settings], None]
"""Called with the settings before and after a change."""


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """Why the settings are not those that the file or the environment asks for."""

    sentence: str
    key: str = ""
    """The dotted key at fault, empty where it is the whole file."""
    copy: Path | None = None
    """Where the refused file was kept."""
    faults: tuple[Fault, ...] = ()
    """Every key at fault."""


class SettingsStore:
    """Holds the settings in force; `current` is an immutable snapshot that everybody reads anew when needed."""

    def __init__(self, data_dir: Path, environ: Mapping[str, str] | None = None) -> None:
        self.path = data_dir / FILE_NAME
        self.current = Settings()
        self.problem: SettingsProblem | None = None
        self.revision = ""
        """Changes with the file's content; handed back to `save` it proves that nobody else saved in between."""
        self.overridden: Mapping[str, str] = MappingProxyType({})
        """Dotted keys that environment variables decide, with the variable's name."""
        self._written: dict[str, Any] = {}
        self._environ = dict(os.environ if environ is None else environ)
        self._subscribers: list[Subscriber] = []
        self._lock = threading.Lock()
        self.load()

    def load(self) -> Settings:
        """Read the file again; a file that cannot be used changes nothing and becomes `problem`."""
        with self._lock:
            before = self.current
            self._load()
        self._tell(before)
        return self.current

    def save(self, update: Settings | Mapping[str, Any], *, expected_revision: str | None = None) -> Settings:
        """Validate, write and apply; a mapping holds only what changes, in blocks or by dotted keys.

        Raises SettingsInvalid, SettingsConflict or SettingsWriteError, and then nothing has changed.
        """
        with self._lock:
            self._refuse_stale(expected_revision)
            before = self.current
            old = values_of(before)
            asked = values_of(update) if isinstance(update, Settings) else _unmask(update)
            settings = _validate({**old, **asked})
            changes = {key: value for key, value in values_of(settings).items() if value != old[key]}
            self._refuse_overridden(changes)
            _refuse_impossible(before, settings)
            if changes or self.problem:
                written = {**self._written, **changes}
                self._write(render(unflatten(written)))
                self._written = written
                self.current = settings
                self.problem = None
        self._tell(before)
        return self.current

    def validated(self, update: Mapping[str, Any]) -> Settings:
        """The settings as they would be with this update, by dotted keys; nothing is saved. Raises SettingsInvalid."""
        return _validate({**values_of(self.current), **_unmask(update)})

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call back after each change; returns what ends it."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback) if callback in self._subscribers else None

    def _load(self) -> None:
        self.problem = None
        content = b""
        try:
            content = _read(self.path)
            document = parse(content)
            Settings.model_validate(document)
        except TooLarge as error:
            content = _TOO_LARGE
            self._report(SettingsProblem(f"{self.path} cannot be read: {error.strerror}.", copy=self._keep_link()))
        except OSError as error:
            self._report(SettingsProblem(f"{self.path} cannot be read: {error.strerror or error}."))
        except DocumentError as error:
            self._report(SettingsProblem(str(error), copy=self._keep_copy(content)))
        except ValidationError as error:
            key, sentence = explain(error, Settings)
            self._report(SettingsProblem(sentence, key, self._keep_copy(content), faults_of(error)))
        else:
            self._written = dict(flatten(document))
        self.revision = _hash(content)
        self._apply_environment()

    def _apply_environment(self) -> None:
        variables = {_key(name): name for name in sorted(self._environ) if _overrides(name, self._environ[name])}
        while True:
            values = {key: self._environ[name] for key, name in variables.items()}
            try:
                self.current = Settings.model_validate(unflatten({**self._written, **values}))
            except ValidationError as error:
                key, sentence = explain(error, Settings, variables)
                self._report(SettingsProblem(sentence, key, faults=faults_of(error)))
                faults = {dotted(fault) for fault in error.errors()}
                kept = {k: v for k, v in variables.items() if not any(_related(k, fault) for fault in faults)}
                # Whatever the fault is called, the loop must end.
                variables = kept if len(kept) < len(variables) else {}
            else:
                self.overridden = MappingProxyType(variables)
                return

    def _report(self, problem: SettingsProblem) -> None:
        _LOGGER.error("%s", problem.sentence)
        self.problem = self.problem or problem

    def _keep_copy(self, content: bytes) -> Path | None:
        kept = sorted(self.path.parent.glob(f"{FILE_NAME}.broken-*"))
        copy = self.path.with_name(f"{FILE_NAME}.broken-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}")
        try:
            same = next((old for old in kept if _holds(old, content)), None)
            if same is None:
                write_private(copy, content)
        except OSError as error:
            _LOGGER.warning("No copy of the refused %s could be kept: %s", self.path, error.strerror or error)
            return None
        return same or copy

    def _keep_link(self) -> Path | None:
        """Another name for a file that is too large to be copied: saving leaves it there under that name."""
        copy = self.path.with_name(f"{FILE_NAME}.broken-large")
        try:
            copy.unlink(missing_ok=True)
            copy.hardlink_to(self.path)
        except OSError as error:
            _LOGGER.warning("The refused %s could not be kept: %s", self.path, error.strerror or error)
            return None
        return copy

    def _refuse_stale(self, expected_revision: str | None) -> None:
        try:
            on_disk = _hash(_read(self.path))
        except TooLarge:
            on_disk = _hash(_TOO_LARGE)
        except OSError as error:
            raise SettingsWriteError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        if on_disk != self.revision:
            raise SettingsConflict(f"{FILE_NAME} was changed by hand, so nothing was saved. Reload the settings first.")
        if expected_revision not in {None, on_disk}:
            raise SettingsConflict

    def _refuse_overridden(self, changes: Mapping[str, Any]) -> None:
        for key in changes:
            if key in self.overridden:
                raise SettingsInvalid(
                    f"{key} is set by the environment variable {self.overridden[key]} and can only be changed there.",
                    param=key,
                    faults=(Fault(key, "overridden", {"name": self.overridden[key]}),),
                )

    def _write(self, content: bytes) -> None:
        try:
            write_private(self.path, content)
        except OSError as error:
            raise SettingsWriteError(
                f"The settings could not be saved in {self.path.parent}: {error.strerror or error}."
            ) from error
        self.revision = _hash(content)

    def _tell(self, before: Settings) -> None:
        if self.current == before:
            return
        for subscriber in tuple(self._subscribers):
            try:
                subscriber(before, self.current)
            except Exception:
                # The settings are saved; that one part cannot follow must not look as if they were not.
                _LOGGER.exception("A part of HA-Assist did not take over the changed settings")


def values_of(settings: Settings) -> dict[str, Any]:
    """All settings by dotted key, secrets in clear: never to be shown or logged."""
    return {key: _plain(value) for key, value in flatten(settings.model_dump())}


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return list(value) if isinstance(value, tuple) else value


def _unmask(update: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in flatten(update) if not (key.endswith(".api_key") and value == MASK)}


def _validate(values: Mapping[str, Any]) -> Settings:
    try:
        return Settings.model_validate(unflatten(values))
    except ValidationError as error:
        key, sentence = explain(error, Settings)
        raise SettingsInvalid(sentence, param=key, faults=faults_of(error)) from error


def _refuse_impossible(before: Settings, after: Settings) -> None:
    # What is impossible already, by a file written by hand, must not stand in the way of other changes.
    known = {problem.rule for problem in check_profile(before)}
    for problem in check_profile(after):
        if problem.impossible and problem.rule not in known:
            faults = (Fault(problem.keys[0], str(problem.rule)),)
            raise SettingsInvalid(problem.sentence, param=problem.keys[0], faults=faults)


def _read(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST)
    except FileNotFoundError:
        return b""


def _holds(path: Path, content: bytes) -> bool:
    try:
        return read_regular(path, LARGEST) == content
    except OSError:
        return False


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _overrides(name: str, value: str) -> bool:
    return name.upper().startswith(_ENV_BLOCKS) and bool(value.strip())


def _key(name: str) -> str:
    return name[len(_ENV_PREFIX) :].lower().replace("__", ".")


def _related(key: str, other: str) -> bool:
    return key == other or key.startswith(f"{other}.") or other.startswith(f"{key}.")
