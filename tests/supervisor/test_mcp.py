"""The real home over MCP: what is loaded, that nothing but a read is ever called, and what is said when it fails."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from ha_assist_addon.app import build_services
from ha_assist_addon.conversation import ToolCall
from ha_assist_addon.errors import HomeUnavailable, OnlyShown
from ha_assist_addon.home.intents import READS
from ha_assist_addon.settings.bootstrap import Bootstrap
from ha_assist_addon.supervisor.mcp import HomeOverMcp, Patience, create_real_home, http_address
from ha_assist_addon.supervisor.mcp_session import LARGEST_ANSWER
from tests.supervisor.fake_mcp import PROMPT, TOKEN, TOOLS, FakeMcp, hints, tool

LIVE_CONTEXT, TURN_ON = "homeassistant__GetLiveContext", "intent__HassTurnOn"


@pytest.fixture
async def mcp() -> AsyncIterator[FakeMcp]:
    async with FakeMcp().running() as running:
        yield running


def asking(mcp: FakeMcp, token: str = TOKEN, patience: Patience | None = None) -> HomeOverMcp:
    return HomeOverMcp(mcp.url, token, patience or Patience())


def call(name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(f"call_{name}", name, arguments)


@pytest.mark.parametrize("streams", [False, True])
async def test_prompt_and_tools_come_as_they_are(mcp: FakeMcp, streams: bool) -> None:
    mcp.streams, mcp.page_size, mcp.session_id = streams, 2, "a-session"
    home = await asking(mcp).load()
    assert home.prompt == PROMPT
    assert [one.name for one in home.tools] == [one["name"] for one in TOOLS]
    assert mcp.asked == ["initialize", "prompts/list", "prompts/get", "tools/list", "tools/list", "tools/list"]
    assert {h.get("MCP-Protocol-Version") for h in mcp.headers[1:]} == {"2025-06-18"}
    assert {h.get("Mcp-Session-Id") for h in mcp.headers[1:]} == {"a-session"}
    body = home.body("Hello")
    assert [m["content"] for m in body["messages"]] == [PROMPT, "Hello"]
    assert body["tools"][2]["function"]["parameters"] == TOOLS[2]["inputSchema"]


async def test_it_is_asked_anew_each_time(mcp: FakeMcp) -> None:
    home = asking(mcp)
    await home.load()
    mcp.prompt, mcp.tools = "Another home", TOOLS[:1]
    again = await home.load()
    assert (again.prompt, len(again.tools)) == ("Another home", 1)


async def test_a_tool_that_reads_tells_its_answer_or_why_not(mcp: FakeMcp) -> None:
    del mcp.results["llm__GetDateTime"]
    context, clock = await asking(mcp).read([call(LIVE_CONTEXT), call("llm__GetDateTime")])
    assert "Outside Temperature" in json.loads(context.text)["result"]
    assert not context.failed
    assert clock.failed
    assert "not found" in clock.text


async def test_nothing_is_read_where_one_call_would_act(mcp: FakeMcp) -> None:
    with pytest.raises(OnlyShown, match="may change something"):
        await asking(mcp).read([call(LIVE_CONTEXT), call(TURN_ON, name="Ceiling Light")])
    assert mcp.called == []


async def test_what_counts_is_how_a_tool_is_listed_at_that_moment(mcp: FakeMcp) -> None:
    home = await asking(mcp).load()
    assert home.only_read([LIVE_CONTEXT])
    mcp.tools = (tool(LIVE_CONTEXT, hints(read_only=False, destructive=False, idempotent=True)),)
    with pytest.raises(OnlyShown):
        await asking(mcp).read([call(LIVE_CONTEXT)])
    assert mcp.called == []


@pytest.mark.parametrize(
    ("listed", "reads"),
    [
        (tool("GetLiveContext"), True),
        (tool("GetLiveContext", {}), True),
        (tool("GetLiveContext", {"readOnlyHint": False}), False),
        (tool("GetLiveContext", {"destructiveHint": True}), False),
        (tool("someone__GetLiveContext"), False),
        # A script of a person may be called so.
        (tool("todo_get_items"), False),
        (tool("get_items"), False),
        (tool("todo__get_items", {"readOnlyHint": True}), True),
        (tool("HassTurnOn"), False),
    ],
)
async def test_without_annotations_only_our_own_list_counts(mcp: FakeMcp, listed: dict[str, Any], reads: bool) -> None:
    mcp.tools = (listed,)
    assert (await asking(mcp).load()).only_read([listed["name"]]) is reads


async def test_two_tools_of_one_name_are_never_called(mcp: FakeMcp) -> None:
    mcp.tools = (TOOLS[0], tool(LIVE_CONTEXT, hints(read_only=False, destructive=True, idempotent=False)))
    with pytest.raises(OnlyShown):
        await asking(mcp).read([call(LIVE_CONTEXT)])


HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
ODD = st.one_of(st.booleans(), st.none(), st.sampled_from(["true", 1, [True]]))
NAMES = st.one_of(
    st.sampled_from([*READS, *(one["name"] for one in TOOLS), "HassTurnOn", "get_items"]),
    st.builds("{}__{}".format, st.sampled_from(["script", "evil", "assist__intent"]), st.sampled_from([*READS])),
    st.text(min_size=1, max_size=20),
)
LISTED = st.lists(
    st.builds(tool, NAMES, st.one_of(st.none(), st.dictionaries(st.sampled_from(HINTS), ODD))), max_size=6
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(listed=LISTED, data=st.data())
async def test_an_action_can_never_be_run(mcp: FakeMcp, listed: list[dict[str, Any]], data: st.DataObject) -> None:
    mcp.tools, mcp.called = tuple(listed), []
    names = [one["name"] for one in listed]
    wanted = data.draw(st.lists(st.sampled_from(names) if names else NAMES, max_size=3))
    try:
        await asking(mcp).read([call(name) for name in wanted])
    except OnlyShown:
        assert mcp.called == []
    for name, _ in mcp.called:
        [found] = [one for one in listed if one["name"] == name]
        told = found.get("annotations") or {}
        said = {hint for hint in HINTS if isinstance(told.get(hint), bool)}
        assert told.get("readOnlyHint") is True or (not said and name in READS and not name.islower())


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "refuses the token"),
        (403, "does not let this token"),
        (404, "Add its integration"),
        (302, "not Home Assistant's MCP server (status 302)"),
        (418, "not Home Assistant's MCP server (status 418)"),
        (400, "not Home Assistant's MCP server (status 400)"),
        (502, "not ready (status 502)"),
        (500, "not ready (status 500)"),
    ],
)
async def test_a_status_is_told_in_a_sentence(mcp: FakeMcp, status: int, said: str) -> None:
    mcp.status = status
    assert said in await failure(asking(mcp))


async def failure(home: HomeOverMcp) -> str:
    with pytest.raises(HomeUnavailable) as caught:
        await home.load()
    message = caught.value.message
    assert message.endswith(".")
    assert "\n" not in message
    assert TOKEN not in message
    return message


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>",
        b"[]",
        b"null",
        b'{"jsonrpc": "2.0", "id": 99, "result": {}}',
        b'{"jsonrpc": "2.0", "id": 1}',
        b'{"jsonrpc": "2.0", "id": 1, "result": 5}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
async def test_what_is_no_mcp_is_told_so(mcp: FakeMcp, raw: bytes) -> None:
    mcp.raw = raw
    assert await failure(asking(mcp)) == "What answers is not Home Assistant's MCP server."


async def test_an_answer_without_end_is_not_read_to_its_end(mcp: FakeMcp) -> None:
    mcp.raw = b" " * (LARGEST_ANSWER + 1)
    assert "larger than" in await failure(asking(mcp))


async def test_a_list_without_end_is_given_up(mcp: FakeMcp) -> None:
    mcp.broken["tools/list"] = {"result": {"tools": [], "nextCursor": "0"}}
    assert "lists more" in await failure(asking(mcp))


@pytest.mark.parametrize(
    ("method", "answer", "said"),
    [
        ("prompts/list", {"result": {"prompts": []}}, "offers no prompt."),
        ("prompts/list", {"result": {"prompts": "none"}}, "offers no prompt."),
        ("prompts/get", {"error": {"code": 0, "message": "Unknown\nprompt"}}, "refuses prompts/get: Unknown prompt."),
        ("prompts/get", {"error": {}}, "refuses prompts/get: it does not say why."),
        ("tools/list", {"error": {"code": -32601, "message": "Method not found"}}, "refuses tools/list"),
    ],
)
async def test_what_the_server_refuses_is_told(mcp: FakeMcp, method: str, answer: dict[str, Any], said: str) -> None:
    mcp.broken[method] = answer
    assert said in await failure(asking(mcp))


async def test_odd_items_are_left_out(mcp: FakeMcp) -> None:
    odd: tuple[Any, ...] = ("tool", 5, {}, {"name": 7}, {"name": "x", "inputSchema": "no", "annotations": "no"})
    mcp.broken["tools/list"] = {"result": {"tools": [*odd, TOOLS[0]]}}
    mcp.broken["prompts/get"] = {"result": {"messages": ["hello", {"content": [{"type": "text", "text": "A home"}]}]}}
    home = await asking(mcp).load()
    assert home.prompt == "A home"
    assert [one.name for one in home.tools] == ["x", LIVE_CONTEXT]
    assert not home.only_read(["x"])
    assert home.body("Hi")["tools"][0]["function"]["parameters"] == {"type": "object", "properties": {}}


async def test_an_odd_version_is_not_repeated(mcp: FakeMcp) -> None:
    mcp.broken["initialize"] = {"result": {"protocolVersion": "1\r\nX-Evil: 1"}}
    await asking(mcp).load()
    assert not any("MCP-Protocol-Version" in h or "X-Evil" in h for h in mcp.headers)


async def test_a_wrong_token_is_told(mcp: FakeMcp) -> None:
    assert "refuses the token" in await failure(asking(mcp, "wrong"))


async def test_a_supervisor_that_drops_the_header_is_told(mcp: FakeMcp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ha_assist_addon.supervisor.mcp_session._ACCEPT", "*/*")
    assert await failure(asking(mcp)) == "This Supervisor does not let MCP through. Update it."


@pytest.mark.parametrize("patience", [Patience(answer=0.05), Patience(altogether=0.05)])
async def test_one_that_does_not_answer_is_not_waited_for(mcp: FakeMcp, patience: Patience) -> None:
    mcp.late = 30
    assert "answer" in await failure(asking(mcp, patience=patience))


async def test_one_that_is_not_there_is_told(mcp: FakeMcp) -> None:
    assert "cannot be reached at http://127.0.0.1:1/" in await failure(HomeOverMcp("http://127.0.0.1:1", TOKEN))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://homeassistant.local:8123", "http://homeassistant.local:8123"),
        ("https://home.example/", "https://home.example"),
        ("homeassistant.local:8123", "http://homeassistant.local:8123"),
        ("ws://10.0.0.1:8123/api/websocket", "http://10.0.0.1:8123"),
        ("WSS://home.example/api/websocket", "https://home.example"),
        ("ws://supervisor/core/websocket", "http://supervisor/core"),
    ],
)
def test_the_address_is_found_where_the_registries_are_read(url: str, address: str) -> None:
    assert http_address(url) == address


def test_without_a_token_there_is_no_real_home() -> None:
    assert create_real_home(None, None, {}) is None
    assert create_real_home("http://home", None, {"SUPERVISOR_TOKEN": " "}) is None
    assert create_real_home(None, None, {"SUPERVISOR_TOKEN": "x"}) is not None
    assert create_real_home("http://home", "x", {}) is not None


async def test_starting_asks_nothing(mcp: FakeMcp, tmp_path: Path) -> None:
    token = SecretStr(TOKEN)
    services = build_services(Bootstrap(data_dir=tmp_path, home_assistant_url=mcp.url, home_assistant_token=token))
    assert services.real_home is not None
    assert mcp.headers == []
    assert (await services.real_home.load()).prompt == PROMPT
    await services.finder.close()
    await services.traces.close()
