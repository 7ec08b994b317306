"""A reverse proxy that treats the panel as Home Assistant's Ingress does, with a page around it like Home Assistant's.

It strips the charset, refuses what Home Assistant's own filter refuses, and passes WebSockets on.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import unquote

import aiohttp
from aiohttp import WSMsgType, web

PREFIX = "/api/hassio_ingress/T0ken-of_the_session/"
_REFUSED = re.compile(
    r"proc/self/environ|(<|%3C).*script.*(>|%3E)|(\.\.//?)+|[a-zA-Z0-9_]=/([a-z0-9_.]//?)+|union.*select.*\(|concat.*\(",
    re.IGNORECASE,
)
_HOP = {"connection", "transfer-encoding", "content-length", "host", "upgrade", "keep-alive", "content-encoding"}
_AROUND = """<!doctype html>
<html lang="{language}" style="{theme}">
<head><meta charset="utf-8"><title>Home Assistant</title><link rel="icon" href="data:,">
<style>html, body, iframe {{ margin: 0; border: 0; width: 100%; height: 100vh; display: block; }}</style></head>
<body><iframe src="{prefix}{path}" title="HA-Assist"></iframe>
<script>
window.toggled = 0;
window.addEventListener("message", ({{ data, source }}) => {{
  if (data.type === "home-assistant/toggle-menu") window.toggled += 1;
  if (data.type === "home-assistant/subscribe-properties")
    source.postMessage({{ type: "home-assistant/properties", narrow: innerWidth < 870,
      safeAreaInsets: {{ top: "0px", right: "0px", bottom: "21px", left: "0px" }} }}, "*");
}});
</script></body></html>"""


@dataclass(slots=True)
class Ingress:
    """The proxy; `sockets` is False where WebSockets do not get through."""

    target: str
    http: aiohttp.ClientSession
    sockets: bool = True
    refused: list[str] = field(default_factory=list)
    language: str = "en"
    theme: str = ""
    path: str = ""
    accepted: int = 0
    """WebSockets that browsers were told to be open."""

    def app(self) -> web.Application:
        """The page around at `/`, the panel below the prefix."""
        app = web.Application()
        app.router.add_get("/", self._around)
        app.router.add_route("*", PREFIX + "{path:.*}", self._pass_on)
        return app

    async def _around(self, request: web.Request) -> web.Response:
        text = _AROUND.format(language=self.language, theme=self.theme, prefix=PREFIX, path=self.path)
        return web.Response(text=text, content_type="text/html")

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        if _REFUSED.search(unquote(request.raw_path.partition("?")[2])) or _REFUSED.search(unquote(request.path)):
            self.refused.append(request.raw_path)
            return web.Response(status=400)
        address = self.target + request.raw_path.removeprefix(PREFIX)
        headers = {
            n: v
            for n, v in request.headers.items()
            if n.lower() not in _HOP and not n.lower().startswith("sec-websocket")
        }
        headers["X-Ingress-Path"] = PREFIX.rstrip("/")
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._socket(request, address, headers)
        try:
            asked = await self.http.request(
                request.method, address, headers=headers, data=await request.read(), allow_redirects=False
            )
        except aiohttp.ClientConnectionError:
            return web.Response(status=502)
        async with asked as answer:
            passed = {n: v for n, v in answer.headers.items() if n.lower() not in _HOP}
            passed["Content-Type"] = answer.headers.get("Content-Type", "").partition(";")[0]
            return web.Response(status=answer.status, headers=passed, body=await answer.read())

    async def _socket(self, request: web.Request, address: str, headers: dict[str, str]) -> web.StreamResponse:
        if not self.sockets:
            return web.Response(status=502)
        # As Home Assistant does: the browser's side is accepted before the other side has been asked.
        outer = web.WebSocketResponse()
        await outer.prepare(request)
        self.accepted += 1
        with suppress(aiohttp.ClientError):
            async with self.http.ws_connect(address, headers=headers) as inner:
                ways = [asyncio.create_task(_copy(outer, inner)), asyncio.create_task(_copy(inner, outer))]
                _, pending = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in pending:
                    way.cancel()
        with suppress(ConnectionError, RuntimeError):
            await outer.close()
        return outer


async def _copy(
    source: web.WebSocketResponse | aiohttp.ClientWebSocketResponse,
    target: web.WebSocketResponse | aiohttp.ClientWebSocketResponse,
) -> None:
    async for message in source:
        if message.type is WSMsgType.TEXT:
            await target.send_str(message.data)
