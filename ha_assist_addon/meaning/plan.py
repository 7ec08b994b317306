"""From an understood sentence to a tool call that the offered schema accepts and that reaches something here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..home.catalogue import Home
from ..home.entity import Entity, fold
from ..home.intents import PLATFORM, SWITCHES, intent_row
from ..home.match import Miss, NoTargets, Targets, as_list, find_targets
from ..home.toolbox import Tool, Toolbox
from ..language.lexicon import Role, lexicon
from ..language.tokens import tokens_of
from ..language.words import fold_word, words_of
from ..recognition.recognise import Candidate
from ..turn.outcome import PlannedCall, Reason

PLACE_SLOTS = frozenset({"name", "area", "floor"})
TARGET_SLOTS = PLACE_SLOTS | {"domain", "device_class"}


@dataclass(frozen=True, slots=True)
class Planned:
    """A call that may be made, and the entities that it reaches as far as the prompt tells."""

    call: PlannedCall
    candidate: Candidate
    targets: tuple[Entity, ...]

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What is done to the targets: the arguments that do not choose them."""
        return {key: value for key, value in self.call.arguments.items() if key not in TARGET_SLOTS}


@dataclass(frozen=True, slots=True)
class NotPlanned:
    """Why a candidate becomes no call: `why` is a sentence for the trace, `candidates` the names that came near."""

    candidate: Candidate
    reason: Reason
    why: str
    candidates: tuple[Entity, ...] = ()
    miss: Miss | None = None


def plan(candidate: Candidate, home: Home, toolbox: Toolbox) -> Planned | NotPlanned:
    """Turn one candidate into a call of an offered tool."""
    if candidate.domain == "script":
        return _plan_script(candidate, home, toolbox)
    plain = intent_row(candidate.intent).tool or candidate.intent
    tool = toolbox.find(plain) or toolbox.find(intent_row(plain).stand_in or plain)
    if tool is None:
        return NotPlanned(candidate, Reason.TOOL_NOT_OFFERED, f"Home Assistant does not offer {plain} here.")
    plain = tool.plain
    slots = dict(candidate.slots)
    if "name" not in slots and (unnamed := _only_one(candidate, plain, home)) is not None:
        if len(unnamed) != 1:
            miss = Miss.DUPLICATE if unnamed else Miss.DOMAIN
            return NotPlanned(candidate, Reason.MISSING_TARGET, f"{len(unnamed)} could be meant.", unnamed, miss)
        slots["name"] = unnamed[0].name
    carried = _arguments(slots, candidate, tool)
    if isinstance(carried, str):
        return NotPlanned(candidate, Reason.NOT_CARRIED, carried)
    problem = tool.problem(carried)
    if problem is not None:
        return NotPlanned(candidate, Reason.NOT_CARRIED, f"The offered schema refuses the call: {problem}.")
    targets: tuple[Entity, ...] = ()
    if plain in PLATFORM or plain in SWITCHES:
        filters = target_filters(tool, slots)
        if "domain" not in filters and candidate.domain:
            filters["domain"] = candidate.domain
        found = find_targets(home, filters, domains=PLATFORM.get(plain), single=intent_row(plain).single)
        if isinstance(found, NoTargets):
            doors = _named_door(candidate, home, filters) if found.miss is Miss.NOTHING_THERE else None
            if doors is None:
                return _unreachable(candidate, found)
            found = doors
        targets = found.entities
        if (
            plain == "HassTurnOff"
            and "name" not in slots
            and len(targets) > 1
            and all(e.domain == "lock" for e in targets)
        ):
            return NotPlanned(
                candidate, Reason.MISSING_TARGET, "Several locks are not opened at once.", targets, Miss.DUPLICATE
            )
        if (only := by_class_word(candidate, targets)) is not None and "name" in tool.properties:
            targets = (only,)
            carried = {
                **{k: v for k, v in carried.items() if k not in ("area", "floor", "device_class")},
                "name": only.name,
            }
        carried = _tell_apart(carried, targets, home, tool)
    return Planned(PlannedCall(tool.name, carried), candidate, targets)


def target_filters(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Those arguments that choose the targets; the area that a vacuum cleans is not where it stands."""
    chosen = TARGET_SLOTS - {"area"} if tool.plain == "HassVacuumCleanArea" else TARGET_SLOTS
    return {key: value for key, value in arguments.items() if key in chosen}


def _plan_script(candidate: Candidate, home: Home, toolbox: Toolbox) -> Planned | NotPlanned:
    """A script is a tool of its own; it is called when no required argument is missing."""
    named = home.by_name.get(fold(str(candidate.slots.get("name", ""))), ())
    scripts = [e for e in named if e.domain == "script"]
    tool = toolbox.by_name.get(str(scripts[0].attributes.get("tool"))) if len(scripts) == 1 else None
    if tool is None or candidate.intent != "HassTurnOn":
        return NotPlanned(candidate, Reason.TOOL_NOT_OFFERED, "No offered script can be meant.")
    if tool.required:
        return NotPlanned(candidate, Reason.NOT_CARRIED, f"The script {tool.plain} needs {', '.join(tool.required)}.")
    return Planned(PlannedCall(tool.name, {}), candidate, tuple(scripts))


def _arguments(slots: Mapping[str, Any], candidate: Candidate, tool: Tool) -> dict[str, Any] | str:
    """Arguments in the offered form, or the sentence that says which slot the tool cannot carry."""
    arguments: dict[str, Any] = {}
    if "name" in slots and "domain" not in slots and candidate.domain and "domain" in tool.properties:
        slots = {**slots, "domain": candidate.domain}
    for slot, value in slots.items():
        if value in (None, "", []):
            continue
        if slot not in tool.properties:
            if slot == "domain" and set(as_list(value)) <= PLATFORM.get(tool.plain, frozenset()):
                continue
            return f"{tool.plain} cannot carry the {slot} of the sentence."
        arguments[slot] = _typed(value, tool.property_types(slot))
    return arguments


def _typed(value: Any, types: frozenset[str]) -> Any:
    """A slot value in the type that the schema wants; hassil's numbers are floats, filters are lists."""
    if "array" in types and not isinstance(value, list):
        return [value] if "string" not in types else value
    if isinstance(value, float) and value.is_integer() and (types & {"integer", "number"} or not types):
        return int(value)
    if types == {"string"} and isinstance(value, int | float):
        return str(value)
    return value


def _tell_apart(arguments: dict[str, Any], targets: tuple[Entity, ...], home: Home, tool: Tool) -> dict[str, Any]:
    """Where the satellite decided between two bearers of a name, say which one: not every version of HA does."""
    if len(targets) != 1 or "name" not in arguments or "area" in arguments or "area" not in tool.properties:
        return arguments
    bearers = home.by_name.get(str(arguments["name"]).strip().casefold(), ())
    same = [e for e in bearers if e.domain == targets[0].domain]
    return {**arguments, "area": targets[0].area} if len(same) > 1 and targets[0].area else arguments


def by_class_word(candidate: Candidate, targets: Sequence[Entity]) -> Entity | None:
    """The one entity whose name holds the class word of the sentence ("garage door").

    The prompt tells no device classes, so a class filter can miss what the person means; a name that says so will do.
    """
    said = candidate.said.get("device_class") or next(iter(as_list(candidate.slots.get("device_class"))), "")
    if not said or "name" in candidate.slots:
        return None
    stems = [fold_word(w.text)[:-1] if len(w.text) > 3 else fold_word(w.text) for w in words_of(said)]
    named = [e for e in targets if any(all(stem in fold_word(name) for stem in stems) for name in e.names)]
    return named[0] if len(named) == 1 and len(targets) == 1 else None


def _named_door(candidate: Candidate, home: Home, filters: Mapping[str, Any]) -> Targets | None:
    """The one garage door or gate of the area that is named, where its name says door: "the garage door"."""
    if "door" not in as_list(filters.get("device_class")) or "area" not in filters:
        return None
    found = find_targets(home, {**filters, "device_class": ["garage", "gate"]})
    if isinstance(found, NoTargets) or by_class_word(candidate, found.entities) is None:
        return None
    return found


def _unreachable(candidate: Candidate, found: NoTargets) -> NotPlanned:
    said = candidate.said.get("name") or candidate.said.get("area") or candidate.said.get("floor") or ""
    reason, why = {
        Miss.NAME: (Reason.UNKNOWN_NAME, f"No exposed entity is called {said!r}."),
        Miss.AREA: (Reason.UNKNOWN_AREA, f"No area is called {said!r}."),
        Miss.FLOOR: (Reason.UNKNOWN_AREA, f"No floor is called {said!r}."),
        Miss.DUPLICATE: (Reason.DUPLICATE_NAME, f"{len(found.candidates)} entities could be meant."),
        Miss.TOO_WIDE: (Reason.MISSING_TARGET, "The sentence does not say which one."),
    }.get(found.miss, (Reason.MISSING_TARGET, "Nothing in the home fits the sentence."))
    return NotPlanned(candidate, reason, why, found.candidates, found.miss)


def _only_one(candidate: Candidate, plain: str, home: Home) -> tuple[Entity, ...] | None:
    """What a command without a name can mean where its tool needs one; None where it needs none."""
    if PLATFORM.get(plain) == frozenset({"todo"}):
        return lists_meant(candidate, home)
    domain = candidate.metadata.get("one_of")
    return home.by_domain.get(str(domain), ()) if domain else None


def lists_meant(candidate: Candidate, home: Home) -> tuple[Entity, ...]:
    """The to-do lists that a sentence without a known list can mean: the only one, or the one whose name it touches."""
    lists = home.by_domain.get("todo", ())
    if len(lists) < 2:
        return tuple(lists)
    item = candidate.said.get("item", "")
    said = words_of(candidate.sentence.casefold().replace(item.casefold(), " ", 1))
    outside = {_stem(w.text) for w in said if not _is_small(w.text, candidate.language)}
    touched = {id(e): max(len(outside & {_stem(w.text) for w in words_of(name)}) for name in e.names) for e in lists}
    most = max(touched.values())
    return tuple(e for e in lists if touched[id(e)] == most)


def _is_small(word: str, language: str) -> bool:
    """Whether a word of the sentence only joins: the "to" of "to the list" is no part of "To-Do List"."""
    words = lexicon(language)
    if words is None:
        return False
    found = words.starting(tokens_of(word), 0)
    return any(m.role in (Role.SMALL, Role.ABSOLUTE, Role.DELTA, Role.JOINT) for _, ms in found for m in ms)


def _stem(word: str) -> str:
    """A word without its plural ending, roughly: enough to find "task list" in "Personal Tasks"."""
    folded = fold_word(word)
    return folded[:-1] if len(folded) > 4 and folded[-1] in "sne" else folded
