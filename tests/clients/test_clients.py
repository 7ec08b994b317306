"""The openai clients for Python and JavaScript hold one script of conversations in both APIs, streamed and whole."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.home.toolbox import plain_name
from tests.clients.conversations import GENERATED, SCRIPT, Step, for_clients
from tests.clients.python_client import Told, hold
from tests.support.fake_upstream import FakeUpstream, said
from tests.support.serving import KEY, Running, running

NPM_VERSION = "7.59.0"
CLIENT = Path(__file__).with_name("npm_client.mjs")


@pytest.fixture
async def upstream() -> AsyncIterator[FakeUpstream]:
    async with FakeUpstream().running() as fake:
        yield fake


@pytest.fixture
async def server(tmp_path: Path, upstream: FakeUpstream) -> AsyncIterator[Running]:
    settings = (
        "settings:\n  ha_assist_languages: [en]\n  ha_assist_verify_delay: 0\n"
        f"models:\n  upstream: {{enabled: true, base_url: '{upstream.url}', model: small}}\n"
    )
    async with running(tmp_path, settings=settings) as up:
        yield up


def problem(step: Step, told: Told) -> str | None:
    """Why what was told is not what the script wants."""
    if step.error is not None or "error" in told:
        return None if told.get("error") == list(step.error or ()) else f"not the error {step.error}"
    calls = told["calls"]
    if [plain_name(name) for name, _ in calls] != [name for name, _, _ in step.calls]:
        return f"not the calls {step.calls}"
    if any(arguments.get(key) != value for (_, arguments), (_, key, value) in zip(calls, step.calls, strict=True)):
        return f"not the arguments of {step.calls}"
    if step.text is not None and step.text not in told["text"]:
        return f"not a text with {step.text!r}"
    return None


def assert_as_scripted(told: list[list[Told]], how: str) -> None:
    wrong = [
        f"{how}, {step.say or step.result}: {why}: {answer}"
        for conversation, answers in zip(SCRIPT, told, strict=True)
        for step, answer in zip(conversation.steps, answers, strict=True)
        if (why := problem(step, answer)) is not None
    ]
    assert not wrong, "\n".join(wrong)


async def test_the_python_client(server: Running, upstream: FakeUpstream) -> None:
    async with server.openai(strict=True) as client:
        assert [model.id async for model in client.models.list()] == ["HA-Assist", "small"]
        told = {}
        for api in ("chat", "responses"):
            for stream in (False, True):
                upstream.queue = [said(text) for text in GENERATED]
                how = f"{api} {'streamed' if stream else 'whole'}"
                told[how] = await hold(client, for_clients(), api, stream=stream)
                assert_as_scripted(told[how], how)
    assert len({json.dumps(each) for each in told.values()}) == 1, "the same answers in every form"


@pytest.fixture(scope="session")
def npm_client() -> Path:
    """The folder with the installed client; it is kept for the next run."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("no node and npm: install them to test the openai client for JavaScript")
    folder = Path(tempfile.gettempdir()) / f"ha-assist-npm-{os.getuid()}-openai-{NPM_VERSION}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
            command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", f"openai@{NPM_VERSION}"]
            try:
                subprocess.run(command, cwd=fresh, check=True, capture_output=True, timeout=120)
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
                pytest.skip(f"npm could not install openai {NPM_VERSION}: no network?")
            shutil.copytree(fresh, f"{fresh}.whole")
            try:
                Path(f"{fresh}.whole").rename(folder)
            except OSError:  # another run was quicker
                shutil.rmtree(f"{fresh}.whole")
    return folder


async def test_the_npm_client(server: Running, upstream: FakeUpstream, npm_client: Path, tmp_path: Path) -> None:
    # A module finds its packages beside itself, so it must lie in their folder.
    script = tmp_path / CLIENT.name
    script.write_bytes(CLIENT.read_bytes())
    (tmp_path / "node_modules").symlink_to(npm_client / "node_modules")
    upstream.queue = [said(text) for _ in range(4) for text in GENERATED]
    process = await asyncio.create_subprocess_exec(
        "node",
        str(script),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    given = {"baseURL": server.url, "apiKey": KEY, "script": for_clients()}
    out, problems = await asyncio.wait_for(process.communicate(json.dumps(given).encode()), 120)
    assert process.returncode == 0, problems.decode()
    told: Mapping[str, Any] = json.loads(out)
    assert len(told) == 4
    for how, conversations in told.items():
        assert_as_scripted(conversations, how)
