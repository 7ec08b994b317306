"""What is known of a whole file: its hash, and by what to notice that it was changed since."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from ..settings.files import write_private

_READ_BYTES = 1 << 20


class Stopped(Exception):
    """The hashing was told to stop."""


@dataclass(frozen=True, slots=True)
class Record:
    """Stands beside a model as `<file>.json`; `address` is empty for a file that a person put there."""

    address: str
    size: int
    mtime_ns: int
    sha256: str

    @classmethod
    def of(cls, status: os.stat_result, sha256: str, address: str = "") -> Self:
        """The record of a file as it is now."""
        return cls(address, status.st_size, status.st_mtime_ns, sha256)

    def matches(self, status: os.stat_result) -> bool:
        """Whether the file looks untouched; the hash is not computed again."""
        return (self.size, self.mtime_ns) == (status.st_size, status.st_mtime_ns)


def read_record(file: Path) -> Record | None:
    """The record of a model file, None where there is none that can be read."""
    try:
        data = json.loads(_beside(file).read_bytes())
        return Record(str(data["address"]), int(data["size"]), int(data["mtime_ns"]), str(data["sha256"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def write_record(file: Path, record: Record) -> None:
    """Keep the record of a model file; raises OSError."""
    write_private(_beside(file), json.dumps(asdict(record), indent=1).encode())


def hash_file(path: Path, stop: threading.Event) -> str:
    """SHA-256 in hexadecimal; gigabytes take seconds, so not on the event loop. Raises OSError or Stopped."""
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while block := file.read(_READ_BYTES):
            if stop.is_set():
                raise Stopped
            digest.update(block)
    return digest.hexdigest()


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.json")
