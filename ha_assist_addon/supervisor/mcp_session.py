"""Messages to Home Assistant's MCP server, each a POST of its own (Streamable HTTP), each answered within bounds."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import aiohttp

from .. import __version__
from ..errors import HomeUnavailable

PROTOCOL = "2025-06-18"
"""The version that is asked for; a server may answer with another."""
LARGEST_ANSWER = 8 * 1024 * 1024
MOST_PAGES = 20
_STREAM = "text/event-stream"
_ACCEPT = f"application/json, {_STREAM}"
_NOT_MCP = "What answers is not Home Assistant's MCP server."
_REFUSALS: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: "Home Assistant refuses the token of HA-Assist. "
    "Check the token, or restart the app: each start gives it a new one.",
    HTTPStatus.FORBIDDEN: "Home Assistant does not let this token use its MCP server.",
    HTTPStatus.NOT_FOUND: "Home Assistant has no MCP server yet. "
    'Add its integration "Model Context Protocol" (earlier: "Model Context Protocol Server").',
}

Item = Mapping[str, Any]


class McpSession:
    """Not for concurrent use; every method raises HomeUnavailable."""

    def __init__(self, http: aiohttp.ClientSession, address: str) -> None:
        self._http = http
        self._address = address
        self._headers = {"Accept": _ACCEPT}
        self._last_id = 0

    async def begin(self) -> None:
        """Agree on the version."""
        client = {"name": "HA-Assist", "version": __version__}
        agreed = await self.ask("initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=client)
        version = agreed.get("protocolVersion")
        if isinstance(version, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", version, re.ASCII):
            self._headers["MCP-Protocol-Version"] = version
        async with self._post({"jsonrpc": "2.0", "method": "notifications/initialized"}):
            pass

    async def ask(self, method: str, **params: Any) -> Item:
        """The result of a request."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        async with self._post(message) as response:
            async for answer in _messages(response):
                if answer.get("id") == self._last_id:
                    return _result(answer, method)
        raise HomeUnavailable(_NOT_MCP)

    async def listed(self, method: str, key: str) -> tuple[Item, ...]:
        """All items of a list, page after page; what is no object is left out."""
        items: list[Item] = []
        page: dict[str, Any] = {}
        for _ in range(MOST_PAGES):
            result = await self.ask(method, **page)
            found = result.get(key)
            items += [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
            if not isinstance(cursor := result.get("nextCursor"), str):
                return tuple(items)
            page = {"cursor": cursor}
        raise HomeUnavailable("Home Assistant's MCP server lists more than HA-Assist reads.")

    @asynccontextmanager
    async def _post(self, message: Item) -> AsyncIterator[aiohttp.ClientResponse]:
        try:
            # A redirect would turn the message into a GET, and could lead anywhere.
            async with self._http.post(
                self._address, json=message, headers=self._headers, allow_redirects=False
            ) as response:
                await _accept(response)
                session = response.headers.get("Mcp-Session-Id", "")
                if session and session.isascii() and session.isprintable():
                    self._headers["Mcp-Session-Id"] = session
                yield response
        except TimeoutError as error:
            raise HomeUnavailable("Home Assistant does not answer.") from error
        except (aiohttp.ClientError, OSError) as error:
            raise HomeUnavailable(f"Home Assistant cannot be reached at {self._address}.") from error


async def _accept(response: aiohttp.ClientResponse) -> None:
    if response.status in {HTTPStatus.OK, HTTPStatus.ACCEPTED}:
        return
    if (refusal := _REFUSALS.get(response.status)) is not None:
        raise HomeUnavailable(refusal)
    if response.status == HTTPStatus.BAD_REQUEST and b"must accept" in await response.content.read(1024):
        # Home Assistant looks at a header that Supervisors before 2026.1 do not pass on.
        raise HomeUnavailable("This Supervisor does not let MCP through. Update it.")
    if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise HomeUnavailable(f"Home Assistant is not ready (status {response.status}).")
    raise HomeUnavailable(f"{_NOT_MCP[:-1]} (status {response.status}).")


async def _messages(response: aiohttp.ClientResponse) -> AsyncIterator[Item]:
    """The JSON-RPC messages of an answer; notifications may come before the one that is waited for."""
    if response.content_type != _STREAM:
        yield _parse([line async for line in _lines(response)])
        return
    data: list[bytes] = []
    async for line in _lines(response):
        if line.startswith(b"data:"):
            data.append(line[5:])
        elif not line and data:
            yield _parse(data)
            data = []


async def _lines(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    size, rest = 0, b""
    async for piece in response.content.iter_any():
        size += len(piece)
        if size > LARGEST_ANSWER:
            raise HomeUnavailable("Home Assistant's answer is larger than HA-Assist reads.")
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r")
    yield rest


def _parse(lines: list[bytes]) -> Item:
    try:
        message = json.loads(b"\n".join(lines))
    except (ValueError, RecursionError) as error:
        raise HomeUnavailable(_NOT_MCP) from error
    if not isinstance(message, dict):
        raise HomeUnavailable(_NOT_MCP)
    return message


def _result(answer: Item, method: str) -> Item:
    if isinstance(error := answer.get("error"), dict):
        reason = " ".join(str(error.get("message", "")).split())[:200]
        raise HomeUnavailable(f"Home Assistant's MCP server refuses {method}: {reason or 'it does not say why'}.")
    result = answer.get("result")
    if not isinstance(result, dict):
        raise HomeUnavailable(_NOT_MCP)
    return result
