"""A command for later: what it asks for is read without its time, and planned where a tool that can is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..home.toolbox import Tool, plain_name
from ..language.later import find_later
from ..language.times import say_timed
from ..meaning.openings import opens
from ..meaning.plan import Planned
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, Answer, PlannedCall, Reason
from .interpret import Interpreter
from .interpretation import Interpretation

STAGE = "scheduled"
INTENT = "HaAssistSchedule"
SCHEDULABLE = frozenset(
    {
        "HassTurnOn", "HassTurnOff", "HassLightSet", "HassSetPosition", "HassFanSetSpeed", "HassClimateSetTemperature",
        "HassSetVolume", "HassMediaPause", "HassMediaUnpause", "HassMediaPlayerMute", "HassMediaPlayerUnmute",
        "HassVacuumStart", "HassVacuumReturnToBase", "HassLawnMowerStartMowing", "HassLawnMowerDock",
        "HassHumidifierSetpoint", "HassHumidifierMode",
    }
)  # fmt: skip
"""Calls that the tool plans."""


def interpret_scheduled(
    text: str, interpreter: Interpreter, read: Callable[[str], Interpretation | None]
) -> Interpretation | None:
    """The sentence as one command for later; `read` tells what it comes to without its time.

    It has to be a command that would be carried out at once if no time was said.
    """
    tool = interpreter.house.toolbox.contributed("schedule")
    later = find_later(text, interpreter.grammar.language) if tool is not None else None
    if tool is None or later is None:
        return None
    now = read(later.rest)
    if now is None or not isinstance(now.outcome, Act) or now.changes or now.complains or len(now.planned) != 1:
        return None
    planned = now.planned[0]
    intent = plain_name(planned.call.name)
    if intent not in SCHEDULABLE or now.by_name_alone:
        return None
    if any(opens(intent, entity, now.language) for entity in planned.targets):
        why = "What opens or unlocks something is not planned for later."
        return Interpretation(
            Answer(say_timed("schedule_opens", now.language), Reason.CONFIRM, why), STAGE, now.language
        )
    return _planned(tool, later.rest, dict(later.arguments), planned, now, text)


def _planned(
    tool: Tool, what: str, when: dict[str, object], planned: Planned, now: Interpretation, text: str
) -> Interpretation | None:
    arguments = {"what": what, "tool": plain_name(planned.call.name), "arguments": planned.call.arguments, **when}
    if tool.problem(arguments) is not None:
        return None
    candidate = Candidate(INTENT, now.language, {"what": what}, {}, None, "default", "", (0,), text, own=True)
    call = PlannedCall(tool.name, arguments)
    act = Act((call,), Reason.EXACT, "The command is understood without its time, and planned for it.")
    return replace(
        now, outcome=act, stage=STAGE, planned=(Planned(call, candidate, ()),), candidates=(candidate,), heard=""
    )
