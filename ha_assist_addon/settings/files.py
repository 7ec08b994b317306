"""Small private files that are whole at every moment."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path


class TooLarge(OSError):
    """The file has more bytes than anybody would write into it."""


def read_regular(path: Path, most: int) -> bytes:
    """The content of a plain file, of which there are at most so many bytes; raises OSError, and waits for nothing."""
    # Before it is opened too: a pipe would wait for its writer, and to open some devices does something.
    _refuse_other_kinds(path.stat().st_mode)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        _refuse_other_kinds(os.fstat(descriptor).st_mode)
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLarge(errno.EFBIG, f"it has more than {most // 1024} KB")
    return content


def write_private(path: Path, content: bytes) -> None:
    """Replace a file at once, readable by its owner alone; raises OSError and then leaves the old file as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    # The rename itself lasts through a power cut only once the folder is written; not every file system can do that.
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _refuse_other_kinds(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no plain file")
