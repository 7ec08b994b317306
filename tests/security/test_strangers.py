"""Whoever has no key, or is not Home Assistant, costs next to nothing, whatever it sends and however long it waits."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import resource
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import http_parser, streams, web

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import listening
from ha_assist_addon.connections import LINGER_SECONDS, Limits
from ha_assist_addon.log_limit import BURST, SECONDS, OncePerMinute
from ha_assist_addon.panel import border, guard
from ha_assist_addon.panel.app import create_panel
from tests.api.test_process import get, started
from tests.support.serving import KEY, Running, running

BOMB = gzip.compress(b" " * (4 * 1024 * 1024))
CHAT = "/v1/chat/completions"
PATIENCE = 20.0


def head(method: str = "POST", path: str = CHAT, *, key: str | None = None, **headers: object) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [] if key is None else [f"Authorization: Bearer {key}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            yield reader, writer
        finally:
            await aborted(writer)


async def aborted(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def exchange(port: int, sent: bytes) -> bytes:
    """What comes back until the server ends the connection or has said everything."""
    async with connected(port) as (reader, writer):
        writer.write(sent)
        return await reader.readuntil(b"\r\n\r\n")


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the pieces that aiohttp unpacked."""
    found: list[int] = []
    real = http_parser.DeflateBuffer.feed_data

    def feed(self: Any, chunk: bytes, *more: Any) -> Any:
        found.append(len(chunk))
        return real(self, chunk, *more)

    monkeypatch.setattr(http_parser.DeflateBuffer, "feed_data", feed)
    return found


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path) as up:
        yield up


@pytest.mark.parametrize(
    ("method", "path", "key", "status"),
    [
        ("POST", CHAT, None, 401),
        ("POST", CHAT, "wrong", 401),
        ("POST", "/v1/nowhere", KEY, 404),
        ("PUT", CHAT, KEY, 405),
        ("POST", "/health", None, 405),
        ("GET", "/health", None, 200),
        ("POST", CHAT, KEY, 415),
        ("POST", "/v1/responses", KEY, 415),
        ("POST", "/v1/ha-assist/diagnose", KEY, 415),
    ],
)
async def test_nothing_is_unpacked(
    server: Running, unpacked: list[int], method: str, path: str, key: str | None, status: int
) -> None:
    for encoding in ("gzip", "deflate"):
        sent = head(method, path, key=key, Content_Encoding=encoding, Content_Length=len(BOMB)) + BOMB
        assert (await exchange(server.port, sent)).split()[1] == str(status).encode()
    assert not unpacked


async def test_nothing_of_a_refused_peer_is_unpacked_by_the_panel(
    server: Running, unpacked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(border, "is_trusted", lambda _peer: False)
    async with listening(create_panel(server.services, 1, KEY), "127.0.0.1", 0, drain=0.1) as port:
        sent = head("POST", "/settings", Content_Encoding="gzip", Content_Length=len(BOMB)) + BOMB
        assert (await exchange(port, sent)).split()[1] == b"403"
    assert not unpacked


async def test_a_form_that_never_comes_is_not_waited_for(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "FORM_SECONDS", 0.05)
    async with listening(create_panel(server.services, 1, KEY), "127.0.0.1", 0, drain=0.1) as port:
        form = "application/x-www-form-urlencoded"
        sent = head("POST", "/settings", Content_Length=100, Content_Type=form) + b"token="
        assert (await exchange(port, sent)).split()[1] == b"408"


@pytest.mark.parametrize("key", [None, KEY])
async def test_a_body_that_nobody_wants_is_not_looked_at(
    server: Running, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    """After the answer no byte of it reaches aiohttp, and the connection ends soon, whatever was promised."""
    taken = 0
    real = streams.StreamReader.feed_data

    def feed(self: Any, data: bytes, *more: Any) -> Any:
        nonlocal taken
        taken += len(data)
        return real(self, data, *more)

    async with connected(server.port) as (reader, writer):
        writer.write(head("POST", "/v1/nowhere", key=key, Content_Length=10**12))
        answer = await reader.readuntil(b"\r\n\r\n")
        assert b"Connection: close" in answer
        monkeypatch.setattr(streams.StreamReader, "feed_data", feed)
        looking = asyncio.create_task(reader.read())
        with suppress(ConnectionError):
            while not looking.done():
                writer.write(b"x" * 65536)
                await writer.drain()
                await asyncio.sleep(0)
        with suppress(ConnectionError):
            error = json.loads(await looking)["error"]
            assert error["code"] == ("invalid_api_key" if key is None else "not_found")
    assert taken == 0


async def test_a_refused_client_that_sends_its_body_first_still_reads_why(server: Running) -> None:
    """As those of Home Assistant do."""
    body = b"x" * (3 * 1024 * 1024)
    async with connected(server.port) as (reader, writer):
        writer.write(head(key="wrong", Content_Length=len(body)) + body)
        await writer.drain()
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 401")


async def test_two_keys_are_none(server: Running) -> None:
    for keys in ((KEY, "wrong"), ("wrong", KEY), (KEY, KEY)):
        lines = "".join(f"Authorization: Bearer {key}\r\n" for key in keys)
        sent = f"GET /v1/models HTTP/1.1\r\nHost: x\r\n{lines}\r\n".encode()
        assert (await exchange(server.port, sent)).split()[1] in {b"400", b"401"}


# --- connections


SMALL = Limits(connections=8, of_a_peer=8, head_seconds=0.2, write_seconds=0.2)


@asynccontextmanager
async def limited(tmp_path: Path, limits: Limits) -> AsyncIterator[int]:
    async with (
        running(tmp_path) as up,
        listening(create_api(up.services, KEY), "127.0.0.1", 0, drain=0.1, limits=limits) as port,
    ):
        yield port


@pytest.mark.parametrize("sent", [b"", b"GET /hea", head()[:-2]], ids=["nothing", "half a line", "half a head"])
async def test_a_request_that_does_not_come_ends(tmp_path: Path, sent: bytes) -> None:
    async with limited(tmp_path, SMALL) as port, connected(port) as (reader, writer):
        writer.write(sent)
        assert await ended(reader)


async def test_the_second_request_of_a_connection_has_its_time_too(tmp_path: Path) -> None:
    async with limited(tmp_path, SMALL) as port, connected(port) as (reader, writer):
        writer.write(head("GET", "/health"))
        await reader.readuntil(b"}")
        # Between two requests it may be idle for longer than a request's head may take.
        await asyncio.sleep(SMALL.head_seconds * 2)
        writer.write(head("GET", "/health"))
        assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET /hea")
        assert await ended(reader)


async def ended(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET /hea", head("GET", "/health")], ids=["idle", "half-sent", "kept alive"])
async def test_idle_connections_give_way(tmp_path: Path, sent: bytes) -> None:
    """However many there are, whoever asks is answered."""
    patient = Limits(connections=8, of_a_peer=8)
    async with limited(tmp_path, patient) as port:
        idle = []
        for _ in range(30):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            idle.append((reader, writer))
        assert (await exchange(port, head("GET", "/health"))).startswith(b"HTTP/1.1 200")
        for reader, _ in idle[:20]:
            with suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), PATIENCE)
        for _, writer in idle:
            await aborted(writer)


async def test_running_requests_do_not_give_way(tmp_path: Path) -> None:
    """Whoever comes when all are at work is told so; those at work are answered."""
    async with limited(tmp_path, Limits(connections=8, of_a_peer=4)) as port:
        working = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        for reader, writer in working:
            writer.write(head(key=KEY, Content_Length=2, Expect="100-continue"))
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100")
            writer.write(b"{")
        async with connected(port) as (reader, _):
            answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"Retry-After" in answer
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "busy"
        for reader, writer in working:
            writer.write(b"}")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 400")
            await aborted(writer)


async def test_a_client_that_reads_nothing_is_given_up(tmp_path: Path) -> None:
    async with running(tmp_path) as up:
        app = create_api(up.services, KEY)
        gone = asyncio.Event()

        async def much(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(request)
            try:
                while True:
                    await response.write(b"x" * 65536)
            finally:
                gone.set()

        app.router.add_get("/much", much)
        async with listening(app, "127.0.0.1", 0, drain=0.1, limits=SMALL) as port, connected(port) as (_, writer):
            writer.write(head("GET", "/much", key=KEY))
            await gone.wait()


@contextmanager
def few_files(number: int) -> Iterator[None]:
    """Processes that are started now may open so few."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_more_connections_than_files_stop_nothing(tmp_path: Path) -> None:
    """The server as a process that may open 128 files, and a stranger with 300 connections."""
    with ExitStack() as stack:
        with few_files(128):
            process, port = stack.enter_context(started(tmp_path, "--api-key", KEY))
        for number in range(300):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            client.sendall(head()[: number % 50])
            if number % 60 == 0:
                assert get(port, "/health")[0] == 200
        assert get(port, "/health")[0] == 200
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        log = process.stdout.read()
    assert "Traceback" not in log
    assert len(log) < 2000


def test_a_process_with_few_files_takes_fewer_connections() -> None:
    with few_files(256):
        limits = Limits.of_this_process()
    assert 2 * limits.connections <= 128
    assert limits.of_a_peer < limits.connections


def test_what_repeats_is_written_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    logger = logging.getLogger("tests.repeats")
    limit = OncePerMinute(lambda: now)
    logger.addFilter(limit)

    def several(number: int) -> None:
        for each in range(number):
            logger.error("Connection %d cannot be taken", each)

    several(1000)
    logger.error("Something else")
    logger.info("What is no fault is not counted")
    assert len(caplog.records) == BURST + 1
    now = SECONDS
    several(1)
    assert caplog.messages[-1] == f"Connection 0 cannot be taken ({1000 - BURST} more of this kind were not written)"
    logger.removeFilter(limit)


def test_a_refused_client_is_not_listened_to_for_long() -> None:
    assert LINGER_SECONDS <= 5
