"""A downloading process that is killed loses at most its last chunk, and never keeps others out."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from ha_assist_addon.models.status import ModelState
from tests.models.conftest import CONTENT, SHA256, Make
from tests.models.file_server import FileServer, Hold
from tests.models.test_download import assert_whole, part_has, settled, size_of
from tests.support.shared import ROOT


@pytest.mark.parametrize("sha256", [None, SHA256])
async def test_killed_in_the_middle(
    make: Make, server: FileServer, tmp_path: Path, folder: Path, sha256: str | None
) -> None:
    server.faults = [Hold(900_000)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.models.fetch", str(tmp_path), server.url, cwd=ROOT
    )
    file = make(sha256)
    try:
        await part_has(folder, 800_000)
        file.start()
        async with asyncio.timeout(10):
            while "another process" not in file.status.detail:  # noqa: ASYNC110 - a status has no event
                await asyncio.sleep(0.01)
        assert len(server.requests) == 1
    finally:
        process.kill()
        await process.wait()
    kept = size_of(folder / "tiny.litertlm.part")
    assert await settled(file) is ModelState.READY
    assert server.requests[1]["Range"] == f"bytes={kept}-"
    assert_whole(file, folder)


@pytest.fixture
def all_but_renamed(server: FileServer, folder: Path) -> None:
    folder.mkdir()
    (folder / "tiny.litertlm.part").write_bytes(CONTENT)
    origin = {"address": server.url, "validator": '"one"', "size": len(CONTENT)}
    (folder / "tiny.litertlm.part.json").write_text(json.dumps(origin))


@pytest.mark.usefixtures("all_but_renamed")
async def test_killed_before_the_rename(make: Make, server: FileServer, folder: Path) -> None:
    file = make()
    file.start()
    assert await settled(file) is ModelState.READY
    assert not server.requests
    assert_whole(file, folder)
