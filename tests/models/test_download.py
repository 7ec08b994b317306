"""A download ends with the whole right file or with none, whatever the server, the network or the disk does."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import os
import random
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ha_assist_addon.models import download as download_module
from ha_assist_addon.models.errors import DownloadFailed
from ha_assist_addon.models.files import CatalogueFile
from ha_assist_addon.models.formats import LITERT
from ha_assist_addon.models.part import PartFile
from ha_assist_addon.models.status import ModelState
from ha_assist_addon.models.transfer import next_address
from tests.models.conftest import CONTENT, LIMITS, SHA256, Make
from tests.models.file_server import Cut, Fault, FileServer, Hold, Instead, Trickle


async def settled(file: CatalogueFile) -> ModelState:
    """The state when nothing moves any more."""
    task = file._task
    assert task is not None
    async with asyncio.timeout(20):
        await asyncio.wait({task})
    return file.status.state


async def fetched(file: CatalogueFile) -> ModelState:
    file.start()
    return await settled(file)


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else -1


async def part_has(folder: Path, size: int) -> None:
    async with asyncio.timeout(10):
        while size_of(folder / "tiny.litertlm.part") < size:  # noqa: ASYNC110 - it is a file that is waited for
            await asyncio.sleep(0.01)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def assert_whole(file: CatalogueFile, folder: Path) -> None:
    assert file.status.state is ModelState.READY, file.status
    assert file.path == folder / "tiny.litertlm"
    assert file.path.read_bytes() == CONTENT
    assert names(folder) == {"tiny.litertlm", "tiny.litertlm.json"}
    assert json.loads((folder / "tiny.litertlm.json").read_text())["sha256"] == SHA256


@pytest.mark.parametrize("sha256", [None, SHA256])
async def test_a_file_is_fetched_only_when_asked(make: Make, server: FileServer, folder: Path, sha256: str) -> None:
    file = make(sha256)
    assert (file.path, file.status.state) == (None, ModelState.MISSING)
    await asyncio.sleep(0.05)
    assert not server.requests
    assert size_of(folder) == -1
    file.start()
    assert await file.wait() == folder / "tiny.litertlm"
    assert_whole(file, folder)
    assert len(server.requests) == 1


async def test_a_restart_finds_the_file_without_asking_or_hashing(
    make: Make, server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fetched(make())
    monkeypatch.setattr("ha_assist_addon.models.files.hash_file", lambda *_: pytest.fail("hashed"))
    again = make()
    again.start()
    assert_whole(again, folder)
    assert len(server.requests) == 1


async def test_a_broken_connection_goes_on_where_it_broke(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Cut(300_000), Cut(400_000), Cut(500_000)]
    file = make()
    assert await fetched(file) is ModelState.READY
    assert_whole(file, folder)
    ranges = [request.get("Range") for request in server.requests]
    assert ranges == [None, "bytes=300000-", "bytes=700000-", "bytes=1200000-"]
    assert {request.get("If-Range") for request in server.requests[1:]} == {'"one"'}


async def test_a_slow_server_is_waited_for_and_progress_is_told(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Trickle(100_000, 0.02)]
    file = make(limits=replace(LIMITS, chunk=10_000))
    file.start()
    await part_has(folder, 500_000)
    status = file.status
    assert status.state is ModelState.DOWNLOADING
    assert 0.3 < (status.progress or 0) < 1
    assert "of 2 MB" in status.detail
    assert "a second" in status.detail
    assert await settled(file) is ModelState.READY


async def test_a_silent_server_is_given_up_and_the_part_kept(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Hold(200_000), Hold(0), Hold(0)]
    file = make(limits=replace(LIMITS, silence=0.5))
    assert await fetched(file) is ModelState.FAILED
    assert "fell silent" in file.status.detail
    assert (folder / "tiny.litertlm.part").stat().st_size == 200_000
    file = make()
    assert await fetched(file) is ModelState.READY
    assert server.requests[-1]["Range"] == "bytes=200000-"
    assert_whole(file, folder)


async def test_a_file_that_changed_meanwhile_begins_again(make: Make, server: FileServer, folder: Path) -> None:
    server.content = b"LITERTLM" + bytes(1_000_000)
    server.faults = [Hold(300_000)]
    file = make()
    file.start()
    await part_has(folder, 262_144)
    await file.cancel()
    server.content, server.etag = CONTENT, '"two"'
    assert await fetched(file) is ModelState.READY
    assert_whole(file, folder)


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Range": f"bytes 5-{len(CONTENT) - 1}/{len(CONTENT)}"},
        {"Content-Range": f"bytes 300000-{len(CONTENT) - 1}/999"},
        {"Content-Range": f"bytes 300000-{len(CONTENT) - 1}/{len(CONTENT)}", "ETag": '"two"'},
        {"Content-Range": "nonsense"},
        {},
    ],
)
async def test_a_piece_of_something_else_is_not_appended(
    make: Make, server: FileServer, folder: Path, headers: dict[str, str]
) -> None:
    server.faults = [Cut(300_000), Instead(206, CONTENT[300_000:], headers)]
    file = make()
    assert await fetched(file) is ModelState.READY
    assert server.requests[2].get("Range") is None
    assert_whole(file, folder)


async def test_a_server_without_ranges_begins_again(make: Make, server: FileServer, folder: Path) -> None:
    server.ranges = False
    server.faults = [Cut(300_000)]
    file = make()
    assert await fetched(file) is ModelState.READY
    assert_whole(file, folder)


async def test_without_etag_and_date_only_a_published_hash_allows_to_go_on(
    make: Make, server: FileServer, folder: Path
) -> None:
    server.etag = None
    server.faults = [Cut(300_000)]
    assert await fetched(make()) is ModelState.READY
    assert "Range" not in server.requests[1]
    (folder / "tiny.litertlm").unlink()
    server.faults = [Cut(300_000)]
    file = make(SHA256)
    assert await fetched(file) is ModelState.READY
    assert server.requests[-1]["Range"] == "bytes=300000-"
    assert_whole(file, folder)


async def test_a_weak_etag_is_not_relied_on_but_a_date_is(make: Make, server: FileServer, folder: Path) -> None:
    server.etag, server.modified = 'W/"one"', "Mon, 30 Nov 2026 10:00:00 GMT"
    server.faults = [Cut(300_000)]
    file = make()
    assert await fetched(file) is ModelState.READY
    assert server.requests[1]["If-Range"] == server.modified
    assert_whole(file, folder)


async def test_a_part_that_was_whole_already_is_taken(make: Make, server: FileServer, folder: Path) -> None:
    server.tells_length = False
    server.faults = [Cut(len(CONTENT))]
    file = make()
    assert await fetched(file) is ModelState.READY
    assert server.requests[1]["Range"] == f"bytes={len(CONTENT)}-"
    assert_whole(file, folder)


async def test_a_part_longer_than_the_file_begins_again(make: Make, server: FileServer, folder: Path) -> None:
    server.tells_length = False
    server.faults = [Hold(len(CONTENT))]
    file = make()
    file.start()
    await part_has(folder, len(CONTENT) - (64 << 10))
    await file.cancel()
    with (folder / "tiny.litertlm.part").open("ab") as part:
        part.write(bytes(100_000))
    assert await fetched(file) is ModelState.READY
    assert_whole(file, folder)


@pytest.mark.parametrize(
    ("status", "words"), [(404, "does not have"), (401, "account"), (403, "account"), (418, "418"), (204, "204")]
)
async def test_a_refusal_is_final(make: Make, server: FileServer, folder: Path, status: int, words: str) -> None:
    server.faults = [Instead(status)]
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert words in file.status.detail
    assert len(server.requests) == 1
    assert names(folder) == set()


async def test_an_overloaded_server_is_asked_again(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Instead(503), Instead(429, headers={"Retry-After": "0"})]
    file = make()
    assert await fetched(file) is ModelState.READY
    assert len(server.requests) == 3


async def test_tries_are_bounded(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Instead(503)] * 10
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert len(server.requests) == LIMITS.attempts
    assert "status 503" in file.status.detail


async def test_beginning_again_and_again_is_bounded_too(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Cut(300_000), Instead(206, b"", {"Content-Range": "bytes 0-1/2"})] * 20
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert len(server.requests) <= LIMITS.attempts + 1


async def test_a_page_of_a_portal_does_not_cost_the_part(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Cut(300_000), Instead(200, b"<html>", {"Content-Type": "text/html; charset=utf-8"})]
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert "web page" in file.status.detail
    assert await fetched(file) is ModelState.READY
    assert server.requests[-1]["Range"] == "bytes=300000-"
    assert_whole(file, folder)


async def test_no_server_is_one_sentence(make: Make, folder: Path) -> None:
    file = make(address="http://127.0.0.1:1/model")
    assert await fetched(file) is ModelState.FAILED
    assert "127.0.0.1 cannot be reached." in file.status.detail
    assert names(folder) == set()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"<!DOCTYPE html><title>Sign in</title>", "web page"),
        (b"\n <html>" + bytes(200_000), "web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 5\n", "git-lfs"),
        (b"\x01HEF" + bytes(100), "no LiteRT model"),
        (b"", "nothing"),
    ],
)
async def test_something_else_than_a_model_is_refused(
    make: Make, server: FileServer, folder: Path, body: bytes, words: str
) -> None:
    server.faults = [Instead(200, body)]
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert words in file.status.detail
    assert names(folder) == set()
    assert await fetched(file) is ModelState.READY


async def test_a_wrong_hash_is_thrown_away(make: Make, server: FileServer, folder: Path) -> None:
    file = make("0" * 64)
    assert await fetched(file) is ModelState.FAILED
    assert "hash" in file.status.detail
    assert names(folder) == set()
    assert len(server.requests) == 1


async def test_a_damaged_part_costs_one_more_download(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Hold(300_000)]
    file = make(SHA256)
    file.start()
    await part_has(folder, 262_144)
    await file.cancel()
    with (folder / "tiny.litertlm.part").open("r+b") as part:
        part.seek(100_000)
        part.write(b"damage")
    assert await fetched(file) is ModelState.READY
    resumed, anew = (request.get("Range") for request in server.requests[1:])
    assert resumed is not None
    assert anew is None
    assert_whole(file, folder)


async def test_a_body_without_length_or_end_is_not_trusted(make: Make, folder: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.0 200 OK\r\n\r\n" + CONTENT)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as raw:
        address = f"http://127.0.0.1:{raw.sockets[0].getsockname()[1]}/"
        file = make(address=address)
        assert await fetched(file) is ModelState.FAILED
        assert "how long" in file.status.detail
        file = make(SHA256, address=address)
        assert await fetched(file) is ModelState.READY
    assert_whole(file, folder)


async def test_redirects_are_followed_to_the_web_only(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Instead(302, headers={"Location": "/elsewhere?signed=%2F"}), Cut(300_000), Instead(302)]
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert "does not say where" in file.status.detail
    server.faults = [Instead(307, headers={"Location": "ftp://127.0.0.1/model"})]
    assert await fetched(file) is ModelState.FAILED
    assert "not on the web" in file.status.detail
    server.faults = [Instead(302, headers={"Location": "/model"})] * 20
    assert await fetched(file) is ModelState.FAILED
    assert "without end" in file.status.detail
    server.faults = [Instead(301, headers={"Location": server.url})]
    assert await fetched(file) is ModelState.READY
    assert server.requests[-1]["Range"] == "bytes=300000-"
    assert_whole(file, folder)


def test_https_never_falls_back_to_http() -> None:
    assert next_address("https://a.example/x", "https://b.example/y?s=%2F") == "https://b.example/y?s=%2F"
    assert next_address("https://a.example/x/z", "../y") == "https://a.example/y"
    assert next_address("http://a.example/x", "https://b.example/") == "https://b.example/"
    assert next_address("https://a.example/x", "/a b/ü?%2B+") == "https://a.example/a%20b/%C3%BC?%2B+"
    for location in ("http://b.example/y", "file:///etc/passwd", "javascript:x", "http://[", "data:,x"):
        with pytest.raises(DownloadFailed):
            next_address("https://a.example/x", location)


async def test_too_little_room_is_told_before(
    make: Make, server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download_module, "free_bytes", lambda _: len(CONTENT) + 99)
    file = make(limits=replace(LIMITS, reserve=100))
    assert await fetched(file) is ModelState.FAILED
    assert "too little room" in file.status.detail
    assert names(folder) == set()


async def test_room_that_others_take_meanwhile_stops_the_download(
    make: Make, server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = iter([10_000_000, 0])
    monkeypatch.setattr(download_module, "free_bytes", lambda _: next(rooms, 10_000_000))
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert "too little room" in file.status.detail
    kept = (folder / "tiny.litertlm.part").stat().st_size
    assert 0 < kept < len(CONTENT)
    assert await fetched(file) is ModelState.READY
    assert server.requests[-1]["Range"] == f"bytes={kept}-"
    assert_whole(file, folder)


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "is full"), (errno.EDQUOT, "is full"), (errno.EROFS, "read-only file system")]
)
async def test_a_disk_that_refuses_is_one_sentence(
    make: Make, folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(PartFile, "append", lambda *_: (_ for _ in ()).throw(OSError(number, os.strerror(number))))
        file = make()
        assert await fetched(file) is ModelState.FAILED
    assert words in file.status.detail
    assert await fetched(file) is ModelState.READY


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk that holds a megabyte."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no small disk can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def test_a_really_full_disk(make: Make, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download_module, "free_bytes", lambda _: 10_000_000_000)
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert "is full" in file.status.detail
    assert (small_disk / "tiny.litertlm.part").stat().st_size > 500_000


@pytest.fixture
def in_the_way(folder: Path) -> None:
    folder.write_text("not a folder")


@pytest.mark.usefixtures("in_the_way")
async def test_a_folder_that_cannot_be_made_is_one_sentence(make: Make) -> None:
    file = make()
    assert await fetched(file) is ModelState.FAILED
    assert "cannot be written to" in file.status.detail


async def test_cancel_keeps_the_part_and_start_goes_on(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Hold(700_000)]
    file = make()
    file.start()
    file.start()
    await part_has(folder, 600_000)
    await file.cancel()
    assert file.status.state is ModelState.MISSING
    assert "there to 4" in file.status.detail
    assert names(folder) == {"tiny.litertlm.part", "tiny.litertlm.part.json"}
    again = make()
    assert await fetched(again) is ModelState.READY
    assert len(server.requests) == 2
    assert_whole(again, folder)


async def test_cancel_at_once(make: Make, server: FileServer, folder: Path) -> None:
    file = make()
    await file.cancel()
    file.start()
    await file.cancel()
    assert file.status.state is ModelState.MISSING
    assert not server.requests
    assert await fetched(file) is ModelState.READY


async def test_a_part_of_another_address_is_not_continued(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Hold(300_000)]
    file = make(address=server.url + "?old")
    file.start()
    await part_has(folder, 262_144)
    await file.cancel()
    file = make()
    assert await fetched(file) is ModelState.READY
    assert "Range" not in server.requests[-1]
    assert_whole(file, folder)


@pytest.fixture
def sidecar(request: pytest.FixtureRequest, folder: Path) -> None:
    """A part with this beside it."""
    folder.mkdir()
    (folder / "tiny.litertlm.part").write_bytes(CONTENT[:1000])
    if request.param is not None:
        (folder / "tiny.litertlm.part.json").write_bytes(request.param)


@pytest.mark.parametrize("sidecar", [None, b"", b"[]", b'{"address": 1}', b"[" * 100_000], indirect=True)
@pytest.mark.usefixtures("sidecar")
async def test_a_part_of_which_nobody_knows_is_not_continued(make: Make, server: FileServer, folder: Path) -> None:
    file = make()
    assert file.status.state is ModelState.MISSING
    assert await fetched(file) is ModelState.READY
    assert "Range" not in server.requests[-1]
    assert_whole(file, folder)


@pytest.mark.parametrize("seed", range(11, 17))
@pytest.mark.parametrize("sha256", [None, SHA256])
async def test_whatever_happens_a_file_is_whole_or_absent(
    make: Make, server: FileServer, folder: Path, seed: int, sha256: str | None
) -> None:
    chance = random.Random(seed)
    old = LITERT.magic + chance.randbytes(1_200_000)
    server.content, server.etag = (CONTENT if sha256 else old), '"old"'
    for _ in range(4):
        server.ranges, server.tells_length = chance.random() < 0.7, chance.random() < 0.7
        server.faults = [any_fault(chance) for _ in range(chance.randint(1, 3))]
        file = make(sha256)
        file.start()
        if chance.random() < 0.5:
            await asyncio.sleep(chance.random() / 20)
            await file.cancel()
        else:
            await settled(file)
        if file.status.state is ModelState.READY:
            break
        server.content, server.etag = CONTENT, '"new"'
    else:
        server.faults = []
        assert await fetched(make(sha256)) is ModelState.READY
    assert content_of(folder / "tiny.litertlm") in {CONTENT, old}
    assert names(folder) == {"tiny.litertlm", "tiny.litertlm.json"}


def any_fault(chance: random.Random) -> Fault:
    size = chance.randrange(1_200_000)
    faults: list[Fault] = [
        Cut(size),
        Trickle(200_000, 0.01),
        Instead(503),
        Instead(404),
        Instead(200, b"<html>"),
        Instead(206, CONTENT[size:], {"Content-Range": f"bytes {size}-{len(CONTENT) - 1}/{len(CONTENT)}"}),
    ]
    return chance.choice(faults)


def content_of(path: Path) -> bytes:
    return path.read_bytes()


async def test_two_libraries_fetch_once(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Trickle(100_000, 0.02)]
    one, other = make(), make()
    one.start()
    await part_has(folder, 1)
    other.start()
    await asyncio.sleep(0.05)
    assert "another process" in other.status.detail
    assert other.status.progress
    assert await settled(one) is ModelState.READY
    assert await settled(other) is ModelState.READY
    assert len(server.requests) == 1
    assert_whole(other, folder)


async def test_the_record_holds_the_hash_of_a_resumed_file(make: Make, server: FileServer, folder: Path) -> None:
    server.faults = [Hold(300_000)]
    file = make()
    file.start()
    await part_has(folder, 262_144)
    await file.cancel()
    await fetched(make())
    record = json.loads((folder / "tiny.litertlm.json").read_text())
    assert record["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert record["address"] == server.url
