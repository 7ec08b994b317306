"""Pictures as a native runtime takes them, made from the data URLs of a request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import InvalidImage
from ...pictures import read_image, to_png, to_rgb
from .base import EngineError


def png(url: str) -> bytes:
    """The picture as PNG; raises EngineError."""
    with _told_by_the_engine():
        return to_png(read_image(url))


def frame(url: str, height: int, width: int) -> Any:
    """The whole picture as an RGB array of uint8 in this size; raises EngineError."""
    import numpy as np  # noqa: PLC0415 - only a vision model needs it

    with _told_by_the_engine():
        pixels = to_rgb(read_image(url), width, height)
    return np.frombuffer(pixels, dtype=np.uint8).reshape(height, width, 3)


@contextmanager
def _told_by_the_engine() -> Iterator[None]:
    try:
        yield
    except InvalidImage as error:
        raise EngineError(error.message, "image") from error
