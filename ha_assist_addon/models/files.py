"""The files that a model can come from: one of the person's own, one of the catalogue, or none."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from typing_extensions import override

from .catalogue import Release
from .download import Download, Limits, amount
from .errors import DownloadFailed, WrongContent
from .formats import Format, check_file
from .off_loop import off_loop
from .part import part_of, read_origin
from .record import Record, hash_file, read_record, write_record
from .status import ModelFile, ModelState, ModelStatus

_LOOK_AGAIN_SECONDS = 1.0
_LOGGER = logging.getLogger(__name__)


class ManagedFile(ModelFile, Protocol):
    """A model's file that can be asked for."""

    def start(self) -> None:
        """Fetch or check the file in the background, where that is needed; needs a running event loop."""
        ...

    async def cancel(self) -> None:
        """End what `start` began; what is there of the file stays."""
        ...


class _Unmoved:
    """A file for which there is nothing to do but look."""

    @property
    def path(self) -> Path | None:
        """The file, where it can be used."""
        return None

    def start(self) -> None:
        """Nothing is fetched."""

    async def cancel(self) -> None:
        """Nothing runs."""

    async def wait(self) -> Path:
        """Looks until the file is there."""
        while (path := self.path) is None:  # noqa: ASYNC110 - nothing tells of a file that a person puts there
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        return path


class AbsentFile(_Unmoved):
    """No file, and nothing to fetch; `sentence` says why and what to do."""

    def __init__(self, sentence: str) -> None:
        self.status = ModelStatus(ModelState.MISSING, sentence)


class OwnFile(_Unmoved):
    """A file that the settings name; it is looked at anew each time, since a person may put it right."""

    def __init__(self, path: Path, expected: Format) -> None:
        self._path = path
        self._format = expected

    @property
    @override
    def path(self) -> Path | None:
        """The file, where it can be used."""
        return self._path if self.status.state is ModelState.READY else None

    @property
    def status(self) -> ModelStatus:
        """READY, or what is wrong with the file."""
        path, expected = self._path, self._format
        if path.suffix.lower() != expected.suffix:
            return ModelStatus(ModelState.FAILED, f"{path} is no {expected.suffix} file, as this model needs.")
        try:
            if path.is_dir():
                return ModelStatus(ModelState.FAILED, f"{path} is a folder, not a file.")
            check_file(expected, path)
        except FileNotFoundError:
            return ModelStatus(ModelState.MISSING, f"There is no file {path}. Put it there, or leave its path empty.")
        except OSError as error:
            reason = os.strerror(error.errno).lower() if error.errno else str(error)
            return ModelStatus(ModelState.FAILED, f"{path} cannot be read: {reason}.")
        except WrongContent as error:
            return ModelStatus(ModelState.FAILED, f"{path} cannot be used. {error}")
        return ModelStatus(ModelState.READY)


class _Look(Enum):
    """What a look at the disk tells of a file."""

    ABSENT = auto()
    GOOD = auto()
    UNCHECKED = auto()
    CHANGED = auto()
    REFUSED = auto()


class CatalogueFile:
    """A file that HA-Assist can fetch; only `start` makes it do so."""

    def __init__(self, release: Release, target: Path, expected: Format, limits: Limits | None = None) -> None:
        self._release = release
        self._target = target
        self._format = expected
        self._limits = limits
        self._task: asyncio.Task[None] | None = None
        self._download: Download | None = None
        self._failure = ""
        self._refused: tuple[int, int] | None = None
        """Size and time of the file that was found to be wrong."""

    @property
    def path(self) -> Path | None:
        """The whole file, None while it is fetched or checked."""
        if self._running:
            return None
        return self._target if self._look() in {_Look.GOOD, _Look.UNCHECKED} else None

    @property
    def status(self) -> ModelStatus:
        """How the file is; quick, nothing is hashed."""
        if self._running:
            return self._moving()
        match self._look():
            case _Look.GOOD | _Look.UNCHECKED:
                return ModelStatus(ModelState.READY)
            case _Look.REFUSED:
                return ModelStatus(ModelState.FAILED, self._failure)
            case _Look.CHANGED:
                return ModelStatus(
                    ModelState.FAILED, f"{self._target} was changed since it was fetched and has to be checked first."
                )
            case _Look.ABSENT if self._failure:
                return ModelStatus(ModelState.FAILED, self._failure, progress=self._share())
            case _Look.ABSENT:
                return self._missing()

    def start(self) -> None:
        """Fetch the file, or check one that nobody has checked; runs until done, failed or cancelled."""
        look = self._look()
        if self._running or look in {_Look.GOOD, _Look.REFUSED}:
            return
        self._failure = ""
        absent = look is _Look.ABSENT
        self._download = Download(self._release, self._target, self._format, self._limits) if absent else None
        self._task = asyncio.create_task(self._run(), name=f"model file {self._target.name}")

    async def cancel(self) -> None:
        """End a download or check; a later `start` goes on from there."""
        task = self._task
        if task is None:
            return
        task.cancel()
        await asyncio.wait({task})

    async def wait(self) -> Path:
        """The file as soon as it is there, whoever puts it there."""
        while (path := self.path) is None:
            if self._task is not None and not self._task.done():
                await asyncio.wait({self._task})
            else:
                await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        return path

    @property
    def _running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def _run(self) -> None:
        try:
            if self._download is None:
                await self._check()
            else:
                await self._fetch(self._download)
        except DownloadFailed as error:
            self._fail(str(error))
        except OSError as error:
            self._fail(f"{self._target} cannot be used: {error.strerror or error}.")
        except Exception:
            _LOGGER.exception("%s could not be fetched", self._target.name)
            self._failure = f"Something went wrong with {self._target.name}; the log tells more."

    async def _fetch(self, download: Download) -> None:
        _LOGGER.info("%s is being fetched", self._target.name)
        await download.run()
        _LOGGER.info("%s is there", self._target.name)

    async def _check(self) -> None:
        """Hash a file that a person put there, or that looks changed, and keep its record."""
        status = await off_loop(self._target.stat)
        try:
            await off_loop(check_file, self._format, self._target)
        except WrongContent as error:
            self._refuse(status, f"{self._target} cannot be used. {error} Delete it, and it is fetched.")
            return
        record = read_record(self._target)
        expected = self._release.sha256 or (record.sha256 if record else None)
        stop = threading.Event()
        digest = await off_loop(hash_file, self._target, stop, on_cancel=stop.set)
        if expected in {None, digest}:
            await off_loop(write_record, self._target, Record.of(status, digest, record.address if record else ""))
            return
        why = "was changed since it was fetched" if record else "is not the file that was published"
        self._refuse(status, f"{self._target} {why}: its hash is wrong. Delete it, and it is fetched again.")

    def _refuse(self, status: os.stat_result, sentence: str) -> None:
        self._refused = (status.st_size, status.st_mtime_ns)
        self._fail(sentence)

    def _fail(self, sentence: str) -> None:
        _LOGGER.warning("%s", sentence)
        self._failure = sentence

    def _look(self) -> _Look:
        try:
            status = self._target.stat()
        except OSError:
            return _Look.ABSENT
        if (status.st_size, status.st_mtime_ns) == self._refused:
            return _Look.REFUSED
        record = read_record(self._target)
        if record is not None:
            return _Look.GOOD if record.matches(status) else _Look.CHANGED
        try:
            check_file(self._format, self._target)
        except (OSError, WrongContent):
            return _Look.CHANGED
        return _Look.UNCHECKED

    def _moving(self) -> ModelStatus:
        name = self._target.name
        if self._download is None:
            return ModelStatus(ModelState.LOADING, f"{name} is being checked.")
        progress = self._download.progress
        sentence = f"{name} is being fetched: {amount(progress.done)}"
        if progress.total:
            sentence += f" of {amount(progress.total)}"
        if progress.bytes_per_second:
            sentence += f", {amount(progress.bytes_per_second)} a second"
        return ModelStatus(
            ModelState.DOWNLOADING, f"{sentence}. {self._download.note}".rstrip(), progress=progress.share
        )

    def _missing(self) -> ModelStatus:
        name, size = self._target.name, self._release.size
        about = f" It is about {amount(size)}." if size else ""
        if (share := self._share()) is None:
            return ModelStatus(ModelState.MISSING, f"{name} has not been fetched yet.{about}")
        return ModelStatus(
            ModelState.MISSING, f"{name} is there to {share:.0%}; the rest has not been fetched yet.", share
        )

    def _share(self) -> float | None:
        origin = read_origin(self._target)
        if origin is None or not origin.size:
            return None
        try:
            return min(part_of(self._target).stat().st_size / origin.size, 1.0)
        except OSError:
            return None
