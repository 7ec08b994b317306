"""Requests of three Home Assistants with two APIs and contributed tools: the home's commands stay certain, and a model
is offered what the sentence speaks of.

One of them was recorded so. The older ones were recorded with one API: the second is put beside it in the form in which
they merge APIs, where every tool bears the name of its API.
"""

from __future__ import annotations

import copy
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.home.toolbox import plain_name
from tests.captures.replay import Recorded
from tests.support.fake_upstream import FakeUpstream, Scripted, delta, events, said
from tests.support.serving import Running, running
from tests.support.shared import SHARED, needs_shared

pytestmark = needs_shared

FOLDER = SHARED / "captures" if SHARED else Path()
COFFEE, FRAGMENT = "coffee_count", "The coffee machine counts every cup."
CONTRIBUTED: Sequence[Mapping[str, Any]] = (
    {
        "name": COFFEE,
        "description": "How many cups of coffee were made.",
        "parameters": {"type": "object", "properties": {}},
    },
    {
        "name": "brave_web_search",
        "description": "Searches the web.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
    {
        "name": "reset_counter",
        "description": "Sets the counter of the coffee machine to zero.",
        "parameters": {"type": "object", "properties": {}},
    },
)
VERSIONS = {
    "2026.11": "2026.11/llama_cpp_two_apis/01_turn_on_by_name.json",
    "2026.8": "2026.8/llama_cpp/01_turn_on_by_name.json",
    "2026.2": "2026.2/local_openai/01_turn_on_by_name.json",
}
HOW_MANY = "how many cups of coffee were made today"


def recorded(version: str) -> dict[str, Any]:
    """The first request of a recording, as one to HA-Assist in one piece."""
    recording = json.loads((FOLDER / VERSIONS[version]).read_text(encoding="utf-8"))
    asked = [e["request"] for e in recording["exchanges"] if e["request"]["path"].endswith("/chat/completions")]
    body = {**copy.deepcopy(dict(Recorded.of(version, 0, asked[0]).body)), "stream": False}
    body.pop("stream_options", None)
    return body


def merged(version: str, sentence: str) -> dict[str, Any]:
    """The request for a sentence with the contributed tools, in the form of the version."""
    body = recorded(version)
    system, newest = body["messages"][0], version == "2026.11"
    names = [f"my_integration__{tool['name']}" for tool in CONTRIBUTED]
    own = [t["function"] for t in body["tools"]]
    if newest:
        told = f'Follow these instructions for tools from "my_integration" ({", ".join(names)}):\n{FRAGMENT}\n\n'
        system["content"] = f"{system['content']}\n\n{told}"
    else:
        for tool in own:
            tool["name"] = f"assist__{tool['name']}"
        first, _, rest = system["content"].partition("\n")
        home = f'{first}\nFollow these instructions for tools from "assist":\n{rest}'
        system["content"] = f'{home}\n\nFollow these instructions for tools from "my_integration":\n{FRAGMENT}\n\n'
    more = [{**tool, "name": name} for tool, name in zip(CONTRIBUTED, names, strict=True)]
    body["tools"] = [{"type": "function", "function": tool} for tool in (*own, *more)]
    body["messages"] = [system, {"role": "user", "content": sentence}]
    return body


@pytest.fixture(params=VERSIONS)
async def home(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[str, FakeUpstream, Running]]:
    """A version, a model that plays a script, and the server between them."""
    fake = FakeUpstream()
    async with fake.running():
        upstream = {"enabled": True, "base_url": fake.url, "model": "stub", "tool_form": "native"}
        settings = json.dumps({"settings": {"ha_assist_languages": ["en"]}, "models": {"upstream": upstream}})
        async with running(tmp_path, settings=settings) as server:
            yield request.param, fake, server


def calls_of(answer: Mapping[str, Any]) -> list[tuple[str, Any]]:
    made = answer["choices"][0]["message"].get("tool_calls") or []
    return [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in made]


def calling(name: str, arguments: Mapping[str, Any]) -> Scripted:
    function = {"name": name, "arguments": json.dumps(arguments)}
    made = {"index": 0, "id": "call_1", "type": "function", "function": function}
    return Scripted(events(delta(role="assistant", tool_calls=[made]), delta("tool_calls")))


def offered(fake: FakeUpstream) -> set[str]:
    return {tool["function"]["name"] for tool in fake.requests[-1].get("tools", ())}


async def test_a_plain_command_is_certain(home: tuple[str, FakeUpstream, Running]) -> None:
    version, fake, server = home
    status, answer, _ = await server.post(merged(version, "turn on the desk lamp"))
    assert status == 200, answer
    ((name, arguments),) = calls_of(answer)
    assert plain_name(name) == "HassTurnOn"
    assert arguments["name"] == "Desk Lamp"
    assert name in {t["function"]["name"] for t in merged(version, "")["tools"]}
    assert not fake.bodies


async def test_a_tool_that_counts_is_offered_called_and_worded(home: tuple[str, FakeUpstream, Running]) -> None:
    version, fake, server = home
    request = merged(version, HOW_MANY)
    fake.queue = [calling(f"my_integration__{COFFEE}", {})]
    status, answer, _ = await server.post(request)
    assert status == 200, answer
    assert calls_of(answer) == [(f"my_integration__{COFFEE}", {})]
    assert f"my_integration__{COFFEE}" in offered(fake)
    assert FRAGMENT in json.dumps(fake.requests[-1]["messages"])

    fake.queue = [said("Seven cups were made.")]
    message = answer["choices"][0]["message"]
    told = {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": json.dumps({"count": 7})}
    status, answer, _ = await server.post({**request, "messages": [*request["messages"], message, told]})
    assert (status, answer["choices"][0]["message"]["content"]) == (200, "Seven cups were made.")


async def test_a_tool_that_acts_is_asked_about_first(home: tuple[str, FakeUpstream, Running]) -> None:
    version, fake, server = home
    fake.queue = [calling("my_integration__reset_counter", {})]
    status, answer, _ = await server.post(merged(version, "make the counter of the coffee machine begin again"))
    assert status == 200, answer
    assert not calls_of(answer)
    assert answer["choices"][0]["message"]["content"].endswith("?")


async def test_other_sentences_are_offered_none_of_it(home: tuple[str, FakeUpstream, Running]) -> None:
    version, fake, server = home
    fake.queue = [said("As you like.")]
    status, answer, _ = await server.post(merged(version, "make the living room more comfortable"))
    assert status == 200, answer
    assert not any(name.startswith("my_integration__") for name in offered(fake))
    assert FRAGMENT not in json.dumps(fake.requests[-1]["messages"])


async def test_every_recording_has_its_form(home: tuple[str, FakeUpstream, Running]) -> None:
    version, _, _ = home
    names = [t["function"]["name"] for t in merged(version, "")["tools"]]
    assert len(names) == len(set(names))
    prefix = "" if version == "2026.11" else "assist__"
    assert any(plain_name(name) == "HassTurnOn" and name.startswith(prefix) for name in names)
