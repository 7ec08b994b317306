"""What a process of ours that runs native code does first: its pipes are private, and it ends with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import BinaryIO

_PR_SET_PDEATHSIG = 1


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Our ends of the pipes; what a library prints goes to stderr instead of between our messages."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")


def die_with(parent: int) -> None:
    """Let the kernel end this process with its parent, also while a library holds the interpreter."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
