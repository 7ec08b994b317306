"""What a model asks for is checked before anybody executes it: may it, can it, and did the person say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..conversation import JsonObject, ToolCall
from ..home.entity import Entity, fold
from ..home.match import NoTargets, find_targets
from ..home.toolbox import READS, Tool, Toolbox, plain_name
from ..meaning.guard import Guarded
from ..meaning.openings import opens_the_home
from ..meaning.plan import PLACE_SLOTS, PLATFORM, SINGLE_TARGET, SWITCHES, TARGET_SLOTS, target_filters
from ..prompt.tools import READ_ONLY
from ..turn.outcome import Reason
from .grounds import DOUBTFUL, Grounds

_SWITCHED = frozenset({"light", "switch", "fan", "media_player", "input_boolean", "humidifier", "climate", "siren"})
"""Domains for which on is on: of locks it is locked, of covers open."""

_OF_THEIR_KIND: Mapping[str, frozenset[str]] = {
    "lock": frozenset({"lock"}),
    "open": frozenset({"cover", "valve", "lock", "alarm_control_panel", "vacuum", "lawn_mower"}),
}
"""What certain words can be said of: a light is not locked, and a thermostat not opened."""

_OPEN_REASONS = frozenset({Reason.AMBIGUOUS, Reason.UNKNOWN_NAME, Reason.UNKNOWN_AREA, Reason.MISSING_TARGET})
"""Why a sentence came to the model that does not say what it means: a model's choice is a guess."""


_KNOWN = frozenset({"play_media", "search_media"})
"""Tools of Home Assistant's own that are no intents."""


class Ruling(StrEnum):
    """What becomes of a generated call."""

    ACCEPTED = "accepted"
    REFUSED = "rejected"
    ASKED = "asked"
    """It may be meant, and the person is asked first."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The ruling on one call, the sentence that says why, and the entities that it reaches."""

    call: ToolCall
    ruling: Ruling
    why: str = ""
    targets: tuple[Entity, ...] = ()
    opens: bool = False
    """Whether it would open what stands between the home and the street."""


def validate(call: ToolCall, grounds: Grounds) -> Verdict:
    """Check offered name, the client's choice, schema, the kind of sentence, target, value, and what was said."""
    tool = grounds.house.toolbox.by_name.get(call.name)
    if tool is None:
        return Verdict(call, Ruling.REFUSED, f"{call.name or 'What it wrote'} is no offered tool")
    choice = grounds.question.request.tool_choice
    if choice == "none" or (choice not in ("auto", "required") and choice != call.name):
        return Verdict(call, Ruling.REFUSED, f"the client did not allow {call.name}")
    if (problem := tool.problem(call.arguments)) is not None:
        return Verdict(call, Ruling.REFUSED, problem)
    if tool.only_reads:
        return Verdict(call, Ruling.ACCEPTED)
    return _as_action(call, tool, grounds)


def _as_action(call: ToolCall, tool: Tool, grounds: Grounds) -> Verdict:
    guarded = grounds.guarded(tool, _texts(call.arguments))
    if why := grounds.forbids(tool, _texts(call.arguments)):
        return Verdict(call, Ruling.REFUSED, why)
    doubtful = next((g for g in guarded if g.kind in DOUBTFUL), None)
    doubt = f"{doubtful.word!r} leaves open whether anything is to be done ({doubtful.kind})" if doubtful else ""
    if tool.plain not in PLATFORM and tool.plain not in SWITCHES:
        doubt = doubt or _unknown_effect(tool, grounds)
        return Verdict(call, Ruling.ASKED if doubt else Ruling.ACCEPTED, doubt)
    home = grounds.house.home
    found = find_targets(
        home, target_filters(tool, call.arguments), domains=PLATFORM.get(tool.plain), single=tool.plain in SINGLE_TARGET
    )
    if isinstance(found, NoTargets):
        return Verdict(call, Ruling.REFUSED, f"nothing in the home fits ({found.miss})")
    targets = tuple(e for e in found.entities if tool.plain in PLATFORM or e.domain not in READ_ONLY)
    opens = any(_opens(call, tool, e) and opens_the_home(e, grounds.language) for e in targets)
    why = _wrong(call, tool, targets, guarded, grounds)
    if why:
        return Verdict(call, Ruling.REFUSED, why, targets, opens)
    doubt = doubt or _unsaid(call, targets, grounds, opens=opens) or _unclear(tool, targets, guarded, grounds)
    return Verdict(call, Ruling.ASKED if doubt else Ruling.ACCEPTED, doubt, targets, opens)


def _wrong(call: ToolCall, tool: Tool, targets: Sequence[Entity], guarded: Sequence[Guarded], grounds: Grounds) -> str:
    """What the sentence rules out, whatever a model makes of it."""
    if not targets:
        return "nothing there can be switched"
    if not PLACE_SLOTS & set(call.arguments) and len(targets) > 1 and not grounds.says("all"):
        return "it would reach the whole home, which nobody asked for"
    if grounds.question.candidates and not all(_is_among(e, grounds.question.candidates) for e in targets):
        return "it is none of the devices that can be meant"
    excluded = grounds.excluded(guarded)
    if any(fold(name) in excluded for e in targets for name in (*e.names, *e.areas)):
        return "it reaches what the sentence leaves out"
    if tool.plain in SWITCHES and all(e.domain in _SWITCHED for e in targets):
        wanted, other = ("on", "off") if tool.plain == "HassTurnOn" else ("off", "on")
        if grounds.certainly_says(other) and not grounds.says(wanted):
            return f"the sentence says {other}"
    return _wrong_number(call, tool, guarded, grounds)


def _wrong_number(call: ToolCall, tool: Tool, guarded: Sequence[Guarded], grounds: Grounds) -> str:
    """A number that was said is what the call is about; no tool that takes none may swallow it."""
    values = _numbers(call)
    if not grounds.numbers:
        return ""
    if tool.plain in SWITCHES:
        return "it loses the number that was said"
    relative = any(g.kind == "relative" for g in guarded)
    return "the number is not the one that was said" if values and not relative and not grounds.numbers & values else ""


def _unsaid(call: ToolCall, targets: Sequence[Entity], grounds: Grounds, *, opens: bool) -> str:
    """Why the person's own words do not carry the action, or nothing."""
    meant = not opens and (
        grounds.certainly_says("all") or grounds.is_only_one(targets) or all(e.domain == "todo" for e in targets)
    )
    unsaid = [e.name for e in targets if not grounds.speaks_of(e)]
    if unsaid and not meant and not grounds.names_floor(call.arguments.get("floor")):
        return f"the sentence does not speak of {', '.join(unsaid[:3])}"
    turns_on = all(e.domain == "valve" for e in targets) and grounds.certainly_says("on")
    asks_to_open = grounds.certainly_says("open") or turns_on
    if opens and not asks_to_open and not _numbers(call) & grounds.numbers:
        return "the sentence does not ask to open or unlock anything"
    return ""


def _unclear(tool: Tool, targets: Sequence[Entity], guarded: Sequence[Guarded], grounds: Grounds) -> str:
    """Why the sentence leaves open whether this action on these targets is meant, or nothing."""
    if grounds.question.reason in _OPEN_REASONS:
        return "the sentence leaves open which device is meant"
    if tool.plain not in SWITCHES:
        return ""
    if any(g.kind == "relative" for g in guarded):
        return "more or less is not on or off"
    for word, domains in _OF_THEIR_KIND.items():
        if grounds.certainly_says(word) and not any(e.domain in domains for e in targets):
            return f"the sentence says {word}, which is not what one does with {targets[0].name}"
    return ""


def _unknown_effect(tool: Tool, grounds: Grounds) -> str:
    """Why a tool of which nobody knows what it does needs a yes, or nothing.

    Home Assistant's own intents are known, a script is what the person made of it.
    """
    if tool.plain.startswith("Hass") or tool.plain in _KNOWN:
        return ""
    if not tool.is_script:
        return f"nobody here knows what {tool.plain} does"
    return "" if grounds.speaks_of_tool(tool) else f"the sentence does not speak of {tool.plain}"


def _opens(call: ToolCall, tool: Tool, entity: Entity) -> bool:
    """Whether a call opens what stands between the home and the street.

    HassTurnOn opens covers and valves and locks locks, HassTurnOff unlocks and disarms (HA core's intent handlers).
    """
    if entity.domain in ("lock", "alarm_control_panel"):
        return tool.plain == "HassTurnOff"
    return tool.plain == "HassTurnOn" or (tool.plain == "HassSetPosition" and call.arguments.get("position") != 0)


def _is_among(entity: Entity, names: Iterable[str]) -> bool:
    """Whether an entity is one of those that a question of ours names, alone or with its area."""
    listed = [fold(name) for name in names]
    own = [fold(name) for name in (*entity.names, *entity.areas)]
    return any(name in own or any(name.startswith(mine) for mine in map(fold, entity.names)) for name in listed)


def _texts(arguments: JsonObject) -> tuple[str, ...]:
    return tuple(value for key, value in arguments.items() if isinstance(value, str) and key not in TARGET_SLOTS)


def _numbers(call: ToolCall) -> set[float]:
    """The numbers that a call carries; whether up or down, they are said without a sign."""
    values = (value for key, value in call.arguments.items() if key not in TARGET_SLOTS)
    return {abs(float(v)) for v in values if isinstance(v, int | float) and not isinstance(v, bool)}


def is_read(call: ToolCall, toolbox: Toolbox) -> bool:
    """Whether a call changes nothing; one of a tool that is not offered any more may have."""
    tool = toolbox.by_name.get(call.name)
    return tool.only_reads if tool is not None else plain_name(call.name) in READS
