"""What kind of answer each recorded request calls for.

A row is one scenario, a column one request of its exchange. Where a sentence may or may not be understood without a
model, several kinds are allowed; which entity an action may mean is always fixed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ha_assist_addon.errors import NoModel as NoModelError
from ha_assist_addon.home.toolbox import plain_name

NO_MODEL = re.compile(r"language model|vision model|Sprachmodell")
SORRY = re.compile(
    r"sorry|couldn't|can't|don't know|no such|more than one|not|entschuldigung|leider|kenne",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, streamed or whole."""

    status: int
    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    finish: str | None = None
    code: str | None = None

    @property
    def plain_calls(self) -> tuple[str, ...]:
        """The calls by the plain names of their tools."""
        return tuple(plain_name(name) for name, _ in self.calls)


class Kind:
    """One kind of answer."""

    def fits(self, reply: Reply) -> bool:
        """Whether a reply is of this kind."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Call(Kind):
    """Exactly these calls; a given argument must have the value, others are free."""

    tools: tuple[str, ...]
    arguments: Mapping[str, Any]

    def fits(self, reply: Reply) -> bool:
        return reply.plain_calls == self.tools and all(
            json.dumps(arguments.get(key)).casefold() == json.dumps(value).casefold()
            for _, arguments in reply.calls
            for key, value in self.arguments.items()
        )


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """Text without a call, of the form that is asked for."""

    question: bool | None = None
    no_model: bool | None = None
    sorry: bool | None = None
    pattern: str = ""
    not_pattern: str = ""

    def fits(self, reply: Reply) -> bool:
        if reply.status != 200 or reply.calls or not reply.text.strip():
            return False
        checks = (
            (self.question, reply.text.rstrip().endswith("?")),
            (self.no_model, bool(NO_MODEL.search(reply.text))),
            (self.sorry, bool(SORRY.search(reply.text))),
        )
        return (
            all(wanted is None or wanted is found for wanted, found in checks)
            and re.search(self.pattern, reply.text) is not None
            and (not self.not_pattern or re.search(self.not_pattern, reply.text) is None)
        )


@dataclass(frozen=True, slots=True)
class Refused(Kind):
    """An error of this code."""

    code: str

    def fits(self, reply: Reply) -> bool:
        return reply.code == self.code and bool(reply.text.strip())


def call(*tools: str, **arguments: Any) -> Call:
    """Calls by plain name."""
    return Call(tools, arguments)


TEXT = Text()
"""Any text: a model would answer better, but nothing may be called."""
ASK = Text(question=True)
NO_MODEL_TEXT = Text(no_model=True)
DONE = Text(question=False, no_model=False, sorry=False)
"""An acknowledgement."""
FAILED = Text(no_model=False, sorry=True)
"""A sentence that says that it did not work."""
READ = call("GetLiveContext")
"""Reading the state before or after an action."""
ANSWERED = Text(question=False, no_model=False, not_pattern=r"^(Done|Okay|Erledigt)\b")
"""An answer, not an acknowledgement."""
UNSURE = Text(not_pattern=r"^(Done|Okay|Erledigt)\b")
"""What a model would answer: not an acknowledgement of something that nobody did."""
NO_DATA = Refused(NoModelError.code)

_CHAT = (NO_MODEL_TEXT,)
_OR_ASK = (NO_MODEL_TEXT, ASK)
_LAMP_ON = (call("HassTurnOn", name="Desk Lamp"),)
_LAMP_OFF = (call("HassTurnOff", name="Desk Lamp"),)
_FOREIGN_READ = (UNSURE,)

Row = Sequence[Sequence[Kind]]

TABLE: Mapping[str, Row] = {
    "*/llama_cpp_no_control/*": (_CHAT,) * 3,
    "*/00_setup": (_CHAT,) * 3,
    "*/extended_openai/01_turn_on_by_name": ((*_LAMP_ON, *_OR_ASK), (TEXT,)),
    "*/01_turn_on_by_name": ((*_LAMP_ON, *_OR_ASK), (DONE, READ)),
    "*/02_turn_on_area_domain": ((call("HassTurnOn", area="Living Room"), *_OR_ASK), (DONE, READ)),
    "*/03_fail_unknown_name": ((ASK,), (FAILED,)),
    "*/04_fail_unknown_tool": (_CHAT, (FAILED,)),
    "*/05_fail_invalid_args": (_OR_ASK, (FAILED,)),
    "*/06_duplicate_name": ((Text(question=True, pattern="Bedroom.*Kids Room|Kids Room.*Bedroom"),), (FAILED,)),
    "*/07_live_context_all": ((READ,), (Text(question=False, no_model=False, pattern=r"(?i)yes|open"),)),
    "*/08_live_context_filtered": ((READ,), (ANSWERED,), _FOREIGN_READ, _FOREIGN_READ),
    "*/09_follow_up": (
        (*_LAMP_ON, *_OR_ASK),
        (DONE, READ),
        (*_LAMP_OFF, *_OR_ASK),
        (DONE, READ),
        (TEXT,),
    ),
    "*/10_parallel_tool_calls": (
        (call("HassTurnOff", "HassTurnOn"), call("HassSetPosition", "HassTurnOn"), *_OR_ASK),
        (DONE, READ),
    ),
    "*/11_get_date_time": ((call("GetDateTime"),), (Text(pattern="29", no_model=False),)),
    "*/12_todo": (
        (call("HassListAddItem", name="Shopping List"), *_OR_ASK),
        (DONE, NO_MODEL_TEXT, call("todo_get_items", todo_list="Shopping List")),
        (UNSURE,),
        (DONE,),
    ),
    "*/13_calendar": ((call("calendar_get_events", calendar="Family", range="week"), *_OR_ASK), (UNSURE,)),
    "*/14_script_tool": ((call("movie_time"), *_OR_ASK), (TEXT,), (TEXT,)),
    "*/15_satellite_area": ((call("HassTurnOn", area="Kitchen", domain=["light"]),), (DONE, READ)),
    "*/16_satellite_timer": ((call("HassStartTimer", minutes=5), *_OR_ASK), (DONE,), (TEXT,)),
    "*/17_general_question": (_CHAT,),
    "*/18_language_de": ((*_OR_ASK,), (DONE, READ)),
    "*/19_asks_back": (_OR_ASK, (*_LAMP_ON, *_OR_ASK), (DONE, READ)),
    "*/20_blank_args": ((call("HassLightSet", name="Desk Lamp", color="blue"), *_OR_ASK), (DONE, READ)),
    "*/21_empty_text": (_CHAT,),
    "*/22_null_content": (_CHAT,),
    "*/23_tool_loop": (_CHAT, *[(TEXT,)] * 9),
    "*/24_reasoning": (_CHAT,),
    "*/25_think_tags": (_CHAT,),
    "*/26_text_then_tool": ((*_LAMP_ON, *_OR_ASK), (DONE, READ)),
    "*/27_media_search": ((call("search_media"), *_OR_ASK), (TEXT, call("play_media")), (TEXT,)),
    "*/28_climate_fan_vacuum": (
        (call("HassClimateSetTemperature", area="Bedroom", temperature=22), *_OR_ASK),
        *[(DONE, READ)] * 4,
        (FAILED,),
    ),
    "*/29_bad_json_args": (_CHAT,),
    "*/30_unexposed_entity": ((ASK,), (FAILED,)),
    "*/31_entity_id_as_name": (_OR_ASK, (DONE, READ)),
    "*/32_string_list_args": ((call("HassTurnOff", area="Kitchen", domain=["light"]),), (DONE, READ)),
    "*/4[0-7]_*": (_CHAT,) * 3,
    "*/51_local_then_llm": (_CHAT,),
    "*/52_trigger_then_llm": (_CHAT,),
    "*/53_asks_back_then_local_sentence": (_OR_ASK, _LAMP_ON),
    "*/6?_ai_task_*": ((NO_DATA,),),
    "*/80_calls_in_one_chunk": (_OR_ASK, (DONE, READ)),
    "*/8[1-5]_*": (_CHAT,),
}
"""The first pattern that a recording's `version/client/scenario` matches counts."""

NOT_YET: Mapping[str, tuple[Sequence[int], str]] = {
    "*/13_calendar": ((1,), "events that were read are answered with `Done.`"),
}
"""Requests (by number) whose answer is not of its kind yet, and why; one that becomes right must leave this table."""
