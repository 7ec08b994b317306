"""Stands in for HailoRT's Python package, which is on no index: the same signatures, and the same ways to fail.

`HAILO_STUB` holds a JSON object that says how the device behaves; see `Behaviour`.
"""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass

INVALID_ARGUMENT, TIMEOUT, INVALID_OPERATION, INVALID_HEF = 2, 4, 6, 26


@dataclass(frozen=True)
class Behaviour:
    """What a test wants of the device."""

    says: str = "Hello."
    """The answer; {last}, {usage}, {frames} and {options} are filled in."""
    template: str = ""
    """What the chat template begins with."""
    load_seconds: float = 0.01
    prefill_seconds: float = 0.0
    clock: float = 1.0
    """How long a second of reading the prompt really takes."""
    token_seconds: float = 0.0
    abort_seconds: float = 0.0
    device_error: int = 0
    model_error: int = 0
    lost_after: int | None = None
    """After so many tokens the device is gone: reading blocks, then fails with INVALID_OPERATION."""
    lost_seconds: float = 0.1
    import_error: bool = False
    capacity: int = 2048
    lock: str = ""
    """A file that stands for the device's only place for a model."""


BEHAVIOUR = Behaviour(**json.loads(os.environ.get("HAILO_STUB", "{}")))
if BEHAVIOUR.import_error:
    raise RuntimeError("_pyhailort was built for another Python")


class HailoRTException(Exception):
    """Base of all."""


class HailoRTStatusException(HailoRTException):
    """Bears the status number as text."""


class HailoRTTimeout(HailoRTException):
    """Bears a sentence instead of the number."""


class HailoRTInvalidOperationException(HailoRTException):
    """Bears a sentence instead of the number."""


def hold(seconds: float) -> None:
    """Block as HailoRT does: without letting any other thread of this process run."""
    ctypes.PyDLL(None).usleep(ctypes.c_uint(int(seconds * 1_000_000)))


class _Params:
    group_id = ""


class VDevice:
    """The device."""

    def __init__(self, params: _Params | None = None) -> None:
        if BEHAVIOUR.device_error:
            raise HailoRTStatusException(str(BEHAVIOUR.device_error))
        self.released = False

    @staticmethod
    def create_params() -> _Params:
        """Default parameters."""
        return _Params()

    def release(self) -> None:
        """Give the device back."""
        self.released = True
