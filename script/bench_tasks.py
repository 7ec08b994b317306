"""Tasks whose needed entities and tools are known, from the data sets and the official sentences, in larger homes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from ha_assist_addon.conversation import ChatRequest, JsonObject, Message, Role
from ha_assist_addon.home.catalogue import read_home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.request_home import RequestHome, script_entity
from ha_assist_addon.home.toolbox import Toolbox
from ha_assist_addon.language.words import folded_words
from tests.support.shared import SHARED

ROOMS = {
    "en": "Wine Cellar,Sauna,Conservatory,Workshop,Boathouse,Music Room,Darkroom,Gym,Chapel,Observatory,Greenhouse,"
    "Loft,Mezzanine,Annexe,Stable,Pool House,Server Room,Cloakroom,Games Room,Summer House,Atelier,Vault,Larder,"
    "Parlour,Barn",
    "de": "Weinkeller,Sauna,Wintergarten,Werkstatt,Bootshaus,Musikzimmer,Dunkelkammer,Fitnessraum,Kapelle,Sternwarte,"
    "Gewächshaus,Loft,Galerie,Anbau,Stall,Poolhaus,Serverraum,Garderobe,Spielzimmer,Sommerhaus,Atelier,Tresorraum,"
    "Speisekammer,Salon,Scheune",
}
DEVICES = {
    "en": "Ceiling Light=light,Floor Lamp=light,Wall Switch=switch,Blind=cover,Thermostat=climate,Speaker=media_player,"
    "Motion=binary_sensor,Temperature=sensor,Window Contact=binary_sensor,Fan=fan,Power Meter=sensor,Door Lock=lock",
    "de": "Deckenlicht=light,Stehlampe=light,Wandschalter=switch,Rollo=cover,Thermostat=climate,"
    "Lautsprecher=media_player,Bewegung=binary_sensor,Temperatur=sensor,Fensterkontakt=binary_sensor,Ventilator=fan,"
    "Stromzähler=sensor,Türschloss=lock",
}


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence in a home, and what a prompt for it must hold: one tool of each group, entities, and areas."""

    identity: str
    language: str
    sentence: str
    system: str
    tools: tuple[JsonObject, ...]
    needed_tools: tuple[frozenset[str], ...]
    entities: tuple[tuple[str, str], ...] = ()
    domains: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()


# What a change of a state asks for


def tools_for(domain: str, change: Mapping[str, Any]) -> frozenset[str]:
    """The tools any of which brings a change about."""
    state, attributes = str(change.get("state") or ""), change.get("attributes") or {}
    switching = {"HassTurnOn", "HassTurnOff"}
    on = {"on", "open", "locked", "opening", "playing", "heat", "cool", "auto", "home"}
    plain = {"HassTurnOn"} if state in on else {"HassTurnOff"} if state else switching
    found = plain
    match domain:
        case "light" if not state or _COLOURS & set(attributes) or set(attributes) == {"brightness"}:
            found = {"HassLightSet", *(plain if state and not attributes.get("brightness") else ())}
        case "cover" | "valve" if 0 < float(attributes.get("current_position") or 0) < 100:
            found = {"HassSetPosition"}
        case "climate":
            found = {"HassClimateSetTemperature", *(plain if state else ())}
        case "fan" if "percentage" in attributes:
            found = {"HassFanSetSpeed", *plain}
        case "vacuum":
            found = {"HassVacuumReturnToBase"} if state == "returning" else {"HassVacuumStart", "HassVacuumCleanArea"}
        case "lawn_mower":
            found = {"HassLawnMowerStartMowing" if state == "mowing" else "HassLawnMowerDock"}
        case "todo":
            found = {"HassListAddItem", "HassListCompleteItem", "HassListRemoveItem"}
        case "media_player":
            found = media_tools(state, attributes)
        case "humidifier" if attributes:
            found = {"HassHumidifierSetpoint", "HassHumidifierMode"}
    return frozenset(found)


_COLOURS = {"rgb_color", "color_temp", "color_temp_kelvin", "hs_color"}


def media_tools(state: str, attributes: Mapping[str, Any]) -> set[str]:
    """Those of a media player."""
    if "media_track" in attributes:
        return {"HassMediaNext", "HassMediaPrevious"}
    if "volume_level" in attributes or "is_volume_muted" in attributes:
        return {"HassSetVolume", "HassSetVolumeRelative", "HassMediaPlayerMute", "HassMediaPlayerUnmute"}
    by_state = {"paused": "HassMediaPause", "playing": "HassMediaUnpause", "off": "HassTurnOff"}
    return {by_state.get(state, "HassTurnOn")}


QUESTION_TOOL = {"todo": "todo_get_items", "calendar": "calendar_get_events"}


def dataset_tasks(name: str, version: str) -> Iterator[Task]:
    """Tasks of a data set whose expected effect or answer is known."""
    wording = shared("dialect").get(version)
    for task in shared("run_datasets").load(name)["tasks"]:
        changes = task.get("expect_changes") or {}
        if not (changes or task.get("expect_response")):
            continue
        home = shared("sim_engine").SimHome(task)
        system, offered = wording.request(task["system"], task["tools"], home)
        by_id = {e["entity_id"]: e for e in home.entities}
        changed = [by_id[i] for i in changes if by_id[i].get("exposed", True)]
        said = set(folded_words(task["utterance"]))
        strict = [e for e in changed if said & set(folded_words(f"{e['name']} {e['area'] or ''}"))]
        if changes:
            groups = tuple(tools_for(e["domain"], changes[e["entity_id"]]) for e in changed)
            kinds = tuple(e["domain"] for e in changed)
        else:
            category = task["category"]
            kinds = tuple(c for c in (category if isinstance(category, list) else [category]) if c != "question")
            kinds = tuple(k for k in kinds if k in {e["domain"] for e in home.entities} - {"calendar"})
            groups = (frozenset({next((QUESTION_TOOL[c] for c in category if c in QUESTION_TOOL), "GetLiveContext")}),)
        yield Task(
            task["id"],
            "en",
            task["utterance"],
            system,
            tuple(tool["function"] for tool in offered),
            groups,
            tuple((e["name"], e["domain"]) for e in strict),
            kinds,
        )


# The official sentences of a language

_READ = {"HassGetCurrentTime": "GetDateTime", "HassGetCurrentDate": "GetDateTime"}


def official_tasks(language: str, version: str, most: int) -> Iterator[Task]:
    """The official sentences of a language that need a tool."""
    official, engine, wording = shared("run_intents"), shared("sim_engine"), shared("dialect").get(version)
    loaded = json.loads((eval_dir() / "intents" / f"{language}.json").read_text(encoding="utf-8"))
    tests = [t for t in loaded["tests"] if t["kind"] in ("action", "query") and t["intent"] not in wording.missing]
    if 0 < most < len(tests):
        tests = random.Random(1).sample(tests, most)  # noqa: S311 - the same ones at every run
    for test in tests:
        given = {"inventory": loaded["homes"][test["home"]], "tools": []}
        home = engine.SimHome(given)
        plain = official.ALIAS.get(test["intent"], test["intent"])
        offered = engine.build_tools(home, test["timers"], official.TABLE["tools"], {plain})
        offered += [script_tool(e) for e in home.entities if e["domain"] == "script"]
        home.tools = {tool["function"]["name"]: tool["function"] for tool in offered}
        system, offered = wording.request(
            engine.build_prompt(home, test["timers"], official.TABLE["dynamic_context_prompt"]), offered, home
        )
        yield Task(
            test["id"],
            language,
            test["sentence"],
            system,
            tuple(tool["function"] for tool in offered),
            *needs(test, plain, home, official),
        )


def script_tool(entity: Mapping[str, Any]) -> dict[str, Any]:
    """A script as Home Assistant offers it."""
    name = entity["entity_id"].split(".")[1]
    parameters = {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": name, "description": entity["name"], "parameters": parameters}}


def needs(
    test: Mapping[str, Any], plain: str, home: Any, official: Any
) -> tuple[tuple[frozenset[str], ...], tuple[tuple[str, str], ...], tuple[str, ...], tuple[str, ...]]:
    """Tools, entities, domains and areas of the expected call, or of the question's answer."""
    slots = test["slots"]
    areas = tuple(a["name"] for a in home.areas if slots.get("area") in (a["name"], *(a.get("aliases") or ())))
    if test["kind"] == "query" and plain != "HassTimerStatus":
        tool = _READ.get(plain, "GetLiveContext")
        named = [e for e in home.entities if "name" in slots and e["name"].casefold() == str(slots["name"]).casefold()]
        return (frozenset({tool}),), tuple((e["name"], e["domain"]) for e in named), (), areas
    if test["combo"] == "name_script":
        name = official.slug_of(slots.get("name", ""))
        return (frozenset({name, "HassTurnOn"}),), (), (), ()
    effect = official.expected(home, test)
    targets = [e for e in home.entities if effect and e["entity_id"] in effect[1] and e.get("exposed", True)]
    tools = frozenset({plain, *(("search_media",) if plain == "HassMediaSearchAndPlay" else ())})
    placed = {"name", "area", "floor"} & set(slots)
    if placed == {"floor"} or not placed:  # the prompt tells no floors
        return (tools,), (), tuple({e["domain"] for e in targets}), ()
    return (tools,), tuple((e["name"], e["domain"]) for e in targets), (), areas


# A task in a larger home


def fillers(language: str, task: Task, count: int) -> list[Entity]:
    """Entities of other rooms, none of which the task's home or sentence knows."""
    key = language if language in ROOMS else "en"
    known = set(folded_words(task.system.split("Static Context:")[-1])) | set(folded_words(task.sentence))
    rooms = [room for room in ROOMS[key].split(",") if known.isdisjoint(folded_words(room))]
    kinds = [device.split("=") for device in DEVICES[key].split(",")]
    numbered = [room if n == 0 else f"{room} {n + 1}" for n in range(1 + count // 200) for room in rooms]
    made = [Entity((f"{room} {device}",), domain, (room,)) for room, (device, domain) in product(numbered, kinds)]
    return made[:count]


def yaml_line(entity: Entity) -> str:
    """An entity as Home Assistant lists it."""
    return f"- names: {entity.name}\n  domain: {entity.domain}\n  areas: {entity.area}\n"


def in_larger_home(task: Task, count: int) -> tuple[RequestHome, ChatRequest]:
    """The task's house with fillers, and its request."""
    home = read_home(task.system)
    toolbox = Toolbox.read(task.tools)
    more = fillers(task.language, task, count) if home.entities else []
    scripts = tuple(script_entity(tool) for tool in toolbox.tools if tool.is_script)
    areas = dict.fromkeys(Area(entity.areas) for entity in more)
    larger = replace(home, entities=(*more, *home.entities, *scripts), areas=(*home.areas, *areas))
    system = task.system.replace("\n- names:", "\n" + "".join(map(yaml_line, more)) + "- names:", 1)
    messages = (Message(Role.SYSTEM, system), Message(Role.USER, task.sentence))
    return RequestHome(larger, toolbox, task.language), ChatRequest("HA-Assist", messages, task.tools)


def eval_dir() -> Path:
    """Where the data sets are."""
    if SHARED is None or not (SHARED / "eval" / "run_datasets.py").is_file():
        raise SystemExit("There are no data sets; HA_ASSIST_SHARED can name their folder.")
    return SHARED / "eval"


def shared(name: str) -> Any:
    """A module that stands beside the data sets."""
    return import_module(name)


def all_tasks(language: str, version: str, most: int) -> list[Task]:
    """All development tasks of a language."""
    tasks = list(official_tasks(language, version, most))
    if language == "en":
        for name in ("assist-mini", "assist", "questions", "intents"):
            tasks += dataset_tasks(name, version)
    return tasks
