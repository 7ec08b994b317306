"""Try it in the real home: offered only with a token, reads only on demand, actions never, failures in a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from html import unescape

import aiohttp
import pytest

from ha_assist_addon.app import listening
from ha_assist_addon.errors import HomeUnavailable
from ha_assist_addon.panel.app import create_panel
from ha_assist_addon.services import Services
from ha_assist_addon.supervisor.mcp import HomeOverMcp
from tests.supervisor.fake_mcp import TOKEN, FakeMcp, hints, tool

from .conftest import KEY, Panel

QUESTION = {"home": "real", "sentence": "What is the outside temperature?"}
ACTION = {"home": "real", "sentence": "Turn on the ceiling light"}


@pytest.fixture
async def mcp() -> AsyncIterator[FakeMcp]:
    async with FakeMcp().running() as running:
        yield running


@pytest.fixture
async def real(services: Services, mcp: FakeMcp) -> AsyncIterator[Panel]:
    """A panel with a token for Home Assistant."""
    known = replace(services, real_home=HomeOverMcp(mcp.url, TOKEN))
    async with (
        listening(create_panel(known, 8090, KEY), "127.0.0.1", 0, drain=0.1) as port,
        aiohttp.ClientSession() as http,
    ):
        yield Panel(f"http://127.0.0.1:{port}/", http, known)
    await services.backends.close()


async def test_without_a_token_what_is_missing_is_said(panel: Panel) -> None:
    page = await panel.get("try")
    assert 'value="real"' not in page
    assert "HA_ASSIST_HOME_ASSISTANT_TOKEN" in page
    refused = await panel.post("try", {**QUESTION, "do": "run"}, status=HomeUnavailable.status)
    assert "has no token for Home Assistant" in refused


async def test_looking_at_the_page_asks_nothing(real: Panel, mcp: FakeMcp) -> None:
    for path in ("try", "try?home=real&do=read&sentence=Is+the+ceiling+light+on"):
        assert 'value="real"' in await real.get(path)
    assert mcp.headers == []


async def test_a_question_is_read_only_when_asked_to(real: Panel, mcp: FakeMcp) -> None:
    page = await real.post("try", {**QUESTION, "do": "run"})
    assert "Only a trial. Nothing was done." in page
    assert "only reads" in page
    assert 'value="read"' in page
    assert mcp.called == []
    read = await real.post("try", {**QUESTION, "do": "read"})
    assert "the current state was read in your real home" in read
    assert "11.5" in read
    assert [name for name, _ in mcp.called] == ["homeassistant__GetLiveContext"]
    assert await real.services.traces.count() == 0


async def test_an_action_is_only_shown_with_what_is_said_of_it(real: Panel, mcp: FakeMcp) -> None:
    for do in ("run", "read"):
        page = await real.post("try", {**ACTION, "do": do})
        assert "intent__HassTurnOn" in page
        assert "can change something · can replace or delete something" in page
        assert "so it is only shown" in page
        assert 'value="read"' not in page
    assert mcp.called == []


async def test_a_request_of_ones_own_cannot_run_an_action(real: Panel, mcp: FakeMcp) -> None:
    form = {**ACTION, "do": "edit"}
    page = await real.post("try", form)
    body = json.loads(unescape(re.findall(r'<textarea class="code"[^>]*>(.*?)</textarea>', page, re.DOTALL)[0]))
    for offered in body["tools"]:
        offered["function"]["description"] = "Only reads."
    shown = await real.post("try", {**form, "do": "read", "body": json.dumps(body)})
    assert "intent__HassTurnOn" in shown
    # A tool of the same plain name that this home does not offer.
    body["tools"] = [tool_of("light__HassTurnOn", body)]
    unknown = await real.post("try", {**form, "do": "read", "body": json.dumps(body)})
    assert "does not exist in this home" in unknown
    assert mcp.called == []


def tool_of(name: str, body: dict[str, list[dict[str, dict[str, object]]]]) -> dict[str, object]:
    like = next(one["function"] for one in body["tools"] if str(one["function"]["name"]).endswith("HassTurnOn"))
    return {"type": "function", "function": {**like, "name": name}}


async def test_reading_needs_the_token_of_the_page(real: Panel, mcp: FakeMcp) -> None:
    for data in ({**QUESTION, "do": "read"}, {**QUESTION, "do": "read", "token": "wrong"}):
        async with real.http.post(f"{real.url}try", data=data) as response:
            assert response.status == 403
    assert mcp.headers == []


async def test_markup_in_what_was_read_is_text(real: Panel, mcp: FakeMcp) -> None:
    evil = "<script>alert(1)</script>"
    live = f"- names: Outside Temperature\n  domain: sensor\n  state: '{evil}'\n"
    mcp.tools = (
        {
            **tool("homeassistant__GetLiveContext", hints(read_only=True, destructive=True, idempotent=False)),
            "title": evil,
        },
        *mcp.tools[1:],
    )
    mcp.results["homeassistant__GetLiveContext"] = json.dumps({"result": live, "other": evil})
    for do in ("run", "read"):
        page = await real.post("try", {**QUESTION, "do": do})
        assert evil not in page
        assert "&lt;script&gt;" in page


async def test_a_read_that_fails_is_said(real: Panel, mcp: FakeMcp) -> None:
    mcp.results.clear()
    page = await real.post("try", {**QUESTION, "do": "read"})
    assert "Home Assistant could not do this." in page
    assert "Error calling tool" in page


@pytest.mark.parametrize(
    ("status", "said"), [(404, "Add its integration"), (401, "refuses the token"), (502, "not ready (status 502)")]
)
@pytest.mark.parametrize("do", ["run", "read", "edit"])
async def test_what_is_missing_is_said_above_the_form(
    real: Panel, mcp: FakeMcp, status: int, said: str, do: str
) -> None:
    mcp.status = status
    page = unescape(await real.post("try", {**QUESTION, "do": do}, status=HomeUnavailable.status))
    assert said in page
    assert 'role="alert"' in page
    assert QUESTION["sentence"] in page
    assert TOKEN not in page


@pytest.mark.parametrize("form", [{"home": "real", "sentence": " "}, {"home": "real", "sentence": "x", "body": "{"}])
async def test_what_cannot_be_tried_is_explained(real: Panel, form: dict[str, str]) -> None:
    assert 'role="alert"' in await real.post("try", {**form, "do": "read"}, status=400)
