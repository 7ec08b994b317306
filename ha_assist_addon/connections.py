"""How many may be connected, for how long without a whole request, and what becomes of a body that nobody reads."""

from __future__ import annotations

import asyncio
import ipaddress
import resource
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from aiohttp import web
from typing_extensions import override

from .api.errors import as_client_error, encode_json, error_object, error_response, log_fault
from .errors import Busy, InvalidRequest

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
KEEP_ALIVE_SECONDS = 75.0
"""How long an idle connection stays open: longer than the 15 s for which Home Assistant's own clients keep theirs."""
LINGER_SECONDS = 2.0
"""How long a refused client may go on sending, so that it has finished when it reads why."""
PIECE, FIRST_PIECE = 64 * 1024, 4 * 1024
"""Bytes that are read at once, and before a request has begun: aiohttp takes apart all that it gets, for 100 ms where
each of 256 KB is a chunk of its own, before anybody can look at the key."""
_CONTINUE = "100-continue"
_IPV6_NETWORK = 64
"""Whoever has one IPv6 address has a whole network of them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one listening port bears."""

    connections: int = 256
    of_a_peer: int = 128
    head_seconds: float = 20.0
    """From the first byte of a request, or from the connection, to the end of its head."""
    write_seconds: float = 60.0
    """How long a client may take nothing of what is sent to it."""
    discarded_bytes: int = 4 * 1024 * 1024
    """How much of a refused body is taken and thrown away; the rest stays where it is until the connection ends."""

    @classmethod
    def of_this_process(cls) -> Limits:
        """The usual ones, or fewer connections where the process may open few files."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files == resource.RLIM_INFINITY:
            return cls()
        connections = max(8, min(cls().connections, files // 4))
        return cls(connections=connections, of_a_peer=max(4, connections // 2))


class Connections:
    """The open connections of one port; a full one closes the connection that has been idle for longest."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits.of_this_process()
        self.piece = memoryview(bytearray(PIECE))
        """What has just been read; it is handed on before anything else is read."""
        self._open: dict[Connection, None] = {}
        """Those that were used last stand last."""
        self._peers: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Connection) -> bool:
        """Count a connection in, at the cost of an idle one if need be; False where all are at work."""
        if self._peers[connection.peer] >= self.limits.of_a_peer and not self._close_idle(connection.peer):
            return False
        if len(self._open) >= self.limits.connections:
            greediest = self._peers.most_common(1)[0][0]
            if not self._close_idle(greediest) and not self._close_idle():
                return False
        self._open[connection] = None
        self._peers[connection.peer] += 1
        return True

    def touch(self, connection: Connection) -> None:
        """The connection was used."""
        if connection in self._open:
            del self._open[connection]
            self._open[connection] = None

    def leave(self, connection: Connection) -> None:
        """Count a connection out; may be called more than once."""
        if connection in self._open:
            del self._open[connection]
            self._peers[connection.peer] -= 1
            if not self._peers[connection.peer]:
                del self._peers[connection.peer]

    def _close_idle(self, peer: str | None = None) -> bool:
        for connection in self._open:
            if not connection.running and peer in {None, connection.peer}:
                self.leave(connection)
                connection.abort()
                return True
        return False


class Connection(asyncio.BufferedProtocol):
    """Stands between a socket and aiohttp's protocol: counts, watches the time, throws away what nobody reads."""

    def __init__(self, inner: asyncio.Protocol, connections: Connections) -> None:
        self.peer = ""
        self.running = 0
        """Requests whose heads have arrived and that are not answered yet."""
        self._inner = inner
        self._connections = connections
        self._transport: asyncio.Transport | None = None
        self._admitted = False
        self._discarded: int | None = None
        self._head: asyncio.TimerHandle | None = None
        self._write: asyncio.TimerHandle | None = None

    # --- what the requests tell

    def begin(self) -> None:
        """A request has arrived."""
        self.running += 1
        _cancel(self._head)
        self._head = None

    def end(self) -> None:
        """Its answer is there."""
        self.running -= 1
        self._connections.touch(self)

    def discard(self) -> None:
        """Throw away, unread, whatever still comes: nobody wants the rest of the body."""
        if self._discarded is None and self._transport is not None:
            self._discarded = 0
            if not self._transport.is_closing():
                self._transport.resume_reading()

    def abort(self) -> None:
        """End it at once."""
        if self._transport is not None:
            self._transport.abort()

    # --- what the socket tells

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast("asyncio.Transport", transport)
        self.peer = peer_group(transport.get_extra_info("peername"))
        self._admitted = self._connections.admit(self)
        if not self._admitted:
            transport.write(_FULL)
            transport.close()
            return
        self._watch_head()
        self._inner.connection_made(transport)

    @override
    def get_buffer(self, sizehint: int) -> memoryview:
        whole = self.running or self._discarded is not None
        return self._connections.piece if whole else self._connections.piece[:FIRST_PIECE]

    @override
    def buffer_updated(self, nbytes: int) -> None:
        if not self._admitted:
            return
        if self._discarded is not None:
            self._discarded += nbytes
            if self._discarded > self._connections.limits.discarded_bytes and self._transport is not None:
                self._transport.pause_reading()
            return
        if not self.running and self._head is None:
            self._watch_head()
        try:
            self._inner.data_received(bytes(self._connections.piece[:nbytes]))
        except Exception as error:  # noqa: BLE001 - asyncio's own log would quote what came
            log_fault(error)
            self.abort()

    @override
    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._admitted else None

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._head, self._write)
        self._connections.leave(self)
        if self._admitted:
            self._inner.connection_lost(exc)

    @override
    def pause_writing(self) -> None:
        if self._admitted:
            self._write = asyncio.get_running_loop().call_later(self._connections.limits.write_seconds, self.abort)
            self._inner.pause_writing()

    @override
    def resume_writing(self) -> None:
        if self._admitted:
            _cancel(self._write)
            self._inner.resume_writing()

    def _watch_head(self) -> None:
        self._head = asyncio.get_running_loop().call_later(self._connections.limits.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        self._head = None
        if not self.running:
            self.abort()


class LimitedSite(web.TCPSite):
    """A port with limits; everything else of it is aiohttp's."""

    def __init__(self, runner: web.AppRunner, host: str, port: int, limits: Limits | None = None) -> None:
        super().__init__(runner, host, port)
        self._address = (host, port)
        self._connections = Connections(limits)

    @override
    async def start(self) -> None:
        """Begin to listen; raises OSError."""
        await web.BaseSite.start(self)
        make = cast("web.Server", self._runner.server)
        make.request_handler = guarded(make.request_handler)
        self._server = await asyncio.get_running_loop().create_server(
            lambda: Connection(make(), self._connections), *self._address, backlog=self._backlog
        )


def guarded(handler: Handler) -> Handler:
    """What a web server calls for each request, around routing and all: nothing of aiohttp's own gets past it."""

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        protocol = request.transport.get_protocol() if request.transport is not None else None
        connection = protocol if isinstance(protocol, Connection) else None
        if connection is not None:
            connection.begin()
        try:
            response = await _answered(request, handler)
        except web.HTTPException as refusal:
            _leave_rest(request, refusal, connection)
            raise
        finally:
            if connection is not None:
                connection.end()
        _leave_rest(request, response, connection)
        return response

    return handle


async def _answered(request: web.BaseRequest, handler: Handler) -> web.StreamResponse:
    if not _is_sound(request):
        return error_response(InvalidRequest("The head of this request cannot be read."))
    try:
        return await handler(request)
    except (ConnectionError, web.HTTPException):
        raise
    except Exception as error:  # noqa: BLE001 - aiohttp's own log would quote what was said
        return error_response(as_client_error(error))


def _is_sound(request: web.BaseRequest) -> bool:
    """Whether the head is text, and asks for nothing that aiohttp would refuse in a form of its own."""
    if request.headers.get("Expect", _CONTINUE).lower() != _CONTINUE:
        return False
    try:
        request.raw_path.encode()
        str(request.rel_url.query).encode()
        for name, value in request.headers.items():
            # A key is compared as it came, and cookies are none of ours.
            if name.lower() not in {"authorization", "cookie"}:
                value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _leave_rest(request: web.BaseRequest, response: web.StreamResponse, connection: Connection | None) -> None:
    """Nobody reads the rest of a body that was not read."""
    if connection is not None and not request.content.is_eof():
        if not response.prepared:
            response.force_close()
        connection.discard()


def peer_group(peer: object) -> str:
    """Whom a socket's peer counts for: its IPv4 address, or its IPv6 network."""
    if not isinstance(peer, tuple) or not peer:
        return ""
    text = str(peer[0]).partition("%")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, _IPV6_NETWORK), strict=False))
    return text


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()


def _full() -> bytes:
    body = encode_json(error_object(Busy("HA-Assist has too many connections open. Please try again in a moment.")))
    head = (
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 2\r\n"
        f"Content-Type: application/json; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


_FULL = _full()
