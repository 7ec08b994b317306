"""What a stranger, or a client with the key, does to the server, each in a process of its own for a given time."""

from __future__ import annotations

import gzip
import resource
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

KEY = "the-key-of-the-attacked"
CHAT = "/v1/chat/completions"
_TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where the attacked server is, and until when it is attacked."""

    api: int
    panel: int
    until: float
    """On the wall clock, which processes share."""

    @property
    def goes_on(self) -> bool:
        return time.time() < self.until

    @property
    def left(self) -> float:
        return max(0.0, self.until - time.time())


def _bomb() -> bytes:
    """1 MB that unpacks to 1 GB."""
    return gzip.compress(bytes(1 << 30), 6)


def _head(path: str, length: int, *more: str, host: str = "127.0.0.1") -> bytes:
    lines = [f"POST {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {length}", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def _often(place: Place, port: int, sent: bytes) -> None:
    """Send it again and again, each time on a connection of its own."""
    while place.goes_on:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), _TIMEOUT) as client:
            client.sendall(sent)
            client.recv(4096)
            # Stay as long as the server bears it: what it does with the rest is what costs.
            client.settimeout(min(_TIMEOUT, place.left + 0.01))
            while client.recv(65536):
                pass


def _by_eight(place: Place, work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(place.left + 1)


def bombs_without_the_key(place: Place) -> None:
    """Compressed bodies that nobody may send."""
    bomb = _bomb()
    _by_eight(place, lambda: _often(place, place.api, _head(CHAT, len(bomb), "Content-Encoding: gzip") + bomb))


def bombs_with_the_key(place: Place) -> None:
    """Compressed bodies of a client with the key."""
    bomb = _bomb()
    sent = _head(CHAT, len(bomb), "Content-Encoding: gzip", f"Authorization: Bearer {KEY}") + bomb
    _by_eight(place, lambda: _often(place, place.api, sent))


def bombs_at_the_panel(place: Place) -> None:
    """Compressed bodies for the panel, from a site that it refuses."""
    bomb = _bomb()
    sent = _head("/settings", len(bomb), "Content-Encoding: gzip", host="evil.example") + bomb
    _by_eight(place, lambda: _often(place, place.panel, sent))


def endless_bodies(place: Place) -> None:
    """Bodies in chunks of one byte that never end."""
    head = f"POST {CHAT} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    chunks = b"1\r\nx\r\n" * 10_000

    def send() -> None:
        while place.goes_on:
            with suppress(OSError), socket.create_connection(("127.0.0.1", place.api), _TIMEOUT) as client:
                client.sendall(head)
                while place.goes_on:
                    client.sendall(chunks)

    _by_eight(place, send)


def _crowd(place: Place, sent: bytes, count: int = 1200) -> None:
    """Keep so many connections open; whichever ends is opened again."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    clients: list[socket.socket] = []
    while place.goes_on:
        with suppress(OSError):
            client = socket.create_connection(("127.0.0.1", place.api), _TIMEOUT)
            client.sendall(sent)
            clients.append(client)
        if len(clients) > count:
            clients.pop(0).close()
        # As fast as a machine in the same network, not as fast as this one can.
        time.sleep(0.001)


def idle_connections(place: Place) -> None:
    """Connections on which nothing comes."""
    _crowd(place, b"")


def half_sent_requests(place: Place) -> None:
    """Connections on which half a request comes."""
    _crowd(place, _head(CHAT, 100)[:-2])


def odd_addresses(place: Place) -> None:
    """Addresses and headers that are no text."""
    odd = (
        b"GET /?x=\xed\xa0\x80 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /?x=%ED%A0%80 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /%ED%A0%80 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xff?q=\xff HTTP/1.1\r\nHost: \xff\r\n\r\n",
        b"GET http://[/ HTTP/1.1\r\nHost: [\r\n\r\n",
    )

    def send() -> None:
        while place.goes_on:
            for port in (place.api, place.panel):
                for each in odd:
                    with suppress(OSError), socket.create_connection(("127.0.0.1", port), _TIMEOUT) as client:
                        client.sendall(each)
                        client.recv(4096)

    _by_eight(place, send)


ATTACKS = (
    bombs_without_the_key,
    bombs_with_the_key,
    bombs_at_the_panel,
    endless_bodies,
    idle_connections,
    half_sent_requests,
    odd_addresses,
)
