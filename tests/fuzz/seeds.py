"""Whole requests to start from: a small home of our own, and what Home Assistant's clients really sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.captures.replay import RESPONSES, recordings
from tests.support.house import READS, House, body, called, done, result, thing
from tests.support.shared import SHARED

CHAT, DIAGNOSE = "/chat/completions", "/ha-assist/diagnose"
HOUSE = House(
    (
        thing("Desk Lamp, Writing Light", "light", "Office"),
        thing("Ceiling Light", "light", "Kitchen, Cookery"),
        thing("Front Door", "lock", "Hall"),
        thing("Left Blind", "cover", "Office"),
        thing("Heating", "climate", "Kitchen, Cookery"),
        thing("Coffee Machine", "switch", "Kitchen, Cookery"),
        thing("Groceries", "todo"),
        thing("Outside Temperature", "sensor"),
    ),
    satellite="Kitchen",
    floor="Ground floor",
)

SAYS: Mapping[str, frozenset[str]] = {
    "turn on the Desk Lamp": frozenset({"HassTurnOn"}),
    "turn off the lights in the Kitchen": frozenset({"HassTurnOff"}),
    "set the Desk Lamp to 40 percent": frozenset({"HassLightSet"}),
    "schalte die Desk Lamp aus": frozenset({"HassTurnOff"}),
    "turn off the Coffee Machine and close the Left Blind": frozenset({"HassTurnOff", "HassTurnOn", "HassSetPosition"}),
    "add bread to my Groceries": frozenset({"HassListAddItem"}),
    "do not unlock the Front Door": frozenset(),
    "never turn on the Coffee Machine": frozenset(),
    "is the Front Door locked?": frozenset(),
    "how warm is it in the Kitchen?": frozenset(),
    "what is the capital of France?": frozenset(),
    "hello": frozenset(),
}
"""What each sentence may do at most, by plain names; closing a cover is `HassTurnOff`, and opening it `HassTurnOn`."""


@dataclass(frozen=True, slots=True)
class Seed:
    """One request as it should be."""

    path: str
    body: Mapping[str, Any]


@cache
def seeds() -> Sequence[Seed]:
    """All of them, the recorded ones where the recordings are at hand."""
    own = [Seed(CHAT, body(HOUSE, sentence, stream=n % 2 == 0)) for n, sentence in enumerate(SAYS)]
    own += [Seed(RESPONSES, as_responses(seed.body)) for seed in own[::3]]
    own += [Seed(DIAGNOSE, {**own[0].body, "generate": True}), Seed(DIAGNOSE, {"sentence": "hello", "example": "home"})]
    own += [Seed(CHAT, more) for more in _more()]
    recorded = [] if SHARED is None else [Seed(r.path, r.body) for r in recordings(SHARED / "captures")]
    return (*own, *recorded)


def _more() -> Sequence[dict[str, Any]]:
    live = "Live Context: An overview\n- names: Desk Lamp\n  domain: light\n  state: 'off'\n  areas: Office\n"
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object", "properties": {}}}}
    asked = "turn on the Desk Lamp"
    return (
        body(HOUSE, asked, called("intent__HassTurnOn", {"name": "Desk Lamp"}), result(done("Desk Lamp"))),
        body(HOUSE, asked, called("GetLiveContext", {}), result({"success": True, "result": live})),
        body(HOUSE, {"role": "user", "content": [picture, {"type": "text", "text": "what is this?"}]}),
        body(HOUSE, "tell me a number", response_format=form),
        body(HOUSE, asked, "yes", tool_choice="required", parallel_tool_calls=False, user="someone"),
        body(
            HOUSE,
            asked,
            ha_context={
                "language": "en",
                "satellite": {"area": "Office"},
                "floors": [{"name": "Ground floor"}],
                "areas": [{"name": "Office", "floor": "Ground floor"}],
                "entities": [{"name": "Desk Lamp", "domain": "light", "state": "off", "attributes": {"x": [1]}}],
            },
        ),
    )


def as_responses(chat: Mapping[str, Any]) -> dict[str, Any]:
    """The same request in the form of the Responses API."""
    return {
        "model": chat["model"],
        "input": list(chat["messages"]),
        "tools": [{"type": "function", **tool["function"]} for tool in chat["tools"]],
        "stream": chat.get("stream", False),
    }


def is_read(plain: str) -> bool:
    """Whether a tool changes nothing."""
    return plain in READS
