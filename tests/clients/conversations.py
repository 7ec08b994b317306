"""One script of conversations that every client must be able to hold."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from tests.support.house import House, done, thing, tools
from tests.support.house import prompt as system_text

HOUSE = House(
    (
        thing("Desk Lamp", "light", "Office"),
        thing("Ceiling Light", "light", "Kitchen"),
        thing("Ceiling Light", "light", "Hall"),
    )
)
LIVE = (
    "Live Context: An overview of the areas and the devices in this smart home:\n"
    "- names: Desk Lamp\n  domain: light\n  state: 'on'\n  areas: Office\n"
)
STORY, DATA = "Once upon a time.", '{"count": 2}'
GENERATED = (STORY, DATA)
"""What the model is to answer, in the order of the script."""
SCHEMA = {
    "type": "object",
    "properties": {"count": {"type": "integer"}},
    "required": ["count"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Step:
    """What the client sends next, and what must come of it.

    `say` is a sentence, `result` the result of every call just made. `calls` are plain names of tools with an argument
    that must be there, `text` a part of the answer, `error` its status and code.
    """

    say: str | None = None
    result: Any = None
    calls: tuple[tuple[str, str, Any], ...] = ()
    text: str | None = None
    error: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Sentences and results in turn; `format` is the JSON schema of the answer, `options` go into each request."""

    steps: tuple[Step, ...]
    model: str = "HA-Assist"
    at_home: bool = True
    format: Any = None
    options: dict[str, Any] = field(default_factory=dict)


READ = (("GetLiveContext", "name", "Desk Lamp"),)

SCRIPT: tuple[Conversation, ...] = (
    Conversation(
        (
            Step("turn on the desk lamp", calls=(("HassTurnOn", "name", "Desk Lamp"),)),
            Step(result=done("Desk Lamp"), calls=READ),
            Step(result={"result": LIVE}, text="Turned on"),
            Step("is the desk lamp on?", calls=READ),
            Step(result={"result": LIVE}, text="Yes"),
        ),
        options={"temperature": 0.5, "top_p": 1, "user": "someone"},
    ),
    Conversation(
        (
            Step("turn on the ceiling light", text="Hall"),
            Step("the one in the hall", calls=(("HassTurnOn", "area", "Hall"),)),
        ),
        options={"parallel_tool_calls": False},
    ),
    Conversation((Step("tell me a story", text=STORY),), at_home=False),
    Conversation((Step("count the people", text=DATA),), at_home=False, format=SCHEMA),
    Conversation((Step("hello", error=(404, "model_not_found")),), model="absent"),
    Conversation((Step("hello", error=(400, "invalid_request")),), options={"temperature": 3}),
    Conversation(
        (Step("turn on the ceiling light", error=(400, "no_tool_call")),), options={"tool_choice": "required"}
    ),
)


def for_clients() -> list[dict[str, Any]]:
    """The script as plain data, whatever language the client speaks."""
    return [
        {
            **asdict(each),
            "system": system_text(HOUSE) if each.at_home else None,
            "functions": tools(HOUSE) if each.at_home else None,
        }
        for each in SCRIPT
    ]
