"""What a model asks for is checked before anybody executes it: may it, can it, and did the person say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..conversation import JsonObject, ToolCall
from ..home.entity import Entity, fold
from ..home.intents import PLATFORM, READS, SWITCHES, intent_row
from ..home.match import NoTargets, find_targets
from ..home.purpose import Purpose
from ..home.toolbox import Tool, Toolbox, plain_name
from ..language.lexicon import lexicon
from ..language.words import folded_words
from ..meaning.carrying import SETTERS, carrying
from ..meaning.evidence import said_numbers
from ..meaning.guard import Guarded
from ..meaning.openings import opens
from ..meaning.plan import PLACE_SLOTS, TARGET_SLOTS, target_filters
from ..prompt.tools import READ_ONLY
from ..turn.outcome import Reason
from .grounds import DOUBTFUL, Grounds
from .judge import Judged, Step, judge

_OPEN_REASONS = frozenset({Reason.AMBIGUOUS, Reason.UNKNOWN_NAME, Reason.UNKNOWN_AREA, Reason.MISSING_TARGET})
"""Why a sentence came to the model that does not say what it means: a model's choice is a guess."""

_FREE_TEXT = ("item", "message", "search_query", "conversation_command")
"""Arguments that carry the person's own words."""


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


def validate_all(calls: Sequence[ToolCall], grounds: Grounds) -> list[Verdict]:
    """The verdicts on calls that are made together: they may do no more and no less than what was said."""
    verdicts = [validate(call, grounds) for call in calls]
    acting = [v for v in verdicts if v.ruling is not Ruling.REFUSED and not is_read(v.call, grounds.house.toolbox)]
    if not acting or len(acting) < len([v for v in verdicts if not is_read(v.call, grounds.house.toolbox)]):
        return verdicts
    carried = frozenset[float]().union(*(_carried(v.call, grounds) for v in acting))
    doubt = ""
    if grounds.speech is not None and (lost := grounds.numbers - carried):
        doubt = f"nothing carries the number {min(lost):g}"
    elif grounds.speech is not None and (left := grounds.speech.left_out([e for v in acting for e in v.targets])):
        doubt = f"it leaves out {', '.join(e.name for e in left[:3])}"
    opened = {id(e) for v in acting for e in v.targets if opens(plain_name(v.call.name), e, grounds.language)}
    if len(opened) > 1:
        doubt = doubt or "several things that close off the home are not opened at once"
    if not doubt:
        return verdicts
    return [replace(v, ruling=Ruling.ASKED, why=v.why or doubt) if v in acting else v for v in verdicts]


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
    texts = _texts(call.arguments)
    guarded = grounds.guarded(tool, texts)
    if why := grounds.forbids(tool, texts):
        return Verdict(call, Ruling.REFUSED, why)
    doubtful = next((g for g in guarded if g.kind in DOUBTFUL), None)
    doubt = f"{doubtful.word!r} leaves open whether anything is to be done ({doubtful.kind})" if doubtful else ""
    doubt = doubt or _unsaid_text(call, grounds)
    if tool.plain not in PLATFORM and tool.plain not in SWITCHES:
        doubt = doubt or _unclear_tool(call, tool, grounds)
        return Verdict(call, Ruling.ASKED if doubt else Ruling.ACCEPTED, doubt, _named(call, grounds))
    found = find_targets(
        grounds.house.home,
        target_filters(tool, call.arguments),
        domains=PLATFORM.get(tool.plain),
        single=intent_row(tool.plain).single,
    )
    if isinstance(found, NoTargets):
        return Verdict(call, Ruling.REFUSED, f"nothing in the home fits ({found.miss})")
    targets = tuple(e for e in found.entities if tool.plain in PLATFORM or e.domain not in READ_ONLY)
    if why := _wrong(call, tool, targets, guarded, grounds):
        return Verdict(call, Ruling.REFUSED, why, targets)
    judged = _judge(call, tool, targets, guarded, grounds)
    if judged.refused:
        return Verdict(call, Ruling.REFUSED, judged.refused, targets)
    doubt = doubt or judged.doubt or _unexplained(call, targets, grounds)
    doubt = doubt or _unclear(tool, targets, guarded, grounds)
    return Verdict(call, Ruling.ASKED if doubt else Ruling.ACCEPTED, doubt, targets)


def _wrong(call: ToolCall, tool: Tool, targets: Sequence[Entity], guarded: Sequence[Guarded], grounds: Grounds) -> str:
    """What the sentence rules out, whatever a model makes of it."""
    if not targets:
        return "nothing there can be switched"
    if grounds.question.candidates and not all(_is_among(e, grounds.question.candidates) for e in targets):
        return "it is none of the devices that can be meant"
    excluded = grounds.excluded(guarded)
    if any(fold(name) in excluded for e in targets for name in (*e.names, *e.areas)):
        return "it reaches what the sentence leaves out"
    if tool.plain in SETTERS and not _parameters(call):
        return "it sets nothing"
    if grounds.numbers and tool.plain in SWITCHES:
        return "it loses the number that was said"
    return ""


def _judge(
    call: ToolCall, tool: Tool, targets: Sequence[Entity], guarded: Sequence[Guarded], grounds: Grounds
) -> Judged:
    relative = any(g.kind in ("relative", "amount") for g in guarded)
    if grounds.speech is not None:
        step = Step(tool.plain, _parameters(call), targets, grounds.numbers, relative=relative)
        return judge(step, grounds.speech, grounds.language)
    values = _numbers(call)
    if values and grounds.numbers and not relative and not grounds.numbers & values:
        return Judged(refused="the number is not the one that was said")
    if not PLACE_SLOTS & set(call.arguments) and len(targets) > 1:
        return Judged(doubt="it would reach the whole home")
    unsaid = [e.name for e in targets if not grounds.speaks_of(e)]
    if unsaid and not grounds.names_floor(call.arguments.get("floor")):
        return Judged(doubt=f"the sentence does not speak of {', '.join(unsaid[:3])}")
    if any(opens(tool.plain, e, grounds.language) for e in targets) and not values & grounds.numbers:
        return Judged(doubt="nobody here knows whether the sentence asks to open or unlock anything")
    return Judged()


def _unclear(tool: Tool, targets: Sequence[Entity], guarded: Sequence[Guarded], grounds: Grounds) -> str:
    """Why the sentence leaves open whether this action on these targets is meant, or nothing."""
    if grounds.question.reason in _OPEN_REASONS:
        return "the sentence leaves open which device is meant"
    if tool.plain in SWITCHES and any(g.kind == "relative" for g in guarded):
        return "more or less is not on or off"
    asked = next((g for g in guarded if g.kind == "request"), None)
    if asked is not None and any(opens(tool.plain, e, grounds.language) for e in targets):
        return "the sentence may be a question"
    return ""


def _unclear_tool(call: ToolCall, tool: Tool, grounds: Grounds) -> str:
    """Why a tool without targets that we know needs a yes, or nothing.

    What Home Assistant's own tools do is known, a script is what the person made of it, and what the person trusts was
    asked about before.
    """
    if tool.is_contributed and tool.name not in grounds.question.trusted:
        return f"nobody here knows what {tool.plain} does" if tool.purpose is Purpose.UNKNOWN else f"{tool.plain} acts"
    if tool.is_script or tool.is_contributed or grounds.speech is not None:
        if not grounds.speaks_of_tool(tool):
            return f"the sentence does not speak of {tool.plain}"
        if unsaid := _numbers(call) - grounds.numbers:
            return f"nobody said {min(unsaid):g}"
    return ""


def _unsaid_text(call: ToolCall, grounds: Grounds) -> str:
    """Why words that a call carries as the person's are not theirs, or nothing."""
    for key in _FREE_TEXT:
        text = call.arguments.get(key)
        if isinstance(text, str) and grounds.speech is not None and not grounds.holds(text):
            return f"nobody said {text!r}"
    return ""


def _unexplained(call: ToolCall, targets: Sequence[Entity], grounds: Grounds) -> str:
    """Why a word that nothing explains leaves open what is meant, or nothing.

    Explained are the words that the call carries as the person's own. Of lists and modes the lexicon knows no verbs.
    """
    plain = plain_name(call.name)
    if grounds.speech is None or all(carrying(plain, e.domain) is None for e in targets):
        return ""
    explained = {word for text in _texts(call.arguments) for word in folded_words(text)}
    left = next((word for word in grounds.speech.unknown if word not in explained), None)
    return f"nothing explains {left!r}, which may be a time or a condition" if left is not None else ""


def _named(call: ToolCall, grounds: Grounds) -> tuple[Entity, ...]:
    """What a tool that is not ours is told by name."""
    name = call.arguments.get("name")
    return tuple(grounds.house.home.by_name.get(fold(name), ())) if isinstance(name, str) else ()


def _is_among(entity: Entity, names: Iterable[str]) -> bool:
    """Whether an entity is one of those that a question of ours names, alone or with its area."""
    listed = [fold(name) for name in names]
    own = [fold(name) for name in (*entity.names, *entity.areas)]
    return any(name in own or any(name.startswith(mine) for mine in map(fold, entity.names)) for name in listed)


def _parameters(call: ToolCall) -> Mapping[str, object]:
    """What a call does to its targets."""
    return {key: value for key, value in call.arguments.items() if key not in TARGET_SLOTS}


def _texts(arguments: JsonObject) -> tuple[str, ...]:
    return tuple(value for key, value in arguments.items() if isinstance(value, str) and key not in TARGET_SLOTS)


def _numbers(call: ToolCall) -> set[float]:
    """The numbers that a call carries; whether up or down, they are said without a sign."""
    values = _parameters(call).values()
    return {abs(float(v)) for v in values if isinstance(v, int | float) and not isinstance(v, bool)}


def _carried(call: ToolCall, grounds: Grounds) -> frozenset[float]:
    """The numbers in a call, those in its texts too."""
    words = lexicon(grounds.language)
    inside = (said_numbers(text, (), words) for text in (*_texts(call.arguments), str(call.arguments.get("name", ""))))
    return frozenset(_numbers(call)).union(*inside)


def is_read(call: ToolCall, toolbox: Toolbox) -> bool:
    """Whether a call changes nothing; one of a tool that is not offered any more may have."""
    tool = toolbox.by_name.get(call.name)
    return tool.only_reads if tool is not None else plain_name(call.name) in READS
