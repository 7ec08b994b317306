"""Every recorded request of a real Home Assistant is understood; the pipeline is a stand-in here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.scripted import Scripted
from tests.support.serving import Running

PATHS = ("/chat/completions", "/responses")


def recorded(folder: Path) -> Iterator[tuple[str, str, Any]]:
    for file in sorted(folder.glob("*/*/*.json")):
        recording = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(recording, dict):
            continue
        for index, exchange in enumerate(recording.get("exchanges", ())):
            request = exchange["request"]
            for path in PATHS:
                if request["path"].endswith(path):
                    yield f"{file.relative_to(folder)}#{index}", path, request["body"]


async def test_no_recorded_request_is_refused(server: Running, pipeline: Scripted, shared_dir: Path) -> None:
    refused, count = {}, 0
    for name, path, body in recorded(shared_dir / "captures"):
        count += 1
        async with server.http.post(f"{server.url}{path}", json={**body, "model": "HA-Assist"}) as response:
            if response.status != 200:
                refused[name] = await response.text()
            await response.read()
    assert not refused
    assert count > 200
    assert len(pipeline.seen) == count
    assert all(request.tools or len(request.messages) < 5 for request in pipeline.seen)


async def test_a_task_reaches_the_pipeline_with_its_structure_and_its_image(
    server: Running, pipeline: Scripted, shared_dir: Path
) -> None:
    tasks = [(name, path, body) for name, path, body in recorded(shared_dir / "captures") if "_ai_task_" in name]
    for _, path, body in tasks:
        await server.post({**body, "model": "HA-Assist", "stream": False}, path)
    assert {path for _, path, _ in tasks} == set(PATHS)
    for (name, _, _), request in zip(tasks, pipeline.seen, strict=True):
        structured = "structure" in name or "bad_json" in name
        assert (request.response_format is not None) is structured, name
        if request.response_format is not None:
            assert request.response_format["type"] == "json_schema"
            form = request.response_format["json_schema"]
            assert form["name"]
            assert form["strict"] is True
            assert set(form["schema"]["required"]) == {"count", "ok", "mood", "summary", "tags", "light"}, name
        pictured = "image" in name or "camera" in name
        images = request.messages[-1].images
        assert [image.partition(",")[0] for image in images] == (
            [f"data:image/{'jpeg' if 'camera' in name else 'png'};base64"] if pictured else []
        ), name
        assert request.messages[-1].text, name
        assert not request.tools
