"""Try it in the real home: what it would do there, what Home Assistant says of those tools, and what was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from ..errors import HomeUnavailable
from ..supervisor.mcp import Hints, HomeOverMcp, RealHome
from ..trial.dry_run import dry_run
from ..trial.real_run import Read, may_read, real_run
from .detail_view import decision, readable
from .keys import SERVICES
from .reader import words_for

LONGEST_SHOWN = 20_000


@dataclass(frozen=True, slots=True)
class Proposed:
    """A tool that would be called; `hints` are keys of the panel's words."""

    name: str
    title: str
    hints: tuple[str, ...]
    reads: bool


def reader_of(request: web.Request) -> HomeOverMcp:
    """Raises HomeUnavailable where there is no token."""
    reader = request.app[SERVICES].real_home
    if reader is None:
        raise HomeUnavailable("HA-Assist has no token for Home Assistant, so the real home cannot be asked for.")
    return reader


async def tried(
    request: web.Request, home: RealHome, body: dict[str, Any], *, read: bool, generate: bool
) -> dict[str, Any]:
    """What the template shows of a sentence in this home; only with `read` is anything called."""
    services = request.app[SERVICES]
    if read:
        run = await real_run(body, services, reader_of(request), home, generate=generate)
        reads, ran = run.reads, run.ran
    else:
        reads, ran = (), await dry_run(body, services, generate=generate)
    return {
        "ran": ran,
        "reads": [(one, _told(one)) for one in reads],
        "proposed": [_proposed(home, str(call["name"])) for call in ran.detail.calls],
        "may_read": may_read(ran, home),
        **decision(ran.detail, words_for(request)),
    }


def _told(read: Read) -> Any:
    """What a tool told, as a person reads it: an overview as its text, anything else as it is."""
    told = readable(read.answer.text[:LONGEST_SHOWN])
    return told["result"] if isinstance(told, dict) and isinstance(told.get("result"), str) else told


def _proposed(home: RealHome, name: str) -> Proposed:
    tool = home.find(name)
    if tool is None:
        return Proposed(name, "", ("unknown",), reads=False)
    return Proposed(name, tool.title, tuple(_hints(tool.hints)) or ("unsaid",), tool.reads)


def _hints(hints: Hints) -> Iterator[str]:
    if hints.read_only:
        yield "reads"
    elif hints.read_only is False:
        yield "acts"
    # The specification gives these two a meaning only for tools that may change something.
    if hints.destructive and not hints.read_only:
        yield "destroys"
    if hints.idempotent and not hints.read_only:
        yield "repeats"
    if hints.open_world:
        yield "outside"
