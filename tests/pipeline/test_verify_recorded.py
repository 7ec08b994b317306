"""Recorded actions, followed by recorded reads: every version's and client's own words are understood."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ha_assist_addon.home.toolbox import plain_name
from tests.support.house import Decision, Pipeline
from tests.support.shared import SHARED, needs_shared

pytestmark = needs_shared

ACTIONS = {"01_turn_on_by_name": ("Desk Lamp",), "02_turn_on_area_domain": ("Floor Lamp", "Living Room Ceiling")}
READ = "07_live_context_all"


def _recorded() -> list[tuple[str, str]]:
    """Clients with a read of everything, and which of the actions they were recorded with."""
    if SHARED is None:
        return []
    root = SHARED / "captures"
    folders = [f.parent for f in sorted(root.glob(f"*/*/{READ}.json")) if _second(f)]
    return [(str(f.relative_to(root)), a) for f in folders for a in ACTIONS if (f / f"{a}.json").is_file()]


def _second(file: Path) -> dict[str, Any] | None:
    """The request that brings the result of a call back."""
    recorded = json.loads(file.read_text(encoding="utf-8"))
    bodies = [e["request"]["body"] for e in recorded["exchanges"] if e["request"]["path"].endswith("/chat/completions")]
    return next((b for b in bodies if b["messages"][-1]["role"] == "tool"), None)


def _ask(pipeline: Pipeline, client: str, action: str, *overviews: str) -> Decision:
    assert SHARED is not None
    body = _second(SHARED / "captures" / client / f"{action}.json")
    assert body is not None
    box = [t["function"]["name"] for t in body["tools"]]
    reader = next(name for name in box if plain_name(name) == "GetLiveContext")
    messages = list(body["messages"])
    for number, overview in enumerate(overviews):
        function = {"name": reader, "arguments": "{}"}
        call = {"id": f"read_{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"read_{number}", "content": overview})
    return pipeline.decide({**body, "model": "HA-Assist", "messages": messages, "stream": False})


def _overview(client: str) -> str:
    assert SHARED is not None
    body = _second(SHARED / "captures" / client / f"{READ}.json")
    assert body is not None
    return str(body["messages"][-1]["content"])


@pytest.mark.parametrize(("client", "action"), _recorded())
def test_a_recorded_state_confirms_or_tells_the_late_one(careful: Pipeline, client: str, action: str) -> None:
    names, live = ACTIONS[action], _overview(client)
    reading = _ask(careful, client, action)
    assert [plain_name(n) for n, _ in reading.calls] == ["GetLiveContext"]
    confirmed = _ask(careful, client, action, live)
    assert (confirmed.calls, confirmed.trace.verification) == ([], "confirmed")
    late, count = re.subn(rf"(names: {names[0]}\b.*?state: ')on'", r"\1off'", live, count=1, flags=re.DOTALL)
    assert count == 1
    assert _ask(careful, client, action, late).calls
    assert _ask(careful, client, action, late, late).calls
    told = _ask(careful, client, action, late, late, late)
    assert not told.calls
    assert names[0] in told.text
    assert names[-1] == names[0] or names[-1] not in told.text


def test_there_are_recordings_of_each_version() -> None:
    assert {client.split("/")[0] for client, _ in _recorded()} == {"2026.2", "2026.8", "2026.11"}
