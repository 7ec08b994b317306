"""What the registries change in answers, through the real server: floors that exist, and the language of the home."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import build_services, languages_spoken, listening, warm_up
from ha_assist_addon.home.toolbox import plain_name
from ha_assist_addon.services import Services
from ha_assist_addon.settings.bootstrap import Bootstrap
from ha_assist_addon.trace.trace import Trace
from tests.supervisor.conftest import until
from tests.supervisor.fake_home_assistant import TOKEN, FakeHomeAssistant, area
from tests.support.house import House, body, thing

KEY = "a-key-for-tests"
HOUSE = House(
    (
        thing("Ceiling Light, Big Lamp", "light", "Bedroom, Master Bedroom"),
        thing("Counter Lights", "light", "Kitchen"),
        thing("Bedroom Blind", "cover", "Bedroom, Master Bedroom"),
    )
)
UPSTAIRS, DOWNSTAIRS = {"upstairs", "first floor"}, {"downstairs", "ground floor"}
"""Home Assistant takes the name or an alias, in any case."""


class Server:
    """The server, and what it said last."""

    def __init__(self, services: Services, http: aiohttp.ClientSession, url: str) -> None:
        self.services = services
        self._http = http
        self._url = url

    async def post(self, sentence: str, **more: Any) -> tuple[int, dict[str, Any]]:
        """Status and answer."""
        async with self._http.post(self._url, json=body(HOUSE, sentence, **more)) as response:
            return response.status, await response.json()

    async def say(self, sentence: str, **more: Any) -> tuple[list[tuple[str, dict[str, Any]]], str, dict[str, Any]]:
        """Calls by their plain names, text and metrics."""
        status, answer = await self.post(sentence, **more)
        assert status == 200, answer
        message = answer["choices"][0]["message"]
        calls = [(c["function"]["name"], c["function"]["arguments"]) for c in message.get("tool_calls") or ()]
        return [(plain_name(n), json.loads(a)) for n, a in calls], message["content"] or "", answer["metrics"]


@asynccontextmanager
async def serving(
    data_dir: Path, home_assistant: FakeHomeAssistant | None, languages: str = ""
) -> AsyncIterator[Server]:
    """The API as the add-on builds it; the registries are read already."""
    if languages:
        (data_dir / "settings.yaml").write_text(f"settings:\n  ha_assist_languages: [{languages}]\n")
    told = {"home_assistant_url": home_assistant.url, "home_assistant_token": TOKEN} if home_assistant else {}
    services = build_services(Bootstrap.load(data_dir=data_dir, **told))
    async with (
        listening(create_api(services, KEY), "127.0.0.1", 0, drain=1) as port,
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http,
    ):
        if services.registry is not None:
            services.registry.start()
            assert await services.registry.first(5)
        yield Server(services, http, f"http://127.0.0.1:{port}/v1/chat/completions")
        if services.registry is not None:
            await services.registry.close()
    await services.backends.close()


@pytest.fixture(autouse=True)
def _no_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SUPERVISOR_TOKEN", "HA_ASSIST_HOME_ASSISTANT_URL", "HA_ASSIST_HOME_ASSISTANT_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("sentence", "tool", "floor"),
    [
        ("turn off the lights upstairs", "HassTurnOff", UPSTAIRS),
        ("turn on all the lights on the first floor", "HassTurnOn", UPSTAIRS),
        ("switch off the lights downstairs", "HassTurnOff", DOWNSTAIRS),
    ],
)
async def test_a_floor_acts(
    tmp_path: Path, home_assistant: FakeHomeAssistant, sentence: str, tool: str, floor: set[str]
) -> None:
    async with serving(tmp_path, home_assistant, "en") as server:
        calls, text, _ = await server.say(sentence)
        [(called, arguments)] = calls
        assert (called, arguments["floor"].lower() in floor, arguments["domain"]) == (tool, True, ["light"]), text


async def test_a_floor_that_does_not_exist_is_asked_back(tmp_path: Path, home_assistant: FakeHomeAssistant) -> None:
    async with serving(tmp_path, home_assistant, "en") as server:
        for sentence in ("turn off the lights in the basement", "turn off the lights on the third floor"):
            calls, text, metrics = await server.say(sentence)
            assert calls == [], sentence
            assert text.strip(), sentence
            assert metrics["ha_route"]["inference_calls"] == 0
        _, text, _ = await server.say("turn off the lights in the basement")
        assert "basement" in text.lower()
        assert text.rstrip().endswith("?")


async def test_a_new_floor_is_known_without_a_restart(tmp_path: Path, home_assistant: FakeHomeAssistant) -> None:
    async with serving(tmp_path, home_assistant, "en") as server:
        registry = server.services.registry
        assert registry is not None
        before = registry.current
        home_assistant.home["config/floor_registry/list"].append(
            {"floor_id": "cellar", "name": "Basement", "aliases": [], "level": -1}
        )
        home_assistant.home["config/area_registry/list"][0] = area("kitchen", "Kitchen", "cellar")
        await home_assistant.fire("floor_registry_updated")
        await until(lambda: registry.current is not before)
        calls, text, _ = await server.say("turn off the lights in the basement")
        assert calls == [("HassTurnOff", {"floor": "Basement", "domain": ["light"]})], text


async def test_without_a_token_nothing_is_lost(tmp_path: Path) -> None:
    async with serving(tmp_path, None, "en") as server:
        assert server.services.registry is None
        calls, text, _ = await server.say("turn off the lights upstairs")
        assert calls == [("HassTurnOff", {"floor": "upstairs", "domain": ["light"]})], text
        assert (await server.say("turn off the counter lights"))[0]


async def test_a_home_assistant_that_is_away_delays_nothing(tmp_path: Path, home_assistant: FakeHomeAssistant) -> None:
    home_assistant.late = 60
    (tmp_path / "settings.yaml").write_text("settings:\n  ha_assist_languages: [en]\n")
    services = build_services(
        Bootstrap.load(data_dir=tmp_path, home_assistant_url=home_assistant.url, home_assistant_token=TOKEN)
    )
    assert services.registry is not None
    services.registry.start()
    await until(lambda: home_assistant.connections)
    async with (
        listening(create_api(services, KEY), "127.0.0.1", 0, drain=1) as port,
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http,
    ):
        server = Server(services, http, f"http://127.0.0.1:{port}/v1/chat/completions")
        assert (await server.say("turn off the counter lights"))[0]
    await services.registry.close()
    await services.backends.close()


async def test_the_home_list_of_the_prompt_decides_what_exists(
    tmp_path: Path, home_assistant: FakeHomeAssistant
) -> None:
    async with serving(tmp_path, home_assistant, "en") as server:
        assert (await server.say("turn on the outlet"))[0] == []
        assert (await server.say("close the kitchen window"))[0] == []


async def test_the_language_of_home_assistant_is_tried_first(tmp_path: Path, home_assistant: FakeHomeAssistant) -> None:
    home_assistant.home["get_config"] = {"language": "de", "country": "DE"}
    async with serving(tmp_path, home_assistant) as server:
        # No language has these words: the home's own answers.
        calls, _, metrics = await server.say("xyzzy plugh")
        assert (calls, metrics["ha_route"]["language"]) == ([], "de")
        for sentence, language in (
            ("schalte die Counter Lights aus", "de"),
            ("turn off the counter lights", "en"),
            ("éteins Counter Lights", "fr"),
        ):
            calls, text, metrics = await server.say(sentence)
            assert [c[0] for c in calls] == ["HassTurnOff"], (sentence, text)
            assert metrics["ha_route"]["language"] == language


async def test_the_requests_own_context_goes_over_the_registries(
    tmp_path: Path, home_assistant: FakeHomeAssistant
) -> None:
    async with serving(tmp_path, home_assistant, "en") as server:
        told = {"floors": [{"name": "Loft"}], "areas": [{"name": "Bedroom", "floor": "Loft"}]}
        calls, text, _ = await server.say("turn off the lights in the loft", ha_context=told)
        assert calls == [("HassTurnOff", {"floor": "Loft", "domain": ["light"]})], text
        assert (await server.say("turn off the lights in the loft"))[0] == []


@pytest.mark.parametrize(
    ("told", "param"),
    [
        ({"floors": [{}]}, "ha_context.floors.0.name"),
        ({"entities": [{"name": "Lamp"}]}, "ha_context.entities.0.domain"),
        ({"areas": "Kitchen"}, "ha_context.areas"),
        ({"language": "x" * 17}, "ha_context.language"),
    ],
)
async def test_a_broken_context_in_a_request_is_refused(tmp_path: Path, told: dict[str, Any], param: str) -> None:
    async with serving(tmp_path, None, "en") as server:
        status, answer = await server.post("turn off the counter lights", ha_context=told)
    assert (status, answer["error"]["param"], answer["error"]["code"]) == (400, param, "invalid_request")
    assert param in answer["error"]["message"]


async def test_the_warm_up_loads_the_language_of_home_assistant(
    tmp_path: Path, home_assistant: FakeHomeAssistant
) -> None:
    home_assistant.home["get_config"] = {"language": "nl"}
    async with serving(tmp_path, home_assistant, "en, nl") as server:
        async with asyncio.timeout(1):
            await warm_up(server.services)
        await until(lambda: server.services.grammars.in_memory("nl"), 30)
        assert not server.services.grammars.in_memory("en")


async def test_the_warm_up_loads_the_first_enabled_language(tmp_path: Path) -> None:
    async with serving(tmp_path, None, "nl, en") as server:
        await warm_up(server.services)
        await until(lambda: server.services.grammars.in_memory("nl"), 30)


async def test_the_warm_up_loads_what_was_spoken_before_the_start(tmp_path: Path) -> None:
    async with serving(tmp_path, None, "en, nl, pl") as server:
        server.services.traces.start()
        for language in (*("nl",) * 30, "pl", "de", "de", "de"):
            trace = Trace("HA-Assist")
            trace.language = language
            trace.finish("answered", "Done")
            server.services.traces.add(trace)
        async with asyncio.timeout(30):
            while await server.services.traces.count() < 34:  # noqa: ASYNC110 - as in `until`
                await asyncio.sleep(0.01)
        await warm_up(server.services)
        await until(lambda: server.services.grammars.in_memory("nl"), 30)
        assert await languages_spoken(server.services, ()) == ("nl", "de")
        assert await languages_spoken(server.services, ("en", "nl", "pl")) == ("nl",)
        assert not server.services.grammars.in_memory("en")
        await server.services.traces.close()
