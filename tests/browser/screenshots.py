"""Draws the pages for the documents: `python -m tests.browser.screenshots docs/screenshots [PAGE ...]`."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
from playwright.async_api import Browser, async_playwright

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import listening
from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.grammar import GrammarLibrary
from ha_assist_addon.panel.app import create_panel
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.taught.lessons import Lessons
from ha_assist_addon.taught.model import TaughtFile
from ha_assist_addon.trace.sections import GeneratedCallNote
from ha_assist_addon.trace.trace import Exchange, Span, Trace
from tests.support.house import House, body, called, done, result, thing

HOME = House(
    (
        thing("Ceiling Light", "light", "Kitchen"),
        thing("Counter Light", "light", "Kitchen"),
        thing("Floor Lamp, Reading Lamp", "light", "Living Room"),
        thing("Heating", "climate", "Living Room"),
        thing("Blind", "cover", "Bedroom"),
        thing("Front Door", "lock", "Hall"),
        thing("Fan", "fan", "Bedroom"),
    ),
    satellite="Living Room",
)
SAID = (
    "Turn on the ceiling light",
    "Is the front door locked?",
    "Turn on the flor lamp",
    "Open the blind in the bedroom",
    "Turn off the bedroom fan",
)
_LAMP = {"name": "Floor Lamp", "domain": "light", "area": "Living Room"}
LESSONS = TaughtFile.model_validate(
    {
        "sentences": [
            {
                "id": "0000000a",
                "sentence": "Movie night",
                "target": _LAMP,
                "does": {"act": "set", "quantity": "brightness", "amount": 20},
            },
            {
                "id": "0000000b",
                "sentence": "I am home",
                "target": {"name": "Front Door", "domain": "lock", "area": "Hall"},
                "does": {"act": "unlock"},
            },
            {
                "id": "0000000e",
                "sentence": "Good night everyone",
                "targets": [_LAMP, {"domain": "light", "area": "Kitchen"}],
                "does": {"act": "off"},
            },
            {"id": "0000000c", "sentence": "Tell me a tale", "model": True},
        ],
        "aliases": [{"id": "0000000d", "alias": "Beacon", "of": _LAMP}],
    }
)
SIZES = {"desktop": (1280, 860), "phone": (390, 844)}
_STAGES = (
    ("history", 0.1, 0.3, False),
    ("language", 0.4, 1.1, False),
    ("intent_recognition", 1.6, 9.4, False),
    ("canonicalize", 11.1, 21.7, False),
    ("retrieve", 33, 48, False),
    ("context_and_prompt", 81, 6, False),
    ("queue", 87, 412, True),
    ("generation", 499, 2380, False),
    ("validate", 2880, 0.9, False),
)


async def main(folder: Path, wanted: list[str], language: str = "en-GB") -> None:
    """Serve a home that has a history, and look at it."""
    random.seed(6)
    socket.gethostname = lambda: "local-ha-assist"
    with tempfile.TemporaryDirectory() as data:
        store = SettingsStore(Path(data), environ={})
        store.save({"diagnostics.keep_prompts": True})
        traces = TraceStore(keep=lambda: store.current.diagnostics)
        services = Services(store, GrammarLibrary(), BackendRegistry(store), traces)
        async with (
            listening(create_api(services, "key"), "127.0.0.1", 0, drain=0.1) as api,
            listening(create_panel(services, 8090, "a-key-of-this-home"), "127.0.0.1", 0, drain=0.1) as panel,
            async_playwright() as driver,
        ):
            browser = await driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            history(traces)
            await talk(api)
            turn = next(s.id for s in await traces.newest(limit=9) if s.sentence == "Turn on the counter light")
            pages = {
                "turn": f"requests/{turn}",
                "requests": "",
                "try": "try",
                "overview": "overview?days=7",
                "models": "models",
            }
            cosy = poem(traces)
            services.taught.save(Lessons(LESSONS), expected_revision=services.taught.revision)
            pages |= {
                "settings": "settings",
                "connect": "connect",
                "home": "home",
                "week": "week",
                "request": f"requests/{cosy}",
                "teach": f"teach?request={cosy}",
                "taught": "taught",
            }
            for name, path in pages.items():
                if not wanted or name in wanted:
                    await draw(browser, f"http://127.0.0.1:{panel}/{path}", folder / name, language)
            await browser.close()


async def draw(browser: Browser, address: str, name: Path, language: str) -> None:
    """A page on both sizes and in both themes."""
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            context = await browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
                locale=language,
            )
            page = await context.new_page()
            await page.goto(address, wait_until="load")
            await page.locator("[data-loading]").wait_for(state="detached", timeout=60_000)
            await page.wait_for_timeout(300)
            await page.screenshot(path=f"{name}-{size}-{theme}.png")
            await context.close()


def history(traces: TraceStore) -> None:
    """A week of turns of every kind."""
    for number, hours in enumerate(sorted((160 * random.random() ** 1.3 for _ in range(170)), reverse=True)):
        kind = random.choices(("done", "answered", "asked", "model", "unmet", "failed"), (52, 22, 6, 12, 5, 3))[0]
        past_turn(traces, kind, f"c{number}", datetime.now(UTC) - timedelta(hours=1 + hours))


def past_turn(traces: TraceStore, kind: str, conversation: str, when: datetime) -> None:
    """One of them."""
    question = {"done": SAID[0], "answered": SAID[1], "asked": "Turn on the light", "failed": SAID[3]}
    sentence = question.get(kind, "Make it cosy in the living room")
    reply = {"answered": "Yes, the front door is locked.", "asked": "Which one: ceiling light or counter light?"}
    generated = kind == "model"
    trace = Trace(
        "HA-Assist",
        conversation=conversation,
        sentence=sentence,
        started_at=when,
        route="llm" if generated else "direct",
        reason="not_recognised" if kind in {"model", "unmet"} else "exact_match",
        why="No known sentence fits." if kind in {"model", "unmet"} else "The sentence matches exactly.",
        inference_calls=int(generated),
        backend_model="gemma-4-E2B-it" if generated else None,
        language="en",
        error="backend_timeout" if kind == "failed" else None,
    )
    trace.finish("called" if kind == "done" else "failed" if kind == "failed" else "answered", reply.get(kind, "Done."))
    trace.total_ms = round(random.lognormvariate(8.1 if generated else 2.2, 0.5), 1)
    traces.add(trace)
    if kind != "done":
        return
    after = Trace("HA-Assist", conversation=conversation, sentence=sentence, started_at=when + timedelta(seconds=1))
    after.language, after.reason, after.verification = "en", "verify_state", "confirmed"
    after.note("ha_history", rounds=2)
    after.finish("answered", "The ceiling light is on.")
    after.total_ms = round(random.lognormvariate(5.9, 0.3), 1)
    traces.add(after)


async def talk(port: int) -> None:
    """Requests as Home Assistant sends them."""
    address, headers = f"http://127.0.0.1:{port}/v1/chat/completions", {"Authorization": "Bearer key"}
    light = called("intent__HassTurnOn", {"name": "Counter Light", "domain": ["light"]})
    read = called("GetLiveContext", {"name": "Counter Light"}, "call_2")
    states = "Live Context:\n- names: Counter Light\n  domain: light\n  state: 'on'\n  areas: Kitchen\n"
    acted = ("Turn on the counter light", light, result(done("Counter Light")))
    rounds = [(said,) for said in SAID]
    async with aiohttp.ClientSession(headers=headers) as http:
        for messages in (
            *rounds,
            acted[:1],
            acted,
            (*acted, read, result({"success": True, "result": states}, "call_2")),
        ):
            async with http.post(address, json=body(HOME, *messages)) as response:
                assert response.status == 200


def poem(traces: TraceStore) -> str:
    """A request that a model answered; its id."""
    said = "Make it cosy in the living room"
    trace = Trace(
        "HA-Assist",
        conversation="m",
        sentence=said,
        route="llm",
        reason="not_recognised",
        why="No known sentence fits, so the language model was asked once, with 2 of 7 devices and 3 of 21 tools.",
        backend_model="gemma-4-E2B-it",
        language="en",
        inference_calls=1,
        tools_offered=21,
        tools_after=3,
        request=json.dumps(body(HOME, said)).encode(),
        exchange=Exchange(
            [
                {
                    "role": "system",
                    "content": "You control a home. Devices:\n- Floor Lamp (light, Living Room)\n- Heating",
                },
                {"role": "user", "content": said},
            ],
            '{"tool": "light__HassLightSet", "arguments": {"area": "Living Room", "brightness": 30}}',
        ),
    )
    for name, start, spent, waiting in _STAGES:
        trace.spans.append(Span(name, start, spent, waiting))
        trace.stages_ms[name] = spent
    call: GeneratedCallNote = {
        "name": "light__HassLightSet",
        "arguments": {"area": "Living Room", "brightness": 30},
        "accepted": True,
        "why": "",
    }
    trace.note("ha_plan", original=said, canonical=said.lower(), repairs=[])
    trace.note("ha_validation", calls=[call], verdict="accepted")
    trace.note("ha_prompt", tokens_before=4812, tokens_after=640)
    trace.finish("called")
    trace.total_ms = 2881.2
    traces.add(trace)
    return trace.id


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(target, sys.argv[2:], os.environ.get("PANEL_LANGUAGE", "en-GB")))
