"""One HTTP request for the rest of a file: what is asked for, where it may lead, and what its answer means."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

import aiohttp
from yarl import URL

from .errors import DownloadFailed, NetworkFailed
from .part import Origin

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 10
_TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_WAIT = 300.0
"""The longest pause that a server may ask for, in seconds."""
_CONTENT_RANGE = re.compile(r"bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)")
_KEPT = "%:/?#[]@!$&'()*+,;=~"
NETWORK_FAULTS = (aiohttp.ClientError, TimeoutError)


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer: from which byte it goes on, and what the whole file is.

    `start` is None where the answer does not continue what is there; `complete` says that nothing is left to fetch.
    """

    response: aiohttp.ClientResponse
    start: int | None
    origin: Origin
    complete: bool = False


@asynccontextmanager
async def ask(session: aiohttp.ClientSession, address: str, have: int, known: Origin | None) -> AsyncIterator[Answer]:
    """Ask for a file from byte `have` on; raises DownloadFailed or NetworkFailed."""
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
        if known is not None and known.validator:
            headers["If-Range"] = known.validator
    try:
        response = await _follow(session, address, headers)
    except NETWORK_FAULTS as error:
        raise NetworkFailed(_fault(urlsplit(address).hostname, error)) from error
    try:
        yield _read(response, address, have, known)
    finally:
        response.close()


def next_address(current: str, location: str) -> str:
    """Where a redirect leads; raises DownloadFailed where it leaves the web, or leaves HTTPS."""
    try:
        # Escapes stay as they are: signed addresses are signed as they stand.
        target = quote(urljoin(current, location), safe=_KEPT)
        parts = urlsplit(target)
    except ValueError as error:
        raise DownloadFailed("The server leads to an address that cannot be read.") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise DownloadFailed("The server leads to an address that is not on the web.")
    if urlsplit(current).scheme == "https" and parts.scheme != "https":
        raise DownloadFailed(f"The server leads to {parts.hostname} without encryption, which is not followed.")
    return target


async def _follow(session: aiohttp.ClientSession, address: str, headers: Mapping[str, str]) -> aiohttp.ClientResponse:
    for _ in range(_MOST_REDIRECTS + 1):
        response = await session.get(URL(address, encoded=True), headers=headers, allow_redirects=False)
        if response.status not in _REDIRECTS:
            return response
        location = response.headers.get("Location", "")
        response.close()
        if not location:
            raise DownloadFailed("The server leads elsewhere and does not say where.")
        address = next_address(address, location)
    raise DownloadFailed("The server leads from one address to the next without end.")


def _read(response: aiohttp.ClientResponse, address: str, have: int, known: Origin | None) -> Answer:
    status, host = response.status, response.url.host
    if status == 200:
        # A portal or proxy that answers in the server's place must not cost what is there already.
        if response.content_type == "text/html":
            raise DownloadFailed(f"{host} sent a web page in the place of the file.")
        return Answer(response, 0, Origin(address, _validator(response), _length(response)))
    if status == 206 and have:
        return _continued(response, address, have, known)
    if status == 416 and have:
        total = _range(response)[1]
        complete = total == have and known is not None and known.size in {None, total}
        return Answer(response, None, known or Origin(address), complete)
    if status in _TRY_AGAIN:
        raise NetworkFailed(f"{host} cannot answer at the moment (status {status}).", wait=_asked_wait(response))
    if status in {401, 403}:
        raise DownloadFailed(f"{host} does not hand this file out without an account (status {status}).")
    if status in {404, 410}:
        raise DownloadFailed(f"{host} does not have this file (any more) (status {status}).")
    raise DownloadFailed(f"{host} answered with status {status}, with which a download cannot go on.")


def _continued(response: aiohttp.ClientResponse, address: str, have: int, known: Origin | None) -> Answer:
    """A part of the file, usable only where it is the very next one of the same file."""
    start, total = _range(response)
    validator = _validator(response)
    same = (
        start == have
        and known is not None
        and (total is None or known.size in {None, total})
        and _same_version(known.validator, validator)
    )
    size = total if known is None or known.size is None else known.size
    origin = Origin(address, known.validator if known else validator, size)
    return Answer(response, start if same else None, origin)


def _range(response: aiohttp.ClientResponse) -> tuple[int | None, int | None]:
    """The first byte and the whole size that Content-Range tells."""
    found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if found is None:
        return None, None
    first, _, total = found.groups()
    return (int(first) if first else None), (int(total) if total != "*" else None)


def _validator(response: aiohttp.ClientResponse) -> str:
    """What `If-Range` may be asked with: a strong ETag, else the date."""
    tag = response.headers.get("ETag", "")
    return tag if tag.startswith('"') else response.headers.get("Last-Modified", "")


def _same_version(one: str, other: str) -> bool:
    """False only where two tags, or two dates, differ."""
    comparable = one and other and one.startswith('"') == other.startswith('"')
    return not comparable or one == other


def _length(response: aiohttp.ClientResponse) -> int | None:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else None


def _asked_wait(response: aiohttp.ClientResponse) -> float:
    seconds = response.headers.get("Retry-After", "")
    return min(float(seconds), _LONGEST_WAIT) if seconds.isdecimal() else 0


def _fault(host: str | None, error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return f"{host} did not answer in time."
    return f"{host} cannot be reached."


def break_off(error: BaseException) -> NetworkFailed:
    """What a fault in the middle of a body means."""
    if isinstance(error, TimeoutError):
        return NetworkFailed("The server fell silent.")
    return NetworkFailed("The connection broke off.")
