"""How often what a task needs is among what retrieval selects, with 300 entities more than the task's home has.

A task needs its tool, or one of several that do the same, and its entities. Where the sentence tells neither their
names nor their place, any entity of their kind will do: which one is meant can then not be known from the sentence.
What is selected is packed into a prompt of 1500 tokens, four characters each, as a small model could take it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from ha_assist_addon.conversation import JsonObject
from ha_assist_addon.home.catalogue import read_home
from ha_assist_addon.home.entity import Area, Entity
from ha_assist_addon.home.toolbox import Toolbox
from ha_assist_addon.language.words import folded_words
from ha_assist_addon.pipeline.context import House, script_entity
from ha_assist_addon.pipeline.history import Turn
from ha_assist_addon.pipeline.retrieve import Selection, retrieve
from ha_assist_addon.retrieval.finder import Finder
from tests.support.shared import ROOT, SHARED

TOKENS, CHARACTERS = 1500, 4
FIXED = 800
"""Characters of a prompt beside what is selected: the task, the sentence, the form of the answer."""
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl")
AIMS = {"en": 0.98, "de": 0.95}

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
    """About what the incoming prompt and a compiled one spend on an entity."""
    place = f"  areas: {', '.join(entity.areas)}\n" if entity.areas else ""
    return f"- names: {', '.join(entity.names)}\n  domain: {entity.domain}\n{place}"


def in_larger_home(task: Task, count: int) -> tuple[House, int]:
    """The task's house with fillers, and the characters of its request."""
    home = read_home(task.system)
    toolbox = Toolbox.read(task.tools)
    more = fillers(task.language, task, count) if home.entities else []
    scripts = tuple(script_entity(tool) for tool in toolbox.tools if tool.is_script)
    areas = dict.fromkeys(Area(entity.areas) for entity in more)
    larger = replace(home, entities=(*more, *home.entities, *scripts), areas=(*home.areas, *areas))
    incoming = len(task.system) + sum(len(yaml_line(entity)) for entity in more) + len(json.dumps(task.tools))
    return House(larger, toolbox, task.language), incoming + len(task.sentence)


@dataclass(frozen=True, slots=True)
class Packed:
    """What of a selection fits a prompt."""

    entities: tuple[Entity, ...]
    tools: tuple[str, ...]
    characters: int


def pack(selection: Selection) -> Packed:
    """Required things, the twelve best entities, the tools, then the other entities, as far as there is room."""
    room = TOKENS * CHARACTERS
    entities: dict[int, Entity] = {}
    tools: list[str] = []
    used = 0
    queue: list[Any] = [*selection.required_entities, *selection.required_tools]
    queue += [*selection.entities[:12], *selection.tools, *selection.entities[12:]]
    for item in queue:
        is_entity = isinstance(item, Entity)
        if id(item) in entities or (not is_entity and item.plain in tools):
            continue
        size = len(yaml_line(item)) if is_entity else len(json.dumps([item.name, item.description, item.schema]))
        if used + size > room:
            continue
        used += size
        if is_entity:
            entities[id(item)] = item
        else:
            tools.append(item.plain)
    return Packed(tuple(entities.values()), tuple(tools), used)


def missing(task: Task, selection: Selection, packed: Packed) -> list[str]:
    """What the task needs and the prompt lacks."""
    lacks = [f"tool {'/'.join(sorted(group))}" for group in task.needed_tools if group.isdisjoint(packed.tools)]
    held = {(e.name.casefold(), e.domain) for e in packed.entities}
    lacks += [f"entity {name}" for name, domain in task.entities if (name.casefold(), domain) not in held]
    domains = {e.domain for e in packed.entities}
    lacks += [f"any {domain}" for domain in task.domains if domain not in domains]
    areas = {area.name.casefold() for area in selection.areas}
    return lacks + [f"area {area}" for area in task.areas if area.casefold() not in areas]


async def quality(tasks: Sequence[Task], count: int, *, verbose: bool) -> dict[str, Any]:
    """Run all tasks of one language, with and without embeddings."""
    meaning, words = Finder(lambda: True, wait=60), Finder(lambda: False)
    found = by_words = 0
    shares, entities, tools, tokens = [], [], [], []
    for task in tasks:
        house, incoming = in_larger_home(task, count)
        turn = Turn(task.sentence, (), (), ())
        selection = await retrieve(turn, house, (), task.language, meaning)
        packed = pack(selection)
        lacks = missing(task, selection, packed)
        found += not lacks
        if lacks and verbose:
            print(f"  {task.identity} | {task.sentence} | {'; '.join(lacks)} | {', '.join(selection.concepts)}")
        compiled = packed.characters + FIXED + len(task.sentence)
        shares.append(compiled / incoming)
        tokens.append(compiled / CHARACTERS)
        entities.append(len(packed.entities))
        tools.append(len(packed.tools))
        without = await retrieve(turn, house, (), task.language, words)
        by_words += not missing(task, without, pack(without))
    await meaning.close()
    return {
        "tasks": len(tasks),
        "found": found,
        "share": round(found / len(tasks), 4),
        "share_by_words": round(by_words / len(tasks), 4),
        "median_entities": statistics.median(entities),
        "median_tools": statistics.median(tools),
        "median_prompt_share": round(statistics.median(shares), 3),
        "most_tokens": round(max(tokens)),
    }


async def speed(task: Task, sentences: Sequence[str], *, embeddings: bool, entities: int = 1000) -> dict[str, Any]:
    """Milliseconds of the first request to a home, of one to another home with the models loaded, and of later ones."""
    finder = Finder(lambda: embeddings)
    house, _ = in_larger_home(task, entities)

    async def once(sentence: str, where: House) -> float:
        began = time.perf_counter()
        await retrieve(Turn(sentence, (), (), ()), where, (), task.language, finder)
        return (time.perf_counter() - began) * 1000

    first = await once(sentences[0], house)
    await finder.settle()
    other, _ = in_larger_home(task, entities)
    renamed = tuple(Entity((f"{e.name} B",), e.domain, e.areas) for e in other.home.entities)
    fresh = House(type(other.home)(renamed, other.home.areas), other.toolbox)
    changed = await once(sentences[0], fresh)
    await finder.settle()
    warm = sorted([await once(sentence, house) for sentence in sentences[1:]])
    await finder.close()
    return {
        "entities": len(house.home.entities),
        "first_ms": round(first, 1),
        "changed_home_ms": round(changed, 1),
        "warm_median_ms": round(statistics.median(warm), 1),
        "warm_p95_ms": round(warm[int(0.95 * len(warm))], 1),
    }


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


async def run(given: argparse.Namespace) -> dict[str, Any]:
    """Measure everything."""
    rows: dict[str, Any] = {}
    english: list[Task] = []
    for language in given.languages.split(","):
        tasks = all_tasks(language, given.ha, given.sample if language not in AIMS else 0)
        english = english or tasks
        if given.verbose:
            print(language)
        rows[language] = await quality(tasks, given.fillers, verbose=given.verbose)
    said = [task.sentence for task in english[:: max(1, len(english) // 41)]][:41]
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load": [round(value, 2) for value in os.getloadavg()],
        "fillers": given.fillers,
        "languages": rows,
        "speed": {
            "with meaning": await speed(english[0], said, embeddings=True),
            "words alone": await speed(english[0], said, embeddings=False),
        },
    }


def table(figures: Mapping[str, Any]) -> str:
    """The figures for a person."""
    lines = [f"{figures['at']}  {figures['machine']}  load {figures['load'][0]}  {figures['fillers']} fillers", ""]
    lines.append(
        f"{'language':<10}{'tasks':>7}{'found':>9}{'aim':>7}{'by words':>10}{'entities':>10}{'tools':>7}"
        f"{'prompt':>9}{'most tokens':>13}"
    )
    for language, row in figures["languages"].items():
        aim = f"{AIMS[language]:.0%}" if language in AIMS else "-"
        lines.append(
            f"{language:<10}{row['tasks']:>7}{row['share']:>9.1%}{aim:>7}{row['share_by_words']:>10.1%}"
            f"{row['median_entities']:>10.0f}{row['median_tools']:>7.0f}{row['median_prompt_share']:>9.1%}"
            f"{row['most_tokens']:>13}"
        )
    lines += ["", f"{'milliseconds':<14}{'entities':>10}{'first':>9}{'other home':>12}{'warm':>8}{'p95':>8}"]
    for name, row in figures["speed"].items():
        lines.append(
            f"{name:<14}{row['entities']:>10}{row['first_ms']:>9.0f}{row['changed_home_ms']:>12.0f}"
            f"{row['warm_median_ms']:>8.1f}{row['warm_p95_ms']:>8.1f}"
        )
    return "\n".join(lines)


def main() -> int:
    """Measure, print, and write the JSON file."""
    parser = argparse.ArgumentParser(prog="script/bench retrieval", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "bench-retrieval.json", help="where the figures go")
    parser.add_argument("--languages", default=",".join(LANGUAGES), help="which to measure")
    parser.add_argument("--ha", choices=("2026.2", "2026.11"), default="2026.11", help="whose wording of the request")
    parser.add_argument("--sample", type=int, default=200, help="sentences of each language that has no aim")
    parser.add_argument("--fillers", type=int, default=300, help="entities added to each home")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the tasks that lack something")
    given = parser.parse_args()
    sys.path.insert(0, str(eval_dir()))
    figures = asyncio.run(run(given))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(table(figures))
    print(f"\nThe figures as JSON: {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
