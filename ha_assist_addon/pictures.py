"""Pictures read from data URLs and made ready for models.

PNG, JPEG and WebP are taken, told by their bytes and not by the declared type; still images only. Nothing is
re-encoded that need not be: a server gets the bytes that were sent, a native runtime what it takes.
"""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import unquote_to_bytes

from PIL import Image, ImageOps, UnidentifiedImageError

from .errors import InvalidImage

MOST_BYTES = 10_000_000
MOST_PIXELS = 40_000_000

_FORMATS = ("PNG", "JPEG", "WEBP")
_MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "MPO": "image/jpeg", "WEBP": "image/webp"}
"""A photo with a preview beside it, as telephones write it, is opened as MPO; every reader takes its first picture."""
_ENCODED_BYTES = 4 * (MOST_BYTES // 3 + 1)
_BLANKS = b" \t\r\n\f"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CheckedImage:
    """An image as it was sent; `width` and `height` are those of the file, before it is turned as its EXIF says."""

    media_type: str
    content: bytes
    width: int
    height: int


def check_image(url: str) -> CheckedImage:
    """Read one data URL and decode its image whole; raises InvalidImage. Takes up to a second."""
    image = read_image(url)
    _decode(image.content, _load)
    return image


def read_image(url: str) -> CheckedImage:
    """Read one data URL and its image's header; quick, for what `check_images` has let through. Raises InvalidImage."""
    content = _bytes_of(url)
    form, width, height = _decode(content, lambda image: (image.format, image.width, image.height))
    return CheckedImage(_MEDIA_TYPES[form or ""], content, width, height)


def to_rgb(image: CheckedImage, width: int, height: int) -> bytes:
    """Pixels for a model of this input shape: rows of RGB, 8 bits each, `width * height * 3` bytes.

    The image is turned as its EXIF says, laid on white where it is transparent, and shrunk or enlarged to fit with its
    proportions kept; black bars fill the rest. Takes up to a second. Raises InvalidImage.
    """

    def fit(opened: Image.Image) -> bytes:
        # A JPEG can be decoded at a fraction of its size; turned or not, twice the longer side is enough.
        longer = 2 * max(width, height)
        opened.draft("RGB", (longer, longer))
        ImageOps.exif_transpose(opened, in_place=True)
        scale = min(width / opened.width, height / opened.height)
        size = max(round(opened.width * scale), 1), max(round(opened.height * scale), 1)
        small = _on_white(_plain(opened).resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0))
        frame = Image.new("RGB", (width, height))
        frame.paste(small, ((width - size[0]) // 2, (height - size[1]) // 2))
        return frame.tobytes()

    return _decode(image.content, fit)


def to_png(image: CheckedImage) -> bytes:
    """The image as a PNG of its own size, turned as its EXIF says. Takes up to a second. Raises InvalidImage."""

    def written(opened: Image.Image) -> bytes:
        ImageOps.exif_transpose(opened, in_place=True)
        out = io.BytesIO()
        _on_white(_plain(opened)).save(out, "PNG", compress_level=1)
        return out.getvalue()

    return _decode(image.content, written)


def _bytes_of(url: str) -> bytes:
    scheme, _, rest = url.lstrip()[: len("data:") + 64].partition(":")
    if scheme.lower() != "data":
        if scheme.lower() in {"http", "https"} and rest.startswith("//"):
            raise InvalidImage("HA-Assist fetches no images from the web. Send the image itself.")
        raise InvalidImage("HA-Assist takes an image only as a data URL, with the image itself in it.")
    head, comma, data = url.partition(",")
    if not comma or head.rstrip().rpartition(";")[2].strip().lower() != "base64":
        raise InvalidImage("This image is not encoded in base64, as HA-Assist expects it.")
    encoded = data.encode("utf-8", "replace")
    encoded = (unquote_to_bytes(encoded) if b"%" in encoded else encoded).translate(None, _BLANKS)
    if len(encoded) > _ENCODED_BYTES:
        raise _too_large()
    encoded += b"=" * (-len(encoded) % 4)
    try:
        content = base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise InvalidImage("This image is damaged: its base64 cannot be read.") from error
    if not content:
        raise InvalidImage("This image is empty.")
    if len(content) > MOST_BYTES:
        raise _too_large()
    return content


def _decode(content: bytes, work: Callable[[Image.Image], T]) -> T:
    """Open an image, look at what its header claims, and work with it; every fault of it is an InvalidImage."""
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            _check_header(image)
            return work(image)
    except InvalidImage:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels() from error
    except UnidentifiedImageError as error:
        raise InvalidImage("HA-Assist can look at PNG, JPEG and WebP images, and this is none of them.") from error
    except Exception as error:
        # Pillow lets through whatever its readers stumble over in a broken file.
        raise InvalidImage("This image is damaged or not complete.") from error


def _check_header(image: Image.Image) -> None:
    if image.width * image.height > MOST_PIXELS:
        raise _too_many_pixels()
    if image.format in {"PNG", "WEBP"} and getattr(image, "is_animated", False):
        raise InvalidImage("HA-Assist looks at still images only, and this one is animated.")


def _load(image: Image.Image) -> None:
    # All data is read, though a JPEG is decoded at an eighth of its size.
    image.draft("RGB", (1, 1))
    image.load()


def _plain(image: Image.Image) -> Image.Image:
    """RGB, or RGBA where something is transparent: modes that can be shrunk smoothly."""
    if image.mode.startswith("I"):
        # 16 bits a pixel; a mere conversion would cut off, not scale.
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode == "RGB":
        return image
    ground = Image.new("RGBA", image.size, (255, 255, 255, 255))
    return Image.alpha_composite(ground, image).convert("RGB")


def _too_large() -> InvalidImage:
    return InvalidImage(f"This image is too large; HA-Assist takes {MOST_BYTES // 1_000_000} MB at most.")


def _too_many_pixels() -> InvalidImage:
    return InvalidImage(f"This image is too large; HA-Assist takes {MOST_PIXELS // 1_000_000} megapixels at most.")
