"""The real API with nothing, or with a model that talks nonsense, behind it; and what must hold of every answer."""

from __future__ import annotations

import asyncio
import io
import json
import random
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import listening
from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.conversation import ChatRequest, ToolCall
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.errors import BackendFailed
from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from tests.fuzz.hostile import TEXTS
from tests.fuzz.mutate import Input
from tests.fuzz.seeds import DIAGNOSE, SAYS, is_read
from tests.support.fake_backend import FakeBackend, FakeModels, Said
from tests.support.serving import KEY

GRAMMARS = GrammarLibrary()
"""Loaded once for all servers."""
HUNG = 60.0
"""Seconds after which a test gives up; what counts as a hang is measured in processor time."""
LANGUAGES = ("en", "de")
SETTINGS = {
    "HA_ASSIST_SETTINGS__HA_ASSIST_VERIFY_DELAY": "0",
    "HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": ",".join(LANGUAGES),
}


class Trap:
    """A server whose address stands in schemas and images: nobody may come."""

    def __init__(self) -> None:
        self.visits = 0
        self.url = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Trap]:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._visit)
        async with listening(app, "127.0.0.1", 0, drain=0.1) as port:
            self.url = f"http://127.0.0.1:{port}"
            yield self

    async def _visit(self, _request: web.Request) -> web.Response:
        self.visits += 1
        return web.json_response({})


def nonsense(request: ChatRequest) -> list[Said]:
    """An answer that obeys nobody: the same request gets the same."""
    rng = random.Random(len(request.system_text) * 31 + len(request.messages))
    tools = [str(tool.get("name")) for tool in request.tools] or ["intent__HassTurnOff", "HassTurnOn", ""]
    names: list[dict[str, Any]] = [
        {"name": "Front Door"},
        {"name": "e1"},
        {"area": "Kitchen"},
        {},
        {"name": ["e1", {}]},
        {"x": {"y": []}},
    ]
    calls = [{"tool": plain_name(rng.choice(tools)), "args": rng.choice(names)} for _ in range(rng.choice((1, 1, 5)))]
    lists: list[list[Said]] = [
        [json.dumps({"calls": calls})],
        [json.dumps({"answer": rng.choice(TEXTS)})],
        [ToolCall("call_1", rng.choice(tools), rng.choice(names)), ToolCall("", "", {})],
        [rng.choice(TEXTS), rng.choice(TEXTS)],
        [f"<tool_call>{json.dumps(calls[0])}"],
        ['{"calls": ' * 300],
        ["I have turned off everything and unlocked the door. "],
        [BackendFailed()],
        [],
    ]
    return rng.choice(lists)


@dataclass(slots=True)
class Target:
    """One server, and how often its model was asked."""

    name: str
    url: str
    http: aiohttp.ClientSession
    services: Services
    model: FakeBackend | None = None
    slowest: float = 0.0

    async def fault(self, sent: Input, patience: float = HUNG) -> str | None:
        """Send one input; what is wrong with the answer, or None. `patience` is in seconds of processor time."""
        asked = len(self.model.seen) if self.model is not None else 0
        began = time.process_time()
        try:
            async with asyncio.timeout(HUNG):
                headers = {"Content-Type": "application/json", **sent.headers}
                async with self.http.post(self.url + sent.path, data=io.BytesIO(sent.raw), headers=headers) as answer:
                    content = await answer.read()
                    status, kind = answer.status, answer.content_type
        except (TimeoutError, aiohttp.ClientError) as error:
            return f"no answer ({type(error).__name__})"
        spent = time.process_time() - began
        self.slowest = max(self.slowest, spent)
        if self.model is not None:
            if len(self.model.seen) - asked > 1:
                return "the model was asked more than once"
            del self.model.seen[:]
        # 502 is what a model that fails deserves; nothing else behind this server may fail.
        if status >= 500 and not (status == 502 and self.model is not None):
            return f"status {status}: {content[:300]!r}"
        wrong = _wrong_form(status, kind, content) or _wrong_action(sent, status, kind, content)
        if wrong is None and spent > patience:
            return f"{spent:.1f} s of processor time"
        return wrong


@asynccontextmanager
async def target(
    folder: Path, name: str, model: FakeBackend | None = None, settings: Mapping[str, str] | None = None
) -> AsyncIterator[Target]:
    """A server that records into a file, as the real one does."""
    store = SettingsStore(folder, environ={**SETTINGS, **(settings or {})})
    traces = TraceStore(folder / "diagnostics.sqlite", lambda: store.current.diagnostics)
    services = Services(store, GRAMMARS, FakeModels(model, model), traces)  # type: ignore[arg-type]
    traces.start()
    async with (
        listening(create_api(services, KEY), "127.0.0.1", 0, drain=0.2) as port,
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http,
    ):
        yield Target(name, f"http://127.0.0.1:{port}/v1", http, services, model)
    await traces.close()


@asynccontextmanager
async def targets(folder: Path) -> AsyncIterator[tuple[Target, ...]]:
    """Without a model, and with one that talks nonsense in each form."""
    async with (
        target(folder / "none", "no model") as none,
        target(folder / "json", "nonsense as JSON", FakeBackend([nonsense], ToolForm.JSON)) as as_json,
        target(folder / "native", "nonsense as calls", FakeBackend([nonsense], ToolForm.NATIVE)) as native,
        target(folder / "text", "nonsense as text", FakeBackend([nonsense], ToolForm.TEXT)) as text,
    ):
        yield none, as_json, native, text


def _wrong_form(status: int, kind: str, content: bytes) -> str | None:
    if kind == "text/event-stream":
        text = content.decode()
        if not text.endswith("\n\n"):
            return "a stream without its end"
        return (
            None
            if "data: [DONE]" in text
            or "response.completed" in text
            or '"error"' in text
            or ("response.failed" in text or "response.incomplete" in text)
            else "a stream that stops"
        )
    try:
        value = json.loads(content)
    except ValueError:
        return "no JSON"
    if status >= 400:
        error = value.get("error") if isinstance(value, dict) else None
        if not isinstance(error, dict) or set(error) != {"message", "type", "param", "code"} or not error["message"]:
            return f"no error object: {content[:200]!r}"
    return None


def _wrong_action(sent: Input, status: int, kind: str, content: bytes) -> str | None:
    if status != 200 or not isinstance(sent.body, dict):
        return None
    try:
        made = _calls(sent.path, kind, content)
    except (KeyError, TypeError, ValueError) as error:
        return f"an answer of another shape ({error!r})"
    offered = _offered(sent.body)
    sentence = _sentence(sent.body)
    for name, arguments in made:
        if name not in offered:
            return f"{name} was not offered"
        plain = plain_name(name)
        if sentence is not None and not is_read(plain) and plain not in SAYS.get(sentence, {plain}):
            return f"{sentence!r} became {name} {arguments}"
        if sent.body.get("tool_choice") == "none":
            return "a call although none was wanted"
    return None


def _calls(path: str, kind: str, content: bytes) -> list[tuple[str, Any]]:
    if kind == "text/event-stream":
        values = [
            json.loads(line[6:])
            for line in content.decode().split("\n")
            if line.startswith("data: ") and line != "data: [DONE]"
        ]
        if path == "/responses":
            items = [value["item"] for value in values if value.get("type") == "response.output_item.done"]
            return [(i["name"], i["arguments"]) for i in items if i["type"] == "function_call"]
        found = []
        for value in values:
            for choice in value.get("choices", ()):
                found += choice["delta"].get("tool_calls", [])
        return [(call["function"]["name"], call["function"]["arguments"]) for call in found]
    value = json.loads(content)
    if path == "/responses":
        return [(i["name"], i["arguments"]) for i in value["output"] if i["type"] == "function_call"]
    message = (value["proposed_response"] or {}) if path == DIAGNOSE else value["choices"][0]["message"]
    return [(c["function"]["name"], c["function"]["arguments"]) for c in message.get("tool_calls") or ()]


def _offered(body: Mapping[str, Any]) -> set[Any]:
    tools = [tool for tool in body.get("tools") or () if isinstance(tool, dict)]
    names = [(tool.get("function") or tool).get("name") for tool in tools]
    return {name for name in names if isinstance(name, str)}


def _sentence(body: Mapping[str, Any]) -> str | None:
    """What was said last, where it is a request of ours that still ends with it."""
    listed = body.get("messages") or body.get("input")
    last = listed[-1] if isinstance(listed, list) and listed else None
    content = last.get("content") if isinstance(last, dict) and last.get("role") == "user" else None
    return content if isinstance(content, str) else None
