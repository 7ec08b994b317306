"""The MCP server of Home Assistant 2026.11 in small, after its `http.py` and `server.py`; wrong or late as told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from ha_assist_addon.app import listening

TOKEN = "a-token-for-tests"
PROMPT = """You ARE equipped to answer questions about the current state of the home.
Static Context: An overview of the areas and the devices in this smart home:
- names: Ceiling Light
  domain: light
  areas: Kitchen
- names: Outside Temperature
  domain: sensor
  areas: Garden

When controlling Home Assistant always call the intent tools.
When a user asks to turn on all devices of a specific type, ask the user to specify an area, unless there is only one \
device of that type."""
LIVE = """Live Context: An overview of the areas and the devices in this smart home:
- names: Ceiling Light
  domain: light
  state: 'on'
  areas: Kitchen
- names: Outside Temperature
  domain: sensor
  state: '11.5'
  areas: Garden
  attributes:
    unit_of_measurement: °C
    device_class: temperature
"""


def hints(*, read_only: bool, destructive: bool, idempotent: bool, open_world: bool = False) -> dict[str, bool]:
    """Annotations as Home Assistant sends them: always all four."""
    return {
        "readOnlyHint": read_only,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": open_world,
    }


def tool(name: str, annotations: Any = None, description: str = "", /, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    told = {} if annotations is None else {"annotations": annotations}
    return {"name": name, "description": description, "inputSchema": schema, **told}


TEXT = {"type": "string"}
# Home Assistant leaves `destructiveHint` true for tools of its own that only read.
TOOLS = (
    tool("homeassistant__GetLiveContext", hints(read_only=True, destructive=True, idempotent=False)),
    tool("llm__GetDateTime", hints(read_only=True, destructive=True, idempotent=False)),
    tool(
        "intent__HassTurnOn",
        hints(read_only=False, destructive=True, idempotent=False),
        "Turns on/opens/presses a device or entity",
        name=TEXT,
        area=TEXT,
        floor=TEXT,
        domain={"type": "array", "items": TEXT},
        device_class={"type": "array", "items": TEXT},
    ),
    tool(
        "intent__HassTurnOff",
        hints(read_only=False, destructive=True, idempotent=True),
        "Turns off/closes a device or entity",
        name=TEXT,
        area=TEXT,
        floor=TEXT,
        domain={"type": "array", "items": TEXT},
        device_class={"type": "array", "items": TEXT},
    ),
    tool("script__good_night", hints(read_only=False, destructive=True, idempotent=False, open_world=True)),
)


class FakeMcp:
    """It keeps what it was told; `tools` and `results` may be changed while it runs."""

    def __init__(self, tools: tuple[dict[str, Any], ...] = TOOLS) -> None:
        self.tools = tools
        self.results: dict[str, str] = {
            "homeassistant__GetLiveContext": json.dumps({"result": LIVE}),
            "llm__GetDateTime": json.dumps({"date": "2026-11-30", "time": "01:44:15", "weekday": "Monday"}),
        }
        self.prompt = PROMPT
        self.token = TOKEN
        self.status: int | None = None
        self.raw: bytes | None = None
        self.late = 0.0
        self.streams = False
        self.page_size = 1000
        self.session_id: str | None = None
        self.broken: dict[str, Any] = {}
        """By method: a JSON-RPC answer in place of the right one, without its id."""
        self.asked: list[str] = []
        self.called: list[tuple[str, dict[str, Any]]] = []
        self.headers: list[Mapping[str, str]] = []
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[FakeMcp]:
        app = web.Application()
        app.router.add_post("/api/mcp/assist", self._serve)
        async with listening(app, "127.0.0.1", 0, drain=0.1) as port:
            self.url = f"http://127.0.0.1:{port}"
            yield self

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self.headers.append(dict(request.headers))
        if self.status is not None:
            return web.Response(status=self.status, headers={"Location": "/api/mcp/assist"})
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return web.Response(status=401, text="401: Unauthorized")
        if "application/json" not in request.headers.get("Accept", ""):
            return web.Response(status=400, text="Client must accept application/json")
        assert request.content_type == "application/json"
        message = await request.json()
        await asyncio.sleep(self.late)
        if "id" not in message:
            return web.Response(status=202)
        if self.raw is not None:
            return web.Response(body=self.raw, content_type="application/json")
        self.asked.append(message["method"])
        answer = self.broken.get(message["method"], self._answer(message["method"], message.get("params") or {}))
        return await self._say(request, {"jsonrpc": "2.0", "id": message["id"], **answer})

    async def _say(self, request: web.Request, answer: Mapping[str, Any]) -> web.StreamResponse:
        headers = {"Mcp-Session-Id": self.session_id} if self.session_id else {}
        if not self.streams:
            return web.json_response(answer, headers=headers)
        response = web.StreamResponse(headers={**headers, "Content-Type": "text/event-stream"})
        await response.prepare(request)
        told = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
        await response.write(f": hello\r\n\r\nevent: message\r\ndata: {told}\r\n\r\n".encode())
        lines = json.dumps(answer, indent=1, ensure_ascii=False).split("\n")
        for line in lines:
            await response.write(f"data: {line}\n".encode())
        await response.write(b"\n")
        # The answer ends the exchange, whether or not the stream ends.
        await asyncio.sleep(30)
        return response

    def _answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        match method:
            case "initialize":
                agreed = {"protocolVersion": params["protocolVersion"], "capabilities": {}}
                return {"result": {**agreed, "serverInfo": {"name": "home-assistant", "version": ""}}}
            case "prompts/list":
                return {"result": {"prompts": [{"name": "Device control", "description": "Default prompt"}]}}
            case "prompts/get" if params["name"] == "Device control":
                content = {"type": "text", "text": self.prompt}
                return {"result": {"messages": [{"role": "assistant", "content": content}]}}
            case "prompts/get":
                return {"error": {"code": 0, "message": f"Unknown prompt: {params['name']}"}}
            case "tools/list":
                start = int(params.get("cursor", 0))
                end = start + self.page_size
                more = {"nextCursor": str(end)} if end < len(self.tools) else {}
                return {"result": {"tools": list(self.tools[start:end]), **more}}
            case "tools/call":
                name = params["name"]
                self.called.append((name, params["arguments"]))
                told = self.results.get(name)
                text = told if told is not None else f'Error calling tool: Tool "{name}" not found'
                return {"result": {"content": [{"type": "text", "text": text}], "isError": told is None}}
        return {"error": {"code": -32601, "message": "Method not found", "data": method}}
