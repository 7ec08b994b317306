"""Models, Connect, Try it and Overview."""

from __future__ import annotations

import json
import re
import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ha_assist_addon.backends.base import ModelInfo
from ha_assist_addon.diagnostics.overview import Measured, overview_of
from ha_assist_addon.diagnostics.summary import OUTCOMES, Outcome, detail_of, summary_of
from ha_assist_addon.models.status import ModelState, ModelStatus
from ha_assist_addon.panel import chart
from ha_assist_addon.panel.waterfall import axis_of
from ha_assist_addon.trace.trace import Span
from tests.backends.test_probe import BROKEN, MODELS, server
from tests.diagnostics.records import finished

from .conftest import KEY, Add, Panel


class FakeBackend:
    """A model in whatever state, whose download can be stopped."""

    def __init__(self, status: ModelStatus) -> None:
        self.info = ModelInfo("gemma-4-E2B-it", "test")
        self.now = status
        self.asked: list[str] = []

    async def status(self) -> ModelStatus:
        return self.now

    async def cancel_download(self) -> None:
        self.asked.append("cancel")

    async def resume_download(self) -> None:
        self.asked.append("resume")


@pytest.fixture
def backend(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> FakeBackend:
    fake = FakeBackend(
        ModelStatus(
            ModelState.DOWNLOADING,
            "It is <b>fetched</b>.",
            progress=0.425,
            memory_mb=2890.4,
            tokens_per_second=11.26,
            facts={"Runtime": "LiteRT <2.1>"},
        )
    )
    panel.services.settings.save({"models.gemma.enabled": True})
    monkeypatch.setattr(panel.services.backends, "backends", lambda: (fake,))
    monkeypatch.setattr(panel.services.backends, "find", lambda name: fake if name == fake.info.id else None)
    return fake


async def test_without_a_model_the_page_says_what_works_all_the_same(panel: Panel) -> None:
    page = await panel.get("models")
    assert "No language model is switched on" in page
    assert 'href="./settings#models"' in page


async def test_a_model_shows_all_that_is_known_of_it(panel: Panel, backend: FakeBackend) -> None:
    for path in ("models", "models/state"):
        page = await panel.get(path)
        for text in ("42 %", 'value="0.425"', "2890 MB", "11.3 tokens per second", "LiteRT &lt;2.1&gt;", "&lt;b&gt;"):
            assert text in page
        assert "answers text" in page
        assert "Cancel the download" in page


@pytest.mark.parametrize(
    ("state", "button", "asked"),
    [
        (ModelState.DOWNLOADING, "cancel", "cancel"),
        (ModelState.MISSING, "resume", "resume"),
        (ModelState.FAILED, "resume", "resume"),
    ],
)
async def test_a_download_can_be_cancelled_and_resumed(
    panel: Panel, backend: FakeBackend, state: ModelState, button: str, asked: str
) -> None:
    backend.now = ModelStatus(state)
    assert f'value="{button}"' in await panel.get("models")
    await panel.post("models/download", {"model": backend.info.id, "do": button})
    await panel.post("models/download", {"model": "unknown", "do": button})
    assert backend.asked == [asked]


async def test_a_ready_model_offers_no_download(panel: Panel, backend: FakeBackend) -> None:
    backend.now = ModelStatus(ModelState.READY)
    assert "models/download" not in await panel.get("models")


async def test_an_enabled_model_that_nothing_can_run_is_shown(panel: Panel) -> None:
    panel.services.settings.save({"models.upstream.enabled": True, "models.upstream.model": "qwen"})
    page = await panel.get("models")
    assert "qwen" in page
    assert "cannot run yet" in page


async def test_a_server_is_ready_only_once_it_has_answered(panel: Panel) -> None:
    def state(page: str) -> str:
        found = re.search(r'class="chip s-(\w+)"', page)
        return found[1] if found else ""

    async with server(MODELS) as url:
        panel.services.settings.save(
            {"models.upstream.enabled": True, "models.upstream.model": "small", "models.upstream.base_url": url}
        )
        page = await panel.get("models")
        assert state(page) == "reachable"
        assert "not asked yet" in page
        page = await panel.post("models/test", {"model": "small"})
        assert "The model answered in" in page
        assert state(page) == "ready"
    page = await panel.post("models/test", {"model": "small"})
    assert "Nothing answers at this address" in page
    assert state(page) == "failed"
    assert "none" not in await panel.post("models/test", {"model": "unknown"})


async def test_a_failure_is_shown_with_the_servers_own_words(panel: Panel) -> None:
    async with server(MODELS, BROKEN) as url:
        panel.services.settings.save(
            {"models.upstream.enabled": True, "models.upstream.model": "small", "models.upstream.base_url": url}
        )
        page = unescape(await panel.post("models/test", {"model": "small"}))
        assert "The server says: <q>CUDA out of memory</q>" in page
        assert 's-failed"' in page


async def test_connect_tells_address_key_and_the_first_request(panel: Panel, add: Add) -> None:
    page = await panel.get("connect")
    assert f"http://{socket.gethostname()}:8090/v1" in page
    assert page.count(KEY) == 1
    assert re.search(rf'data-secret="{KEY}">•+<', page), "hidden until shown"
    for name in ("llama.cpp", "LiteLLM", "Local OpenAI LLM"):
        assert name in page
    assert "Home Assistant is not connected yet" in await panel.get("connect/state")
    add("hello")
    state = await panel.get("connect/state")
    assert "It works." in state
    assert "hello" in state
    assert KEY not in state


async def test_a_sentence_is_tried_in_an_example_home_and_nothing_is_recorded(panel: Panel) -> None:
    assert "Nothing is carried out" in await panel.get("try")
    page = await panel.post("try", {"home": "example:home", "sentence": "Turn on the kitchen light", "do": "run"})
    assert "Only a trial. Nothing was done." in page
    assert 'class="chip r-' in page
    assert await panel.services.traces.count() == 0


async def test_a_whole_request_can_be_edited(panel: Panel) -> None:
    form = {"home": "example:home", "sentence": "Is the door locked?", "do": "edit"}
    page = await panel.post("try", form)
    body = json.loads(unescape(re.findall(r'<textarea class="code"[^>]*>(.*?)</textarea>', page, re.DOTALL)[0]))
    assert body["messages"][-1]["content"] == "Is the door locked?"
    body["messages"][-1]["content"] = "What <b>time</b> is it?"
    ran = await panel.post("try", {**form, "do": "run", "body": json.dumps(body)})
    assert "What &lt;b&gt;time&lt;/b&gt; is it?" in ran


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"home": "example:home", "sentence": " "}, "Write a sentence first."),
        ({"home": "last", "sentence": "x", "body": "{"}, "not valid JSON"),
        ({"home": "last", "sentence": "x", "body": "[]"}, "a JSON object"),
        ({"home": "last", "sentence": "x", "body": "{}"}, ""),
        ({"home": "request", "request": "unknown", "sentence": "x"}, ""),
        ({"home": "example:nowhere", "sentence": "x"}, ""),
    ],
)
async def test_what_cannot_be_tried_is_explained(panel: Panel, form: dict[str, str], sentence: str) -> None:
    token = await panel.token()
    async with panel.http.post(panel.url + "try", data={"token": token, "do": "run", **form}) as response:
        page = unescape(await response.text())
        assert 400 <= response.status < 500
    assert 'role="alert"' in page
    assert sentence in page
    assert form["sentence"].strip() in page


async def test_the_overview_counts_and_draws(panel: Panel, add: Add) -> None:
    assert "No requests in this time" in await panel.get("overview")
    for hours in (0.1, 3, 30, 100):
        add(hours_ago=hours)
    add("a poem", route="llm", inference_calls=1)
    add("a joke", reason="not_recognised", reply="There is no language model for that.")
    add("broken", outcome="failed", error="busy")
    day, week = await panel.get("overview"), await panel.get("overview?days=7")
    assert "2 of 5 turns" in day
    assert "40 %" in day, "a refusal is no answer"
    assert "4 of 7 turns" in week
    assert "1 answered, 1 without an answer." in day
    assert "The language model was busy" in day
    assert 'href="./?failed=1"' in day
    for page in (day, week):
        drawn = [float(n) for n in re.findall(r'<rect class="k-[a-z]+" x="([^"%]+)%" y="[^"]+" width="[^"]+"', page)]
        assert drawn
        assert all(0 <= number <= 100 for number in drawn)
        assert [
            kind for kind in ("answered", "model", "unmet", "failed") if f'class="swatch k-{kind}"' not in page
        ] == []


@given(st.lists(st.tuples(st.floats(0, 86400), st.sampled_from(OUTCOMES), st.floats(0, 1e7)), max_size=30))
def test_every_figure_lies_within_its_drawing(found: list[tuple[float, Outcome, float]]) -> None:
    now = datetime.now(UTC)
    since = now - timedelta(days=1)
    measured = [
        Measured(turn, since.timestamp() + after, "direct", outcome, 0, took, None)
        for turn, (after, outcome, took) in enumerate(found)
    ]
    overview = overview_of(measured, since, now)
    columns, counts = chart.columns(overview)
    spreads, decades = chart.spreads(overview)
    for column in columns:
        assert sum(piece.count for piece in column.pieces) == column.turns
        for piece in column.pieces:
            assert -0.01 <= piece.y <= piece.y + piece.height <= 100.01
    for spread in spreads:
        assert 0 <= spread.least <= spread.p25 <= spread.p50 <= spread.p75 <= spread.p95 <= 100
    assert [mark.at for mark in counts] == [0, 50, 100]
    assert (decades[0].at, decades[-1].at) == (0, 100)


stages = st.lists(
    st.builds(Span, st.sampled_from(["stage", "generation"]), st.floats(0, 1e6), st.floats(0, 1e6), st.booleans()),
    max_size=8,
)


@settings(max_examples=40)
@given(st.lists(st.tuples(stages, st.floats(0, 1e5), st.floats(-5, 1e3)), min_size=1, max_size=5))
def test_every_bar_lies_within_the_drawing_and_can_be_seen(requests: list[tuple[list[Span], float, float]]) -> None:
    details = []
    for number, (spans, total, later) in enumerate(requests):
        trace = finished(ms=total)
        record = {**trace.record(), "spans": spans, "total_ms": total}
        summary = summary_of(record, number, 0)
        details.append(detail_of(record, replace(summary, time=summary.time + timedelta(seconds=later))))
    axis = axis_of(details)
    bars = [bar for part in axis.parts for bar in part.bars]
    assert [part.summary.id for part in axis.parts if part.summary] == [detail.summary.id for detail in details]
    for bar in bars:
        assert 0 <= bar.left < 100
        assert 0 <= bar.width <= 100 - bar.left + 0.001
        assert bar.start_ms + bar.ms <= axis.total_ms + 0.01
    for part in axis.parts:
        assert [bar.start_ms for bar in part.bars] == sorted(bar.start_ms for bar in part.bars)


async def test_what_home_assistant_decides_is_linked_to_where_it_is_set(
    panel: Panel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 'target="_top"' not in await panel.get("settings")
    from ha_assist_addon.panel import settings_view

    monkeypatch.setattr(settings_view, "is_ingress", lambda peer: True)
    names: Any = SimpleNamespace(gethostname=lambda: "a0d7b954-ha-assist")
    monkeypatch.setattr(settings_view, "socket", names)
    assert 'target="_top" href="/config/app/a0d7b954_ha-assist/config"' in await panel.get("settings")


async def test_how_fast_devices_report_is_shown_and_a_silent_one_named(panel: Panel) -> None:
    assert 'id="devices"' not in await panel.get("overview")
    settle = panel.services.evidence.settle
    settle.reported("light.attic", "Attic <Lamp>", 1.2, 1.2)
    settle.reported("light.hall", "Hall Lamp", 0.05, 0.05)
    for _ in range(3):
        settle.missed("light.attic", "Attic <Lamp>")
    page = await panel.get("overview")
    devices = page[page.index('id="devices"') :]
    assert "Attic &lt;Lamp&gt;" in devices
    assert "has not reported the last 3 actions" in devices
    assert devices.count("has not reported") == 1
    assert "1.20 s" in devices
    assert "50 ms" in devices


async def test_without_a_token_the_page_says_that_it_checks_after_each_wait(panel: Panel) -> None:
    assert "it checks after each wait instead" in await panel.get("models")
