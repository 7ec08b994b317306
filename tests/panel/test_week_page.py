"""The page of what was not understood."""

from __future__ import annotations

import json

from tests.support.house import House, body, thing

from .conftest import Add, Panel

HOME = House((thing("Ceiling <Light>", "light", "Kitchen"),), satellite="Kitchen")


async def test_misses_are_listed_and_tried_again(panel: Panel, add: Add) -> None:
    assert "Everything was understood" in await panel.get("week")
    sentence = "Turn on the ceiling <light>"
    add(sentence, reason="not_recognised", request=json.dumps(body(HOME, sentence)).encode())
    page = await panel.get("week")
    assert "Turn on the ceiling &lt;light&gt;" in page
    assert 'data-load="week/replay"' in page
    again = await panel.post("week/replay")
    assert "1 of 1 are understood now." in again
    assert "Ceiling &lt;Light&gt;" in again
    assert "<td>acts" in again, "what was only tried was not sent"
    assert "<td>sent" not in again
    assert await panel.services.traces.count() == 1
    assert 'href="./week"' in await panel.get("overview")
