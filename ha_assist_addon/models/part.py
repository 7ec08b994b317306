"""The unfinished file beside its target: what it is a piece of, its hash so far, and the lock of its only writer.

Everything here blocks on the disk and may raise OSError.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from io import FileIO
from pathlib import Path

from ..settings.files import write_private
from .errors import PartBusy
from .formats import HEAD_BYTES
from .record import Record, Stopped, write_record

_READ_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Origin:
    """What a part is the beginning of.

    `validator` is the server's strong ETag or its date, by which it tells whether the file is still the same; empty
    where it sends neither. `size` is that of the whole file in bytes.
    """

    address: str
    validator: str = ""
    size: int | None = None


class PartFile:
    """`<target>.part` with `<target>.part.json`, held by one writer until `close`. Raises PartBusy."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._path = part_of(target)
        self._sidecar = target.with_name(f"{target.name}.part.json")
        self._file = _open_locked(self._path)
        self.size = os.fstat(self._file.fileno()).st_size
        self.origin = read_origin(target)
        self._hash = hashlib.sha256()
        self._hashed = 0
        self._gone = False

    def restart(self, origin: Origin) -> None:
        """Begin anew, as a piece of this origin."""
        self.clear()
        self.learn(origin)

    def learn(self, origin: Origin) -> None:
        """Keep what is known of the whole file."""
        write_private(self._sidecar, json.dumps(asdict(origin)).encode())
        self.origin = origin

    def clear(self) -> None:
        """Throw the bytes away, and what they were a piece of."""
        self._file.truncate(0)
        self.size = self._hashed = 0
        self._hash = hashlib.sha256()
        self.origin = None
        self._sidecar.unlink(missing_ok=True)

    def rehash(self, stop: threading.Event) -> None:
        """Hash what an earlier run left; raises Stopped."""
        self._hash = hashlib.sha256()
        self._file.seek(0)
        while block := self._file.read(_READ_BYTES):
            if stop.is_set():
                raise Stopped
            self._hash.update(block)
        self._hashed = self.size

    def append(self, content: bytes) -> None:
        """Write and hash the next bytes."""
        rest = memoryview(content)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._hash.update(content)
        self.size += len(content)
        self._hashed += len(content)

    def sync(self) -> None:
        """Have the bytes on the disk, not only on their way."""
        os.fsync(self._file.fileno())

    @property
    def hashed(self) -> bool:
        """Whether the hash covers all bytes."""
        return self._hashed == self.size

    @property
    def sha256(self) -> str:
        """The hash of all bytes, in hexadecimal."""
        return self._hash.hexdigest()

    def head(self) -> bytes:
        """The first bytes."""
        return os.pread(self._file.fileno(), HEAD_BYTES, 0)

    def finish(self) -> None:
        """Become the target at once, with its record."""
        self.sync()
        address = self.origin.address if self.origin else ""
        # The record comes first: a model without one would be hashed again, a record without a model says nothing.
        write_record(self._target, Record.of(os.fstat(self._file.fileno()), self.sha256, address))
        self._path.replace(self._target)
        self._gone = True
        with suppress(OSError):
            _sync_folder(self._target.parent)
        self._sidecar.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove the part; nothing but `close` may follow."""
        self._sidecar.unlink(missing_ok=True)
        self._path.unlink(missing_ok=True)
        # What lies there from here on belongs to the next writer.
        self._gone = True

    def close(self) -> None:
        """Let go; an empty part leaves nothing behind."""
        if not self.size and not self._gone:
            with suppress(OSError):
                self.discard()
        self._file.close()


def part_of(target: Path) -> Path:
    """Where the unfinished file lies."""
    return target.with_name(f"{target.name}.part")


def read_origin(target: Path) -> Origin | None:
    """What the part beside a target is a piece of; None where nobody knows."""
    try:
        data = json.loads(target.with_name(f"{target.name}.part.json").read_bytes())
        size = data["size"]
        return Origin(str(data["address"]), str(data["validator"]), None if size is None else int(size))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _open_locked(path: Path) -> FileIO:
    while True:
        file = path.open("a+b", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Between opening and locking, the other writer may have finished: then this is its target.
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except BlockingIOError as error:
            file.close()
            raise PartBusy from error
        except FileNotFoundError:
            pass
        except BaseException:
            file.close()
            raise
        file.close()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
