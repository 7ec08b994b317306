"""What is not a still PNG, JPEG or WebP of bearable size, sent along whole, never reaches a model."""

from __future__ import annotations

import base64
import io
import struct
import subprocess
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFile

from ha_assist_addon.conversation import ChatRequest, Message, Role
from ha_assist_addon.errors import InvalidImage
from ha_assist_addon.pictures import (
    MOST_BYTES,
    MOST_PIXELS,
    CheckedImage,
    check_image,
    read_image,
    to_png,
    to_rgb,
)
from ha_assist_addon.turn.images import check_images
from tests.support.shared import ROOT


def encoded(form: str, size: tuple[int, int] = (8, 6), color: object = (200, 10, 10), **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, color).save(buffer, form, **options)  # type: ignore[arg-type]
    return buffer.getvalue()


def url(content: bytes, declared: str = "image/png") -> str:
    return f"data:{declared};base64,{base64.b64encode(content).decode()}"


def png(width: int, height: int, data: bytes, kind: int = 2) -> bytes:
    """A PNG that claims a size, whatever its data holds."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def animated(form: str) -> bytes:
    buffer = io.BytesIO()
    frames = [Image.new("RGB", (8, 6), color) for color in ("red", "blue", "green")]
    frames[0].save(buffer, form, save_all=True, append_images=frames[1:], duration=100)
    return buffer.getvalue()


def request(*images: tuple[str, ...]) -> ChatRequest:
    return ChatRequest("HA-Assist", tuple(Message(Role.USER, "Look", images=each) for each in images))


KINDS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}


@pytest.mark.parametrize("declared", [*KINDS.values(), "image/gif", "text/plain", ""])
@pytest.mark.parametrize("form", KINDS)
def test_the_bytes_tell_the_type(form: str, declared: str) -> None:
    content = encoded(form)
    expected = CheckedImage(KINDS[form], content, 8, 6)
    assert check_image(url(content, declared)) == expected
    assert read_image(url(content, declared)) == expected


@pytest.mark.parametrize("form", KINDS)
def test_spellings_of_a_data_url(form: str) -> None:
    content = encoded(form)
    body = base64.b64encode(content).decode()
    broken = "\r\n ".join(body[at : at + 20] for at in range(0, len(body), 20))
    for spelled in (
        f"DATA:image/png;Base64,{body}",
        f"data:;base64,{body}",
        f"data:image/png;name=a.png;base64,{body}",
        f" data:image/png;base64,{broken} ",
        f"data:image/png;base64,{body.rstrip('=')}",
        f"data:image/png;base64,{body.replace('+', '%2B').replace('/', '%2f').replace('=', '%3D')}",
    ):
        assert check_image(spelled).content == content


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ("https://example.org/a.png", "from the web"),
        ("HTTP://example.org/a.png", "from the web"),
        ("file:///etc/passwd", "data URL"),
        ("//example.org/a.png", "data URL"),
        ("", "data URL"),
        ("iVBORw0KGgo=", "data URL"),
        ("data:", "base64"),
        ("data:image/png,abc", "base64"),
        ("data:image/png;base64", "base64"),
        ("data:image/png;base64,", "empty"),
        ("data:image/png;base64,%%%", "damaged"),
        ("data:image/png;base64,a", "damaged"),
        ("data:image/png;base64,\ud800", "damaged"),
        (url(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"), "none of them"),
        (url(b"GIF89a" + bytes(50)), "none of them"),
        (url(encoded("BMP")), "none of them"),
        (url(encoded("TIFF")), "none of them"),
        (url(b"%!PS-Adobe-3.0"), "none of them"),
        (url(encoded("PNG") + bytes(MOST_BYTES)), "10 MB"),
        ("data:image/png;base64," + "A" * 20_000_000, "10 MB"),
        (url(animated("PNG")), "animated"),
        (url(animated("WEBP")), "animated"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_what_is_refused(sent: str, words: str) -> None:
    with pytest.raises(InvalidImage, match=words):
        check_image(sent)
    if "http" in sent[:8].lower():
        with pytest.raises(InvalidImage, match=words):
            read_image(sent)


@pytest.mark.parametrize("form", KINDS)
def test_a_truncated_file_is_refused_wherever_it_ends(form: str) -> None:
    noise = Image.effect_noise((64, 48), 90).convert("RGB")
    buffer = io.BytesIO()
    noise.save(buffer, form)
    content = buffer.getvalue()
    for share in (0.05, 0.3, 0.6, 0.9, 0.98):
        with pytest.raises(InvalidImage):
            check_image(url(content[: int(len(content) * share)]))


@pytest.mark.parametrize(
    "content",
    [
        png(30_000, 30_000, zlib.compress(bytes(100))),
        png(65_535, 1_000, zlib.compress(bytes(100))),
        png(MOST_PIXELS + 1, 1, zlib.compress(bytes(100))),
        png(2**31 - 1, 2**31 - 1, zlib.compress(bytes(100))),
        encoded("JPEG", (8, 6)).replace(struct.pack(">HH", 6, 8), struct.pack(">HH", 65_500, 65_500), 1),
    ],
    ids=["bomb", "long", "one too many", "overflow", "jpeg"],
)
def test_a_claim_of_too_many_pixels_is_refused_undecoded(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda _: pytest.fail("decoded"))
    with pytest.raises(InvalidImage, match="megapixels"):
        check_image(url(content))


@pytest.mark.parametrize(
    "content",
    [
        png(100, 100, zlib.compress(bytes(10))),
        png(100, 100, b"no zlib"),
        png(0, 5, zlib.compress(bytes(10))),
        png(5, 5, zlib.compress(bytes(100)), kind=9),
        b"RIFF\xff\xff\xff\xffWEBPVP8 " + bytes(40),
        b"\xff\xd8\xff\xe0" + bytes(40),
    ],
)
def test_a_header_that_lies_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidImage):
        check_image(url(content))


GROWTH = """
import resource, sys
from ha_assist_addon.pictures import check_image
sent = sys.stdin.read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert check_image(sent).width == 10
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
"""Prints by how many kilobytes the process grew."""


def test_data_beyond_the_claimed_size_is_not_unpacked() -> None:
    bomb = png(10, 10, zlib.compress(bytes(200_000_000), 9))
    grown = subprocess.run(
        [sys.executable, "-c", GROWTH], cwd=ROOT, input=url(bomb), capture_output=True, text=True, check=True
    )
    assert int(grown.stdout) < 50_000


def test_the_largest_image_is_taken() -> None:
    buffer = io.BytesIO()
    Image.new("L", (8000, MOST_PIXELS // 8000)).save(buffer, "PNG")
    assert check_image(url(buffer.getvalue())).height == 5000


def test_a_photo_with_a_preview_is_a_jpeg() -> None:
    buffer = io.BytesIO()
    photo = Image.new("RGB", (64, 48), "red")
    photo.save(buffer, "MPO", save_all=True, append_images=[Image.new("RGB", (16, 12), "blue")])
    assert check_image(url(buffer.getvalue())).media_type == "image/jpeg"


@given(st.one_of(st.text(), st.text().map("data:image/png;base64,{}".format), st.binary().map(url)))
def test_anything_else_is_an_invalid_image(sent: str) -> None:
    with pytest.raises(InvalidImage):
        check_image(sent)


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_a_damaged_file_is_an_image_or_an_invalid_image(form: str, data: st.DataObject) -> None:
    content = bytearray(encoded(form, (16, 12)))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        image = check_image(url(bytes(content)))
        assert len(to_rgb(image, 10, 10)) == 300
    except InvalidImage:
        pass


async def test_a_request_is_checked_message_by_message() -> None:
    good = url(encoded("PNG"))
    checked = await check_images(request((good,), (), (good, url(encoded("JPEG")))))
    assert [image.media_type for image in checked] == ["image/png", "image/png", "image/jpeg"]
    assert await check_images(request((), ())) == ()
    with pytest.raises(InvalidImage, match="from the web") as raised:
        await check_images(request((good,), (), ("https://example.org/a.png",)))
    assert raised.value.param == "messages[2].content"
    with pytest.raises(InvalidImage, match="no more than 4") as raised:
        await check_images(request((good,) * 4, (good,)))
    assert raised.value.param == "messages[1].content"


def pixels(image: Image.Image, form: str, width: int, height: int, **options: object) -> Image.Image:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    raw = to_rgb(check_image(url(buffer.getvalue())), width, height)
    assert len(raw) == width * height * 3
    return Image.frombytes("RGB", (width, height), raw)


def test_pixels_keep_the_proportions() -> None:
    frame = pixels(Image.new("RGB", (200, 100), "red"), "PNG", 100, 100)
    assert [frame.getpixel((50, y)) for y in (5, 20, 30, 50, 70, 80, 95)] == [
        *[(0, 0, 0)] * 2,
        *[(255, 0, 0)] * 3,
        *[(0, 0, 0)] * 2,
    ]


@pytest.mark.parametrize("size", [(1, 4000), (4000, 1), (1, 1), (3000, 2000)])
@pytest.mark.parametrize("form", KINDS)
def test_pixels_of_any_shape(form: str, size: tuple[int, int]) -> None:
    assert pixels(Image.new("RGB", size, "red"), form, 336, 252).getbbox() is not None


def test_pixels_are_turned_as_the_camera_was_held() -> None:
    photo = Image.new("RGB", (200, 100), "red")
    photo.paste("blue", (0, 0, 100, 100))
    exif = Image.Exif()
    exif[0x0112] = 6
    frame = pixels(photo, "JPEG", 100, 200, exif=exif)
    top, bottom = frame.getpixel((50, 40)), frame.getpixel((50, 160))
    assert isinstance(top, tuple)
    assert isinstance(bottom, tuple)
    assert top[2] > 200 > bottom[2]
    assert bottom[0] > 200 > top[0]


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparency_is_white(mode: str) -> None:
    if mode == "P":
        image, options = Image.new("P", (10, 10), 0), {"transparency": 0}
    else:
        image, options = Image.new(mode, (10, 10), (0,) * len(mode)), {}
    assert pixels(image, "PNG", 10, 10, **options).getpixel((5, 5)) == (255, 255, 255)


def test_deep_grey_is_scaled_and_not_cut_off() -> None:
    assert pixels(Image.new("I;16", (10, 10), 32768), "PNG", 10, 10).getpixel((5, 5)) == (128, 128, 128)


def test_a_png_is_as_large_and_stands_upright() -> None:
    buffer = io.BytesIO()
    exif = Image.Exif()
    exif[274] = 6
    Image.new("RGB", (20, 10), "blue").save(buffer, "JPEG", exif=exif)
    made = Image.open(io.BytesIO(to_png(check_image(url(buffer.getvalue())))))
    assert (made.format, made.size) == ("PNG", (10, 20))
