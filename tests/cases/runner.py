"""Runs cases against a server: with a scripted model behind it, and where that says too much, without one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import yaml

from tests.cases.judge import Case, Given, misses
from tests.cases.request import build
from tests.support.fake_upstream import FakeUpstream, Scripted, delta, events, said
from tests.support.house import Version, done, result
from tests.support.serving import KEY, running

NOBODY_KNOWS = "I would rather not do that."
"""What the model answers where a case does not say it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One case and how it went."""

    case: Case
    given: Given
    misses: list[str]

    @property
    def passed(self) -> bool:
        """Whether the answer was right."""
        return not self.misses


@dataclass(slots=True)
class Server:
    """A server under test; `stub` is the model that it asks, where that is ours."""

    base_url: str
    http: aiohttp.ClientSession
    stub: FakeUpstream | None = None

    async def ask(self, body: Mapping[str, Any], answer: Scripted | None = None) -> Given:
        """Post one request; the model, if it is asked, gives `answer`."""
        before = len(self.stub.bodies) if self.stub else 0
        if self.stub:
            self.stub.queue[:] = [answer or said(NOBODY_KNOWS)] * 3
        async with self.http.post(f"{self.base_url}/chat/completions", data=json.dumps(body).encode()) as response:
            status, content = response.status, json.loads(await response.read())
        prompts = self.stub.requests[before:] if self.stub else []
        if status != 200:
            return Given(status, str(content.get("error", {}).get("message", "")), prompts=prompts)
        message = content["choices"][0]["message"]
        calls = [
            (call["function"]["name"], json.loads(call["function"]["arguments"]))
            for call in message.get("tool_calls") or ()
        ]
        return Given(status, message["content"] or "", calls, content.get("metrics", {}), prompts)


@dataclass(slots=True)
class Bench:
    """The servers that a run of cases needs: with a model, without one, and with a case's own settings."""

    folder: Path
    stack: AsyncExitStack
    http: aiohttp.ClientSession
    stub: FakeUpstream
    base_url: str | None = None
    _servers: dict[str, Server] = field(default_factory=dict)

    async def server(self, settings: Mapping[str, Any], *, model: bool) -> Server:
        """The server with these settings."""
        if self.base_url:
            return Server(self.base_url, self.http)
        wanted: dict[str, Any] = {"settings": {"ha_assist_verify_delay": 0, **settings}}
        if model:
            wanted["models"] = {"upstream": {"enabled": True, "base_url": self.stub.url, "model": "stub"}}
        text = yaml.safe_dump(wanted)
        if text not in self._servers:
            folder = self.folder / f"server{len(self._servers)}"
            folder.mkdir()
            up = await self.stack.enter_async_context(running(folder, settings=text))
            self._servers[text] = Server(up.url, self.http, self.stub)
        return self._servers[text]

    async def run(self, case: Case, version: Version = "2026.11") -> Verdict:
        """Ask and judge."""
        settings, body = case.get("settings") or {}, build(case, version)
        server = await self.server(settings, model=True)
        given = await server.ask(body, _scripted(case.get("backend")))
        given = await self._to_the_end(case, server, body, given)
        if given.generations and not case.get("backend") and not self.base_url:
            given.unaided = await (await self.server(settings, model=False)).ask(body)
        return Verdict(case, given, misses(case, given))

    async def _to_the_end(self, case: Case, server: Server, body: Mapping[str, Any], given: Given) -> Given:
        """Calls that come one after another count together where a case wants all of them or none."""
        if not case["expect"].get("all_or_nothing_targets") or not given.calls:
            return given
        messages, calls, latest = list(body["messages"]), list(given.calls), given
        for turn in range(8):
            for number, (name, arguments) in enumerate(latest.calls):
                function = {"name": name, "arguments": json.dumps(arguments)}
                identity = f"call_{turn}_{number}"
                messages += [
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [{"id": identity, "type": "function", "function": function}],
                    },
                    result({"data": done(str(arguments.get("name", ""))), "error": False}, identity),
                ]
            latest = await server.ask({**body, "messages": messages})
            if not latest.calls:
                break
            calls += latest.calls
        given.calls = calls
        return given


def _scripted(backend: Mapping[str, Any] | None) -> Scripted | None:
    if not backend:
        return None
    if not backend.get("tool_calls"):
        return said(str(backend.get("content") or ""))
    calls = [
        {
            "index": index,
            "id": call.get("id") or f"call_{index}",
            "type": "function",
            "function": {
                "name": (call.get("function") or call)["name"],
                "arguments": _text((call.get("function") or call).get("arguments", "{}")),
            },
        }
        for index, call in enumerate(backend["tool_calls"])
    ]
    start = delta(role="assistant", content=backend.get("content"))
    return Scripted(events(start, *(delta(tool_calls=[call]) for call in calls), delta("tool_calls")))


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def load(path: Path) -> list[Case]:
    """The cases of a file, one JSON object a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@asynccontextmanager
async def bench(folder: Path, base_url: str | None = None, api_key: str = KEY) -> AsyncIterator[Bench]:
    """Everything that a run needs, until the context ends."""
    headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}
    stub = FakeUpstream()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(stub.running())
        http = await stack.enter_async_context(aiohttp.ClientSession(headers=headers))
        yield Bench(folder, stack, http, stub, base_url.rstrip("/") if base_url else None)


async def run_all(cases: Iterable[Case], folder: Path, version: Version = "2026.11") -> list[Verdict]:
    """All cases against servers of our own."""
    async with bench(folder) as ready:
        return [await ready.run(case, version) for case in cases]
