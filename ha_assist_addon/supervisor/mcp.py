"""The real home as Home Assistant's MCP server shows it: its prompt, its tools, and what those that only read tell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from ..conversation import JsonObject, ToolCall
from ..errors import HomeUnavailable, OnlyShown
from ..home.intents import READS
from .mcp_session import Item, McpSession

PATH = "/api/mcp/assist"
SUPERVISOR_ADDRESS = "http://supervisor/core"
KNOWN_READS = frozenset(name for name in READS if not name.islower())
"""Trusted where Home Assistant sends no annotations (2026.8): no script, whose name is lower case, can be called so."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What Home Assistant says of a tool; None where it does not say."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True)
class HomeTool:
    """One tool, as it was listed."""

    name: str
    title: str = ""
    description: str = ""
    schema: JsonObject | None = None
    hints: Hints = Hints()

    @property
    def reads(self) -> bool:
        """Whether it may be called: it says that it only reads, or says nothing and is known to.

        By the specification of MCP (2025-06-18, ToolAnnotations) `destructiveHint` means something only where
        `readOnlyHint` is false; Home Assistant leaves it true for tools that read.
        """
        return self.hints.read_only is True or (self.hints == Hints() and self.name in KNOWN_READS)


@dataclass(frozen=True, slots=True)
class RealHome:
    """The prompt with the list of entities, and the tools."""

    prompt: str
    tools: tuple[HomeTool, ...]

    def find(self, name: str) -> HomeTool | None:
        """The only tool of this name; None also where two share it, since nobody knows which would be called."""
        found = [tool for tool in self.tools if tool.name == name]
        return found[0] if len(found) == 1 else None

    def only_read(self, names: Iterable[str]) -> bool:
        """Whether each of these may be called."""
        return all((tool := self.find(name)) is not None and tool.reads for name in names)

    def body(self, sentence: str) -> dict[str, Any]:
        """A chat request that says a sentence in this home."""
        return {
            "model": "HA-Assist",
            "messages": [{"role": "system", "content": self.prompt}, {"role": "user", "content": sentence}],
            "tools": [{"type": "function", "function": _function(tool)} for tool in self.tools],
        }


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool told, or why it could not."""

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds."""

    answer: float = 15.0
    altogether: float = 30.0


class HomeOverMcp:
    """Asks Home Assistant each time; nothing is kept, and nothing is asked before somebody wants it."""

    def __init__(self, address: str, token: str, patience: Patience = Patience()) -> None:
        self._address = address + PATH
        self._token = token
        self._patience = patience

    async def load(self) -> RealHome:
        """Raises HomeUnavailable."""
        async with self._session() as session:
            names = [p["name"] for p in await session.listed("prompts/list", "prompts") if _text(p.get("name"))]
            if not names:
                raise HomeUnavailable("Home Assistant's MCP server offers no prompt.")
            prompt = await session.ask("prompts/get", name=names[0])
            tools = await session.listed("tools/list", "tools")
        messages = prompt.get("messages")
        listed = messages if isinstance(messages, list) else []
        text = "\n".join(filter(None, (_texts(m.get("content")) for m in listed if isinstance(m, dict))))
        return RealHome(text, _tools(tools))

    async def read(self, calls: Sequence[ToolCall]) -> tuple[ToolAnswer, ...]:
        """Call tools that only read, as they are listed this moment.

        Raises OnlyShown before any of them is called where one may do more, and HomeUnavailable.
        """
        async with self._session() as session:
            home = RealHome("", _tools(await session.listed("tools/list", "tools")))
            if not home.only_read(call.name for call in calls):
                raise OnlyShown
            results = [await session.ask("tools/call", name=c.name, arguments=dict(c.arguments)) for c in calls]
        return tuple(ToolAnswer(_texts(r.get("content")), r.get("isError") is True) for r in results)

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[McpSession]:
        timeout = aiohttp.ClientTimeout(total=self._patience.answer)
        headers = {"Authorization": f"Bearer {self._token}"}
        try:
            async with (
                asyncio.timeout(self._patience.altogether),
                aiohttp.ClientSession(headers=headers, timeout=timeout) as http,
            ):
                session = McpSession(http, self._address)
                await session.begin()
                yield session
        except TimeoutError as error:
            raise HomeUnavailable("Home Assistant takes too long to answer.") from error


def create_real_home(url: str | None, token: str | None, environ: Mapping[str, str]) -> HomeOverMcp | None:
    """The Home Assistant that was named with a token, else the Supervisor's; None without a token."""
    if url and token:
        return HomeOverMcp(http_address(url), token)
    supervisor = environ.get("SUPERVISOR_TOKEN", "").strip()
    return HomeOverMcp(SUPERVISOR_ADDRESS, supervisor) if supervisor else None


def http_address(url: str) -> str:
    """Home Assistant's own address, also where that of its WebSocket API was given."""
    scheme, _, rest = url.strip().rpartition("://")
    scheme = {"": "http", "ws": "http", "wss": "https"}.get(scheme.lower(), scheme)
    rest = rest.rstrip("/").removesuffix("/websocket").removesuffix("/api")
    return f"{scheme}://{rest}"


def _tools(items: Iterable[Item]) -> tuple[HomeTool, ...]:
    return tuple(
        HomeTool(
            name,
            _text(item.get("title")),
            _text(item.get("description")),
            schema if isinstance(schema := item.get("inputSchema"), dict) else None,
            _hints(item.get("annotations")),
        )
        for item in items
        if (name := _text(item.get("name")))
    )


def _hints(annotations: Any) -> Hints:
    told = annotations if isinstance(annotations, dict) else {}

    def hint(name: str) -> bool | None:
        return value if isinstance(value := told.get(name), bool) else None

    return Hints(hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"), hint("openWorldHint"))


def _function(tool: HomeTool) -> dict[str, Any]:
    schema = tool.schema if tool.schema is not None else {"type": "object", "properties": {}}
    return {"name": tool.name, "description": tool.description, "parameters": schema}


def _texts(content: Any) -> str:
    """The text of one content or of several; pictures and links are left out."""
    parts = content if isinstance(content, list) else [content]
    return "\n".join(_text(p.get("text")) for p in parts if isinstance(p, dict) and p.get("type") == "text")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
