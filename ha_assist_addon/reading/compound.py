"""Several commands or several targets in one sentence: every part has to parse completely, or nothing is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..answering.query import QUERY_INTENTS
from ..language.conjunctions import Joints, joints
from ..meaning.plan import PLACE_SLOTS, PLATFORM, SWITCHES, Planned
from ..recognition.recognise import Candidate, normalise
from ..turn.outcome import Act, Reason
from .interpret import Interpretation, Interpreter

MAX_PARTS = 5
MAX_BORROWED = 4
"""How many words a part may borrow from the first one ("turn off the"), or from the last one ("lights", "aus")."""

_SETTINGS = frozenset(
    {
        "HassLightSet",
        "HassClimateSetTemperature",
        "HassFanSetSpeed",
        "HassHumidifierSetpoint",
        "HassHumidifierMode",
        "HassSetPosition",
        "HassSetVolume",
        "HassSetVolumeRelative",
        "HassMediaPlayerMute",
        "HassMediaPlayerUnmute",
    }
)
"""What is set on something: without a target of its own it is about the one that the sentence has just named."""


def interpret_compound(text: str, interpreter: Interpreter) -> Interpretation | None:
    """The sentence as several commands, or None where any part is not certain."""
    words = joints(interpreter.grammar.language)
    if words is None:
        return None
    parts = split(text, interpreter, words)
    if not 2 <= len(parts) <= MAX_PARTS:
        return None
    sentence = normalise(text)
    if interpreter.guard(sentence, interpreter.mentions(sentence)) is not None:
        return None
    planned = _own_commands(parts, interpreter) or _shared_verb(parts, interpreter)
    if planned is None or _contradicts(planned):
        return None
    calls = {(p.call.name, repr(sorted(p.call.arguments.items()))): p for p in planned}
    chosen = tuple(calls.values())
    why = f"Each of the {len(parts)} parts is a complete command."
    return Interpretation(
        Act(tuple(p.call for p in chosen), Reason.COMPOUND, why),
        "compound",
        interpreter.grammar.language,
        chosen,
        tuple(p.candidate for p in chosen),
    )


def split(text: str, interpreter: Interpreter, words: Joints) -> tuple[str, ...]:
    """Take a sentence apart at its conjunctions, but not inside a known name."""
    if words.both is not None:
        text = words.both.sub(" ", text).strip()
    names = [(m.start, m.end) for m in interpreter.house.home.names.mentions(text)]
    parts, start = [], 0
    for joint in words.joint.finditer(text):
        if joint.start() < start or any(a < joint.end() - 1 and joint.start() + 1 < b for a, b in names):
            continue
        parts.append(text[start : joint.start()])
        start = joint.end()
    parts.append(text[start:])
    return tuple(stripped for part in parts if (stripped := part.strip(" ,.!;")))


def _own_commands(parts: Sequence[str], interpreter: Interpreter) -> tuple[Planned, ...] | None:
    """Every part is a command with a verb of its own."""
    planned: list[Planned] = []
    for part in parts:
        meant = _on_its_own(part, planned, interpreter)
        if meant is None:
            return None
        planned.append(meant)
    return tuple(planned)


def _on_its_own(part: str, before: Sequence[Planned], interpreter: Interpreter) -> Planned | None:
    """What one part asks for; `turn on the TV and set the volume to 30` means that of the TV."""
    own = certain(part, interpreter)
    generic = (own.candidate,) if own is not None else interpreter.generic(part)
    setting = next((c for c in generic if c.intent in _SETTINGS), None)
    if setting is not None and (setting.from_satellite or not PLACE_SLOTS & setting.said.keys()):
        domains = PLATFORM[setting.intent]
        last = next((p.candidate for p in reversed(before) if any(e.domain in domains for e in p.targets)), None)
        if last is not None:
            return _set_on(setting, last, interpreter)
    return None if own is None or own.candidate.bare else own


def _set_on(setting: Candidate, last: Candidate, interpreter: Interpreter) -> Planned | None:
    """The setting with the place of the command before it, or None where it cannot be set there."""
    candidate = replace(
        setting,
        slots=_placed(setting.slots, last.slots),
        said=_placed(setting.said, last.said),
        from_satellite=last.from_satellite,
    )
    found = interpreter.decide((candidate,))
    return found.planned[0] if found.certain and len(found.planned) == 1 else None


def _placed(slots: Mapping[str, Any], places: Mapping[str, Any]) -> Mapping[str, Any]:
    """The slots with the place of another command instead of their own."""
    kept = {slot: value for slot, value in slots.items() if slot not in PLACE_SLOTS}
    return {**kept, **{slot: value for slot, value in places.items() if slot in PLACE_SLOTS}}


def _shared_verb(parts: Sequence[str], interpreter: Interpreter) -> tuple[Planned, ...] | None:
    """One verb, several targets: parts borrow from the first or the last one, and all say the same of their target."""
    first, last = parts[0].split(), parts[-1].split()
    head = certain(parts[0], interpreter)
    if head is None or head.candidate.bare:
        head = next(borrowing((), parts[0], last, interpreter), None)
    if head is None:
        return None
    planned = [head]
    for number, part in enumerate(parts[1:], start=1):
        suffix = last if number < len(parts) - 1 else ()
        match = next((p for p in borrowing(first, part, suffix, interpreter) if _says_the_same(p, head)), None)
        if match is None:
            match = _on_its_own(part, planned, interpreter)
            if match is None:
                return None
            head = match
        planned.append(match)
    return tuple(planned)


def borrowing(prefix: Sequence[str], part: str, suffix: Sequence[str], interpreter: Interpreter) -> Iterator[Planned]:
    """The part with words borrowed before and behind it, shortest loan first; only certain readings."""
    befores = [" ".join(prefix[:n]) for n in range(1, min(MAX_BORROWED, len(prefix) - 1) + 1)] or [""]
    behinds = ["", *(" ".join(suffix[-n:]) for n in range(1, min(2, len(suffix) - 1) + 1))]
    for before in befores:
        for behind in behinds:
            if before or behind:
                found = certain(f"{before} {part} {behind}".strip(), interpreter)
                if found is not None and not found.candidate.bare:
                    yield found


def certain(text: str, interpreter: Interpreter) -> Planned | None:
    """The one action that a text stands for, or None."""
    found = interpreter.single(text)
    if found is None or not found.certain or len(found.planned) != 1:
        return None
    only = found.planned[0]
    return None if only.candidate.intent in QUERY_INTENTS else only


def _says_the_same(one: Planned, other: Planned) -> bool:
    return one.candidate.intent == other.candidate.intent and one.parameters == other.parameters


def _contradicts(planned: Sequence[Planned]) -> bool:
    """Whether one target is told two things."""
    for i, one in enumerate(planned):
        for other in planned[i + 1 :]:
            shared = set(map(id, one.targets)) & set(map(id, other.targets))
            same_kind = (
                one.candidate.intent == other.candidate.intent
                or {one.candidate.intent, other.candidate.intent} <= SWITCHES
            )
            if (
                shared
                and same_kind
                and (one.candidate.intent != other.candidate.intent or one.parameters != other.parameters)
            ):
                return True
    return False
