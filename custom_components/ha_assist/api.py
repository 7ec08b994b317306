"""The client of HA-Assist's API."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from yarl import URL

from homeassistant.helpers.json import json_bytes
from homeassistant.util.json import json_loads

from .errors import CannotConnect, HaAssistError, Interrupted, InvalidKey, NotHaAssist, Refused, TimedOut, Unavailable

SHORT = ClientTimeout(total=10)
CHAT = ClientTimeout(total=600, sock_connect=10, sock_read=60)
"""While a model works, HA-Assist sends a sign of life every few seconds."""

_UNAVAILABLE = (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT)
_DATA = b"data:"
_DONE = b"[DONE]"


def normalize_url(text: str) -> str:
    """`homeassistant.local:8090/v1/` as `http://homeassistant.local:8090`. Raises ValueError."""
    text = text.strip()
    url = URL(text if "://" in text else f"http://{text}")
    if url.scheme not in ("http", "https") or not url.host or any(map(str.isspace, text)):
        raise ValueError("not an address of HTTP")
    if url.user is not None or url.password is not None:
        # Beside the key a request can bear no second one.
        raise ValueError("an address with user and password")
    url = url.with_path(url.path.rstrip("/").removesuffix("/v1").rstrip("/"))
    return str(url.with_query(None).with_fragment(None)).rstrip("/")


class HaAssistClient:
    """Every method raises a `HaAssistError`."""

    def __init__(self, session: ClientSession, url: str, api_key: str) -> None:
        self.url = url
        self._session = session
        self._headers = {"Authorization": f"Bearer {api_key}"}

    async def models(self) -> list[str]:
        """The ids of the models; the server's own comes first."""
        async with self._request("GET", "/v1/models", SHORT) as response:
            answer = await _json(response)
        listed = answer.get("data")
        if not isinstance(listed, list):
            raise NotHaAssist
        return [model["id"] for model in listed if isinstance(model, dict) and isinstance(model.get("id"), str)]

    async def version(self) -> str | None:
        """The version of the server, or None where it does not tell it, such as behind a proxy."""
        try:
            async with self._request("GET", "/health", SHORT) as response:
                version = (await _json(response)).get("version")
        except (NotHaAssist, Refused, Unavailable):
            return None
        return version if isinstance(version, str) else None

    async def chat(self, body: dict[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        """The chunks of a streamed answer."""
        async with self._request("POST", "/v1/chat/completions", CHAT, body) as response:
            async for line in _lines(response):
                if not line.startswith(_DATA):
                    continue
                payload = line.removeprefix(_DATA).strip()
                # Read to the end: a connection that is left earlier cannot be used again.
                if payload != _DONE:
                    yield _chunk(payload)

    @asynccontextmanager
    async def _request(
        self, method: str, path: str, limit: ClientTimeout, body: dict[str, Any] | None = None
    ) -> AsyncIterator[ClientResponse]:
        answering = False
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        data = None if body is None else json_bytes(body)
        try:
            async with self._session.request(
                method, f"{self.url}{path}", headers=headers, data=data, timeout=limit
            ) as response:
                if response.status >= HTTPStatus.BAD_REQUEST:
                    raise await _refusal(response)
                answering = True
                yield response
        except TimeoutError as error:
            raise TimedOut from error
        except (ClientError, ValueError, OSError) as error:
            raise (Interrupted if answering else CannotConnect) from error


async def _lines(response: ClientResponse) -> AsyncGenerator[bytes]:
    """Lines of any length; those of aiohttp are limited."""
    rest = b""
    async for piece in response.content.iter_any():
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r")
    yield rest


async def _json(response: ClientResponse) -> dict[str, Any]:
    try:
        value = json_loads(await response.read())
    except ValueError as error:
        raise NotHaAssist from error
    if not isinstance(value, dict):
        raise NotHaAssist
    return value


def _chunk(payload: bytes) -> dict[str, Any]:
    try:
        value = json_loads(payload)
    except ValueError as error:
        raise Interrupted from error
    if not isinstance(value, dict):
        raise Interrupted
    if refused := _refused(value):
        raise refused
    return value


async def _refusal(response: ClientResponse) -> HaAssistError:
    if response.status == HTTPStatus.UNAUTHORIZED:
        return InvalidKey()
    try:
        value = json_loads(await response.read())
    except ValueError:
        value = None
    if refused := _refused(value) if isinstance(value, dict) else None:
        return refused
    return Unavailable() if response.status in _UNAVAILABLE else NotHaAssist()


def _refused(value: dict[str, Any]) -> Refused | None:
    error = value.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    if not isinstance(message, str) or not message:
        return None
    param = error.get("param") if isinstance(error, dict) else None
    return Refused(message=message, param=param if isinstance(param, str) else "")
