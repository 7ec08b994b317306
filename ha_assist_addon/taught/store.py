"""taught.yaml in the data directory: read strictly, written whole, and looked at again when it has changed."""

from __future__ import annotations

import hashlib
import logging
import threading
from pathlib import Path

from pydantic import ValidationError

from ..errors import HaAssistError
from ..settings.files import read_regular, write_private
from .document import FILE_NAME, LARGEST, DocumentError, read, render
from .lessons import Lessons

_LOGGER = logging.getLogger(__name__)


class TaughtNotSaved(HaAssistError):
    """What was taught could not be kept."""

    code = "taught_not_saved"
    status = 409
    sentence = "What was taught was changed in the meantime, so nothing was saved."


class LessonStore:
    """Holds what was taught; without a folder nothing is kept beyond this process."""

    def __init__(self, data_dir: Path | None = None) -> None:
        self.path = data_dir / FILE_NAME if data_dir is not None else None
        self.problem: str | None = None
        """Why the file is not used, in one sentence; what was read before stays in force."""
        self._lessons = Lessons()
        self._seen: tuple[int, int] | None = None
        self._hash = ""
        self._lock = threading.Lock()

    @property
    def current(self) -> Lessons:
        """What is in force: the file's content, read again where the file has changed."""
        if self.path is not None:
            seen = _stamp(self.path)
            if seen != self._seen:
                with self._lock:
                    self._load(self.path, seen)
        return self._lessons

    @property
    def revision(self) -> str:
        """Changes with what was taught; handed back to `save` it proves that nobody else saved in between."""
        _ = self.current
        return self._hash

    def save(self, lessons: Lessons, *, expected_revision: str) -> None:
        """Write and apply; raises TaughtNotSaved, and then nothing has changed."""
        if self.revision != expected_revision:
            raise TaughtNotSaved
        if self.problem is not None:
            raise TaughtNotSaved(self.problem)
        content = render(lessons.file)
        if len(content) > LARGEST:
            raise TaughtNotSaved(f"{FILE_NAME} would have more than {LARGEST // 1024} KB.")
        with self._lock:
            if self.path is not None:
                try:
                    write_private(self.path, content)
                except OSError as error:
                    raise TaughtNotSaved(f"{self.path} cannot be written: {error.strerror or error}.") from error
                self._seen = _stamp(self.path)
            self._lessons, self._hash = lessons, _hash(content)

    def _load(self, path: Path, seen: tuple[int, int] | None) -> None:
        self._seen = seen
        content = b""
        try:
            content = read_regular(path, LARGEST) if seen is not None else b""
            self._lessons, self.problem = Lessons(read(content)), None
        except OSError as error:
            self.problem = f"{path} cannot be read: {error.strerror or error}."
        except DocumentError as error:
            self.problem = str(error)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            self.problem = f"{FILE_NAME} is not used: {place + ': ' if place else ''}{first['msg']}."
        self._hash = _hash(content)
        if self.problem is not None:
            _LOGGER.warning("%s", self.problem)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
