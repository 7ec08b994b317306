"""Pictures as a native runtime takes them, made from the data URLs of a request."""

from __future__ import annotations

import base64
import binascii
import io
from typing import Any

from PIL import Image, ImageOps

from .base import EngineError

MAX_PIXELS = 50_000_000


def png(url: str) -> bytes:
    """The picture as PNG; raises EngineError."""
    out = io.BytesIO()
    _picture(url).save(out, "PNG")
    return out.getvalue()


def frame(url: str, height: int, width: int) -> Any:
    """The whole picture as an RGB array of uint8 in this size, with black bars where its proportions differ."""
    import numpy as np  # noqa: PLC0415 - only a vision model needs it

    return np.asarray(ImageOps.pad(_picture(url), (width, height)), dtype=np.uint8)


def _picture(url: str) -> Image.Image:
    head, comma, data = url.partition(",")
    if not (comma and head.startswith("data:image/") and head.endswith(";base64")):
        raise _unreadable()
    try:
        picture = Image.open(io.BytesIO(base64.b64decode(data, validate=True)))
        if picture.width * picture.height > MAX_PIXELS:
            raise _unreadable()
        return ImageOps.exif_transpose(picture).convert("RGB")
    except (binascii.Error, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise _unreadable() from error


def _unreadable() -> EngineError:
    return EngineError("HA-Assist could not read this image.", "image")
