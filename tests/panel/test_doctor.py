"""Connect says how far connecting has come, and never that something works which does not."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import listening
from ha_assist_addon.panel import connect_view
from tests.support.house import House, body, thing

from .conftest import KEY, Add, Panel

HOME = House((thing("Ceiling Light", "light", "Kitchen"),), satellite="Kitchen")
PROBE = {
    "model": "HA-Assist",
    "messages": [{"role": "user", "content": "What is the capital of France?"}],
    "tools": [{"type": "function", "function": {"name": "test_function", "parameters": {"type": "object"}}}],
}


@pytest.fixture
async def api(panel: Panel) -> AsyncIterator[str]:
    async with listening(create_api(panel.services, KEY), "127.0.0.1", 0, drain=0.1) as port:
        yield f"http://127.0.0.1:{port}/v1"


async def call(panel: Panel, address: str, json: Any = None, *, key: str | None = KEY) -> int:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    async with panel.http.request("GET" if json is None else "POST", address, json=json, headers=headers) as response:
        return response.status


async def steps(panel: Panel) -> tuple[str, dict[str, str]]:
    """The headline, and the state of each step by its title."""
    page = await panel.get("connect/state")
    headline = re.search(r"<strong>([^<]+)</strong>", page)
    assert headline is not None
    found = re.findall(r'<li class="(\w+)">.*?<strong>([^<]+)<span', page, re.DOTALL)
    return headline[1], {title: state for state, title in found}


async def test_each_step_is_seen_by_itself(panel: Panel, api: str) -> None:
    headline, found = await steps(panel)
    assert headline == "Home Assistant is not connected yet."
    assert set(found.values()) == {"faint", "good"}, "the languages are right from the start"

    assert [await call(panel, f"{api}/models", key=key) for key in ("wrong", None)] == [401, 401]
    headline, found = await steps(panel)
    assert headline == "Somebody tries to connect with a wrong key."
    assert (found["HA-Assist is reached"], found["The key is right"]) == ("good", "bad")
    assert "2 calls without a key" in await panel.get("connect/state")

    assert await call(panel, f"{api}/models") == 200
    headline, found = await steps(panel)
    assert headline == "Connected. Now say something."
    assert (found["The key is right"], found["Home Assistant knows the model"]) == ("good", "good")

    assert await call(panel, f"{api}/chat/completions", PROBE) == 200
    assert (await steps(panel))[0] == "Connected. Now say something.", "the test of the integration is no sentence"

    assert await call(panel, f"{api}/chat/completions", body(HOME, "Turn on the ceiling light")) == 200
    headline, found = await steps(panel)
    assert headline == "It works."
    assert set(found.values()) == {"good"}
    assert "Kitchen" in await panel.get("connect/state")


async def test_a_sentence_that_got_no_answer_is_not_called_working(panel: Panel, api: str) -> None:
    assert await call(panel, f"{api}/chat/completions", body(HOME, "Tell me a story about the sea")) == 200
    headline, found = await steps(panel)
    assert headline == "It works, but something could be better."
    assert found["A first sentence has arrived"] == "warn"


async def test_what_is_missing_in_home_assistant_is_told(panel: Panel, api: str) -> None:
    assert await call(panel, f"{api}/chat/completions", body(House(), "Turn on the light")) == 200
    headline, found = await steps(panel)
    assert headline == "Connected, but HA-Assist sees no devices."
    assert found["Your devices are exposed"] == "bad"
    assert found["The speaker’s room is known"] == "warn"
    chat = {"model": "HA-Assist", "messages": [{"role": "user", "content": "Hello"}]}
    assert await call(panel, f"{api}/chat/completions", chat) == 200
    assert "The agent may not control Home Assistant" in await panel.get("connect/state")


async def test_a_failed_sentence_is_not_called_working(panel: Panel, add: Add) -> None:
    add("What time is it?", outcome="failed", error="busy")
    headline, found = await steps(panel)
    assert headline == "Connected, but the latest sentence failed."
    assert found["A first sentence has arrived"] == "bad"


async def test_a_language_that_is_not_chosen_is_told(panel: Panel, add: Add) -> None:
    panel.services.settings.save({"settings.ha_assist_languages": ["en"]})
    add("Schalte das Licht ein", language="de")
    assert (await steps(panel))[1]["Your language is understood"] == "warn"


async def test_links_lead_into_home_assistant_where_the_panel_is_in_it(
    panel: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "/config/" not in await panel.get("connect")
    monkeypatch.setattr(connect_view, "is_ingress", lambda peer: True)
    page = await panel.get("connect")
    assert 'target="_top" href="/config/integrations/dashboard/add?domain=llama_cpp"' in page
    assert 'target="_top" href="/config/voice-assistants/assistants"' in page


async def test_the_first_start_opens_connect(panel: Panel, add: Add) -> None:
    outside = {"Referer": "http://homeassistant.local:8123/"}
    async with panel.http.get(panel.url, headers=outside, allow_redirects=False) as response:
        assert response.headers["Location"] == "./connect"
    async with panel.http.get(panel.url, allow_redirects=False) as response:
        assert response.status == 200, "who comes from another page of the panel sees the list"
    inside = {"X-Ingress-Path": "/api/hassio_ingress/abc", "Referer": "http://ha/api/hassio_ingress/abc/try"}
    async with panel.http.get(panel.url, headers=inside, allow_redirects=False) as response:
        assert response.status == 200
    add()
    async with panel.http.get(panel.url, headers=outside, allow_redirects=False) as response:
        assert response.status == 200
