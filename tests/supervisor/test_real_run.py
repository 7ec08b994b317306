"""A sentence tried in the real home: reads are made and answered, actions are left alone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.supervisor.mcp import HomeOverMcp
from ha_assist_addon.trial.dry_run import dry_run
from ha_assist_addon.trial.real_run import MOST_ROUNDS, RealRun, may_read, real_run
from tests.supervisor.fake_mcp import TOKEN, FakeMcp, hints, tool

GRAMMARS = GrammarLibrary()


@pytest.fixture
async def mcp() -> AsyncIterator[FakeMcp]:
    async with FakeMcp().running() as running:
        yield running


@pytest.fixture
def services(tmp_path: Path, mcp: FakeMcp) -> Services:
    store = SettingsStore(tmp_path, environ={})
    traces = TraceStore(keep=lambda: store.current.diagnostics)
    return Services(store, GRAMMARS, BackendRegistry(store), traces, real_home=HomeOverMcp(mcp.url, TOKEN))


async def tried(services: Services, sentence: str) -> RealRun:
    assert services.real_home is not None
    home = await services.real_home.load()
    return await real_run(home.body(sentence), services, services.real_home, home)


def reply(run: RealRun) -> str:
    return run.ran.detail.summary.reply or ""


@pytest.mark.parametrize(
    ("sentence", "told"), [("Is the ceiling light on?", "yes"), ("What is the outside temperature?", "11.5")]
)
async def test_a_question_is_answered_from_the_real_home(
    services: Services, mcp: FakeMcp, sentence: str, told: str
) -> None:
    run = await tried(services, sentence)
    assert [name for name, _ in mcp.called] == ["homeassistant__GetLiveContext"]
    assert [read.call.name for read in run.reads] == ["homeassistant__GetLiveContext"]
    assert told in reply(run).casefold()
    assert not run.ran.detail.calls
    assert await services.traces.latest_bodies() == []


async def test_an_action_is_shown_and_not_run(services: Services, mcp: FakeMcp) -> None:
    run = await tried(services, "Turn on the ceiling light")
    assert [call["name"] for call in run.ran.detail.calls] == ["intent__HassTurnOn"]
    assert (run.reads, mcp.called) == ((), [])


async def test_what_may_be_read_is_known_without_reading(services: Services, mcp: FakeMcp) -> None:
    assert services.real_home is not None
    home = await services.real_home.load()
    may = [
        may_read(await dry_run(home.body(sentence), services), home)
        for sentence in ("Is the ceiling light on?", "Turn on the ceiling light", "Tell me a story")
    ]
    assert may == [True, False, False]
    assert mcp.called == []


async def test_a_read_that_fails_is_told_to_the_pipeline(services: Services, mcp: FakeMcp) -> None:
    del mcp.results["homeassistant__GetLiveContext"]
    run = await tried(services, "What is the outside temperature?")
    assert [read.answer.failed for read in run.reads] == [True]
    assert run.ran.detail.summary.reason == "tool_failed"
    assert reply(run)


async def test_a_tool_that_says_it_acts_is_left_alone_whatever_its_name(services: Services, mcp: FakeMcp) -> None:
    mcp.tools = (tool("GetLiveContext", hints(read_only=False, destructive=False, idempotent=True)), *mcp.tools[2:])
    run = await tried(services, "Is the ceiling light on?")
    assert [call["name"] for call in run.ran.detail.calls] == ["GetLiveContext"]
    assert (run.reads, mcp.called) == ((), [])


async def test_it_ends_also_where_every_answer_leads_to_another_read(
    services: Services, mcp: FakeMcp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def always_reads(body: dict[str, Any], services: Services, **_: Any) -> Any:
        ran = await dry_run(body, services)
        again = replace(ran.detail, calls=({"name": "homeassistant__GetLiveContext", "arguments": {}},))
        return replace(ran, detail=again)

    monkeypatch.setattr("ha_assist_addon.trial.real_run.dry_run", always_reads)
    run = await tried(services, "Is the ceiling light on?")
    assert len(run.reads) == len(mcp.called) == MOST_ROUNDS
    assert len({read.call.id for read in run.reads}) == MOST_ROUNDS


async def test_markup_that_was_read_stays_what_it_is(services: Services, mcp: FakeMcp) -> None:
    live = "- names: <b>Lamp</b>\n  domain: light\n  state: 'on'\n"
    mcp.results["homeassistant__GetLiveContext"] = json.dumps({"result": live})
    run = await tried(services, "Is the ceiling light on?")
    assert "<b>Lamp</b>" in run.reads[0].answer.text
