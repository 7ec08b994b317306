"""Every recorded chat request of a real Home Assistant is understood; the pipeline is a stand-in here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.scripted import Scripted
from tests.support.serving import Running


def recorded(folder: Path) -> Iterator[tuple[str, Any]]:
    for file in sorted(folder.glob("*/*/*.json")):
        recording = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(recording, dict):
            continue
        for index, exchange in enumerate(recording.get("exchanges", ())):
            request = exchange["request"]
            if request["path"].endswith("/chat/completions"):
                yield f"{file.relative_to(folder)}#{index}", request["body"]


async def test_no_recorded_request_is_refused(server: Running, pipeline: Scripted, shared_dir: Path) -> None:
    refused, count = {}, 0
    for name, body in recorded(shared_dir / "captures"):
        count += 1
        async with server.http.post(f"{server.url}/chat/completions", json={**body, "model": "HA-Assist"}) as response:
            if response.status != 200:
                refused[name] = await response.text()
            await response.read()
    assert not refused
    assert count > 200
    assert len(pipeline.seen) == count
    assert all(request.tools or len(request.messages) < 5 for request in pipeline.seen)
