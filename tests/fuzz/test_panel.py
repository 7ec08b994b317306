"""Whatever was sent, the panel shows it: no page breaks, and nothing in it becomes a page's own."""

from __future__ import annotations

from pathlib import Path

import aiohttp

from ha_assist_addon.app import listening
from ha_assist_addon.backends.base import ToolForm
from ha_assist_addon.panel.app import create_panel
from tests.fuzz.mutate import Mutator
from tests.fuzz.seeds import seeds
from tests.fuzz.target import nonsense, target
from tests.support.fake_backend import FakeBackend

COUNT, FIRST = 70, 100_000
MARKUP = "<script>alert(1)"


async def test_every_record_can_be_looked_at_and_exported(tmp_path: Path) -> None:
    mutator = Mutator(seeds(), "http://127.0.0.1:9")
    model = FakeBackend([nonsense], ToolForm.JSON)
    async with (
        target(tmp_path, "nonsense", model) as server,
        listening(create_panel(server.services, 1, "key"), "127.0.0.1", 0, drain=0.1) as port,
        aiohttp.ClientSession() as http,
    ):
        for number in range(FIRST, FIRST + COUNT):
            await server.fault(mutator.draw(number))
        await server.services.traces.close()
        summaries = await server.services.traces.newest(limit=COUNT)
        paths = ["", "overview", "models", "settings", "try"]
        for summary in summaries:
            paths += [f"requests/{summary.id}", f"requests/{summary.id}/export"]
            paths += [f"requests/{summary.id}/export?names=real"]
        broken = []
        for path in paths:
            async with http.get(f"http://127.0.0.1:{port}/{path}") as response:
                text = await response.text()
                if (
                    response.status not in {200, 422}
                    or MARKUP in text
                    or (response.status == 422 and "export" not in path)
                ):
                    broken.append(f"{path}: {response.status}")
        assert len(summaries) > COUNT / 2
        assert broken == []
