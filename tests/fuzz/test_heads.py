"""No address, query or header is a fault of ours, on either port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from ha_assist_addon.app import listening
from ha_assist_addon.panel.app import create_panel
from ha_assist_addon.panel.guard import TOKEN
from tests.fuzz.heads import head
from tests.support.serving import KEY, running

COUNT = 600
FORM = b"Content-Type: application/x-www-form-urlencoded"
SOCKET = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"


def made(line: bytes, *headers: bytes, sent: bytes = b"") -> bytes:
    lines = [line + b" HTTP/1.1", b"Host: 127.0.0.1", b"Content-Length: %d" % len(sent), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + sent


ODD = (
    made(b"GET /?x=\xed\xa0\x80"),
    made(b"GET /?x=%ED%A0%80"),
    made(b"GET /", b"Expect: \xff"),
    made(b"GET /live", SOCKET + b"Sec-WebSocket-Key: \xc3\xa4"),
    made(b"POST /settings", FORM + b"; charset=nonsense", sent=b"{}"),
    made(b"POST /settings", b"Content-Type: multipart/form-data", sent=b"{}"),
    made(b"POST /settings", FORM, sent=b"token=\xff"),
)


@pytest.fixture
async def ports(tmp_path: Path) -> AsyncIterator[tuple[int, int]]:
    async with (
        running(tmp_path) as server,
        listening(create_panel(server.services, 1, KEY), "127.0.0.1", 0, drain=0.1) as panel,
    ):
        yield server.port, panel


async def status_of(port: int, sent: bytes) -> int:
    async with asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        line = await reader.readline()
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return int(line.split()[1])


@pytest.mark.filterwarnings("ignore::aiohttp.BadContentDispositionHeader", "ignore::aiohttp.BadContentDispositionParam")
async def test_odd_heads_are_refused_and_no_fault(ports: tuple[int, int], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("WARNING")
    wrong = [
        (port, sent)
        for sent in (*ODD, *(head(number) for number in range(COUNT)))
        for port in ports
        if await status_of(port, sent) >= 500
    ]
    assert not wrong
    assert not caplog.messages


@pytest.mark.parametrize("after", [10**25, -(10**25), 2**63, 1e300, "9", None, [], True])
async def test_no_greeting_of_a_live_page_is_a_fault(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, after: object
) -> None:
    caplog.set_level("WARNING")
    async with running(tmp_path) as server, aiohttp.ClientSession() as http:
        panel = create_panel(server.services, 1, KEY)
        async with (
            listening(panel, "127.0.0.1", 0, drain=0.1) as port,
            http.ws_connect(f"http://127.0.0.1:{port}/live") as socket,
        ):
            await socket.send_json({"token": panel[TOKEN], "after": after})
            async with asyncio.timeout(20):
                while not server.services.traces._subscriptions:  # noqa: ASYNC110 - nobody tells of a new watcher
                    await asyncio.sleep(0.005)
            await asyncio.sleep(0.05)
            assert not socket.closed
            assert len(server.services.traces._subscriptions) == 1
    assert not caplog.messages
