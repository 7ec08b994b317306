"""`models` tells of every model, and `models download` fetches one, stops politely and goes on."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from tests.models.conftest import CONTENT
from tests.models.file_server import FileServer, Hold
from tests.models.test_download import part_has
from tests.support.shared import ROOT

PATCHED = """
import signal, sys
# A suite that runs in the background ignores SIGINT, and its children would too.
signal.signal(signal.SIGINT, signal.default_int_handler)
from ha_assist_addon.models import catalogue, library
from ha_assist_addon.settings.profiles import ModelKind
release = catalogue.Release("tiny.litertlm", sys.argv.pop(1))
tiny = catalogue.KnownModel("tiny", ModelKind.GEMMA, "LiteRT-LM", False, "none", (release,))
library.catalogue = lambda: (tiny,)
from ha_assist_addon.__main__ import main
sys.exit(main())
"""


async def started(server: FileServer, *arguments: str) -> asyncio.subprocess.Process:
    """The command line with a catalogue of one model, which this server has."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PATCHED, server.url, "models", *arguments),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
    async with asyncio.timeout(90):
        out, error = await process.communicate()
    return process.returncode, out.decode(), error.decode()


async def test_stopped_and_fetched(server: FileServer, tmp_path: Path, folder: Path) -> None:
    server.faults = [Hold(900_000)]
    arguments = ("download", "Tiny", "--data-dir", str(tmp_path))
    process = await started(server, *arguments)
    await part_has(folder, 0)
    process.send_signal(signal.SIGINT)
    status, out, error = await ended(process)
    assert (status, error.strip()) == (130, "Stopped. The same command goes on from here.")
    assert "is being fetched" in out
    status, out, _ = await ended(await started(server, "--data-dir", str(tmp_path), "download", "tiny"))
    assert status == 0
    assert out.splitlines()[-1] == f"tiny is there: {folder / 'tiny.litertlm'}"
    assert (folder / "tiny.litertlm").read_bytes() == CONTENT
    assert (await ended(await started(server, *arguments)))[0] == 0
    assert len(server.requests) <= 2


@pytest.mark.parametrize(("enabled", "said"), [(True, "enabled. tiny.litertlm has not"), (False, "not enabled: text")])
async def test_the_list(server: FileServer, tmp_path: Path, enabled: bool, said: str) -> None:
    (tmp_path / "settings.yaml").write_text(f"models: {{gemma: {{enabled: {enabled}, model: tiny}}}}")
    status, out, error = await ended(await started(server, "--data-dir", str(tmp_path)))
    assert (status, error) == (0, "")
    lines = dict(line.split("\t") for line in out.splitlines())
    assert set(lines) == {"HA-Assist", "tiny"}
    assert lines["tiny"].startswith(said)
    assert not server.requests


async def test_a_name_that_nobody_knows(server: FileServer, tmp_path: Path) -> None:
    status, _, error = await ended(await started(server, "download", "large", "--data-dir", str(tmp_path)))
    assert (status, error.strip()) == (2, "HA-Assist does not know large. It knows tiny.")


async def test_a_failure_is_one_sentence(server: FileServer, tmp_path: Path) -> None:
    server.content = b"<html>"
    status, _, error = await ended(await started(server, "download", "tiny", "--data-dir", str(tmp_path)))
    assert status == 1
    assert error.strip() == "What the server sent cannot be used. It is a web page, not a LiteRT model."
