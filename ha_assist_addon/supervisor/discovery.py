"""Announces HA-Assist to the Supervisor, so that Home Assistant offers to connect it; nothing waits for that."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

import aiohttp

from .. import __version__

SUPERVISOR = "http://supervisor"
SERVICE = "ha_assist"
"""The integration that is offered; config.yaml names it under `discovery`."""

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Announcement:
    """Where HA-Assist is found and with which key; the version lets Home Assistant notice an update."""

    url: str
    api_key: str = field(repr=False)
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds."""

    answer: float = 10.0
    first_retry: float = 2.0
    last_retry: float = 300.0


class AnnouncementRefused(Exception):
    """The Supervisor does not take it, and would not take it later either; the message is its own."""


def start_announcing(port: int, api_key: str, environ: Mapping[str, str]) -> asyncio.Task[None] | None:
    """Announce in the background until it is taken; None outside of the Supervisor."""
    token = environ.get("SUPERVISOR_TOKEN", "").strip()
    if not token:
        return None
    # An app's host name is the one under which Home Assistant reaches it.
    announcement = Announcement(f"http://{socket.gethostname()}:{port}", api_key)
    return asyncio.create_task(announce(SUPERVISOR, token, announcement), name="announcement")


async def announce(supervisor: str, token: str, announcement: Announcement, patience: Patience = Patience()) -> None:
    """Try until the Supervisor answers; what it refuses is logged once and given up."""
    delay = patience.first_retry
    timeout = aiohttp.ClientTimeout(total=patience.answer)
    async with aiohttp.ClientSession(supervisor, timeout=timeout) as session:
        while True:
            try:
                taken = await _send(session, token, announcement)
            except AnnouncementRefused as refusal:
                _LOGGER.warning("The Supervisor does not offer HA-Assist to Home Assistant: %s", refusal)
                return
            if taken:
                _LOGGER.info("HA-Assist is announced to Home Assistant")
                return
            await asyncio.sleep(delay)
            delay = min(2 * delay, patience.last_retry)


async def _send(session: aiohttp.ClientSession, token: str, announcement: Announcement) -> bool:
    """Whether it was taken. Raises AnnouncementRefused."""
    config = {"url": announcement.url, "api_key": announcement.api_key, "version": announcement.version}
    try:
        async with session.post(
            "/discovery", json={"service": SERVICE, "config": config}, headers={"Authorization": f"Bearer {token}"}
        ) as response:
            if response.ok:
                return True
            if response.status < HTTPStatus.INTERNAL_SERVER_ERROR and response.status not in {408, 429}:
                raise AnnouncementRefused(await _reason(response))
            _LOGGER.debug("The Supervisor is not ready (status %s)", response.status)
    except (TimeoutError, aiohttp.ClientError, OSError) as error:
        _LOGGER.debug("The Supervisor cannot be reached (%s)", type(error).__name__)
    return False


async def _reason(response: aiohttp.ClientResponse) -> str:
    try:
        answer = await response.json(content_type=None)
    except ValueError:
        answer = None
    message = answer.get("message") if isinstance(answer, dict) else None
    return message if isinstance(message, str) and message else f"status {response.status}"
