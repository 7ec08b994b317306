"""What is compiled from a language's files, kept on disk: to compile a grammar takes a second.

A file holds data only, no code. It is read where only its owner can have written it, where it is whole, and where its
key fits: the hash of all that it was made of, hassil and this package included. Anything else is made again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import hassil

LOGGER = logging.getLogger(__name__)
SHIPPED = Path(__file__).parent / "compiled"
"""What was compiled when the image was built."""
_LARGEST = 64 * 1024 * 1024


class CompiledFiles:
    """Reads from the first folder that has a fitting file, and writes into `folder`; None writes nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._folders: Sequence[Path] = (SHIPPED,) if folder is None else (SHIPPED, folder)

    def read(self, name: str, key: str) -> Any:
        """The data that was kept under this name and key, or None."""
        for folder in self._folders:
            with suppress(OSError, ValueError, zlib.error, RecursionError):
                return _read(folder / f"{name}.json.z", key)
        return None

    def write(self, name: str, key: str, data: Any) -> None:
        """Keep it for the next start; a disk that cannot take it costs time only."""
        if self._folder is None:
            return
        body = zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())
        try:
            _replace(self._folder / f"{name}.json.z", b"%s %s\n%s" % (key.encode(), _digest(body), body))
        except OSError as error:
            LOGGER.debug("What was compiled could not be kept: %s", error)


def key_of(parts: Iterable[bytes]) -> str:
    """The hash of what something is compiled from and of what compiles it."""
    digest = hashlib.sha256(_compiler())
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@cache
def _compiler() -> bytes:
    """The hash of the code: hassil's and that of this package."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in (Path(hassil.__file__).parent, Path(__file__).parent):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _read(path: Path, key: str) -> Any:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode) or about.st_uid not in (0, os.geteuid()) or about.st_mode & 0o022:
            raise ValueError("somebody else can have written it")
        head, _, body = file.read(_LARGEST).partition(b"\n")
    if head != key.encode() + b" " + _digest(body):
        raise ValueError("it is broken, or of other files")
    return json.loads(zlib.decompressobj().decompress(body, _LARGEST))


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
