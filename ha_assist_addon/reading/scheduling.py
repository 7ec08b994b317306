"""A command for later: what it asks for is read without its time, and planned where a tool that can is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..home.toolbox import Tool, plain_name
from ..language.later import AFTER, find_later
from ..language.times import say_timed
from ..meaning.openings import opens
from ..meaning.plan import NotPlanned, Planned, plan
from ..recognition.recognise import Candidate
from ..turn.outcome import Act, Answer, PlannedCall, Reason
from .interpret import Interpreter
from .interpretation import Interpretation

STAGE = "scheduled"
INTENT = "HaAssistSchedule"
_TIMER = "HassStartTimer"
_CONFIRMED = "confirmed"
"""The argument by which the tool is told that the person said yes to opening something."""
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
    if now is None or not _can_wait(now):
        return None
    planned = now.planned[0]
    if not any(opens(plain_name(planned.call.name), entity, now.language) for entity in planned.targets):
        return _planned(tool, later.rest, dict(later.arguments), planned, now, text)
    if _CONFIRMED not in tool.properties:
        why = "What opens or unlocks something is not planned for later."
        return Interpretation(
            Answer(say_timed("schedule_opens", now.language), Reason.CONFIRM, why), STAGE, now.language
        )
    found = _planned(tool, later.rest, {**later.arguments, _CONFIRMED: True}, planned, now, text)
    question = say_timed("schedule_ask", now.language, when=later.said, what=later.rest)
    return replace(found, ask_first=True, question=question) if found is not None else None


def interpret_delayed(
    text: str, interpreter: Interpreter, read: Callable[[str], Interpretation | None]
) -> Interpretation | None:
    """The sentence as a timer of Home Assistant that carries a command: where no tool plans, for a delay.

    Home Assistant's own agent reads that command when the timer ends, so it has to be one of the official sentences.
    """
    house, language = interpreter.house, interpreter.grammar.language
    timer = house.toolbox.find(_TIMER)
    if timer is None or "conversation_command" not in timer.properties:
        return None
    later = find_later(text, language)
    if later is None or AFTER not in later.arguments:
        return None
    now = read(later.rest)
    if now is None or not _can_wait(now) or interpreter.guard(later.rest, interpreter.mentions(later.rest)) is not None:
        return None
    if any(opens(plain_name(p.call.name), entity, language) for p in now.planned for entity in p.targets):
        return None
    slots = {**_amounts(int(later.arguments[AFTER])), "conversation_command": later.rest}
    candidate = Candidate(_TIMER, language, slots, {}, None, "default", "", (0,), text, own=True)
    planned = plan(candidate, house.home, house.toolbox)
    if isinstance(planned, NotPlanned) or interpreter.refuse_delay(planned) is not None:
        return None
    act = Act((planned.call,), Reason.EXACT, "A timer of Home Assistant carries the command.")
    return Interpretation(act, STAGE, language, (planned,), (candidate,))


def _can_wait(now: Interpretation) -> bool:
    """Whether it is one command of a kind that can be done later, and certain."""
    if not isinstance(now.outcome, Act) or now.changes or now.complains or len(now.planned) != 1:
        return False
    return plain_name(now.planned[0].call.name) in SCHEDULABLE and not now.by_name_alone


def _amounts(seconds: int) -> dict[str, int]:
    """A length of time as a timer takes it."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return {unit: n for unit, n in (("hours", hours), ("minutes", minutes), ("seconds", rest)) if n}


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
