"""How often a compiled prompt holds what a task needs, with 300 entities more than the task's home has.

A task needs its tool, or one of several that do the same, and its entities. Where the sentence tells neither their
names nor their place, any entity of their kind will do: which one is meant can then not be known from the sentence.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench_tasks import Task, all_tasks, eval_dir, in_larger_home

from ha_assist_addon.backends.base import ToolForm, estimated_tokens
from ha_assist_addon.conversation import ChatRequest
from ha_assist_addon.errors import ContextLengthExceeded
from ha_assist_addon.generation.compile import compile_house
from ha_assist_addon.generation.question import Question
from ha_assist_addon.generation.retrieve import retrieve
from ha_assist_addon.home.entity import Entity
from ha_assist_addon.home.request_home import RequestHome
from ha_assist_addon.prompt.budget import prompt_text
from ha_assist_addon.prompt.fragments import read_instructions
from ha_assist_addon.retrieval.finder import Finder
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.turn.history import Turn, read_turn
from ha_assist_addon.turn.outcome import Reason
from tests.support.fake_backend import FakeBackend
from tests.support.shared import ROOT

CONTEXT = 2048
"""Tokens of prompt and answer together, three bytes each; the compiler keeps 256 of them for the answer."""
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl")
AIMS = {"en": 0.98, "de": 0.95}


class Tally:
    """What came of the tasks of one language."""

    def __init__(self) -> None:
        self.found = 0
        self.shares: list[float] = []
        self.tokens: list[int] = []
        self.entities: list[int] = []
        self.tools: list[int] = []

    async def add(
        self, task: Task, house: RequestHome, request: ChatRequest, finder: Finder, form: ToolForm
    ) -> list[str]:
        """Compile one task's prompt; returns what it lacks."""
        turn = read_turn(request.messages)
        selection = await retrieve(turn, house, (), task.language, finder)
        question = Question(request, turn, task.language, Reason.NOT_RECOGNISED, house)
        told = read_instructions(request.system_text, house.toolbox.tools)
        backend = FakeBackend(form=form, context_tokens=CONTEXT)
        try:
            compiled = await compile_house(question, house, selection, told, backend, Trace("HA-Assist"))
        except ContextLengthExceeded:
            return ["room"]
        entities = tuple(compiled.handles.entities.values())
        areas = {name.casefold() for area in compiled.handles.areas.values() for name in area.names}
        lacks = missing(task, entities, [tool.plain for tool in compiled.tools], areas)
        tokens = estimated_tokens(prompt_text(compiled.request))
        self.found += not lacks
        self.shares.append(tokens / estimated_tokens(prompt_text(request)))
        self.tokens.append(tokens)
        self.entities.append(len(entities))
        self.tools.append(len(compiled.tools))
        return lacks


def missing(task: Task, entities: Sequence[Entity], tools: Sequence[str], areas: set[str]) -> list[str]:
    """What the task needs and the prompt lacks."""
    lacks = [f"tool {'/'.join(sorted(group))}" for group in task.needed_tools if group.isdisjoint(tools)]
    held = {(e.name.casefold(), e.domain) for e in entities}
    lacks += [f"entity {name}" for name, domain in task.entities if (name.casefold(), domain) not in held]
    domains = {e.domain for e in entities}
    lacks += [f"any {domain}" for domain in task.domains if domain not in domains]
    return lacks + [f"area {area}" for area in task.areas if area.casefold() not in areas]


async def quality(tasks: Sequence[Task], count: int, form: ToolForm, *, verbose: bool) -> dict[str, Any]:
    """Run all tasks of one language, with and without embeddings."""
    meaning, words = Finder(lambda: True, wait=60), Finder(lambda: False)
    full, by_words = Tally(), Tally()
    for task in tasks:
        house, request = in_larger_home(task, count)
        lacks = await full.add(task, house, request, meaning, form)
        await by_words.add(task, house, request, words, form)
        if lacks and verbose:
            print(f"  {task.identity} | {task.sentence} | {'; '.join(lacks)}", flush=True)
    await meaning.close()
    return {
        "tasks": len(tasks),
        "found": full.found,
        "share": round(full.found / len(tasks), 4),
        "share_by_words": round(by_words.found / len(tasks), 4),
        "median_entities": statistics.median(full.entities),
        "median_tools": statistics.median(full.tools),
        "median_prompt_share": round(statistics.median(full.shares), 3),
        "most_tokens": max(full.tokens),
        "too_long": len(tasks) - len(full.tokens),
    }


async def speed(task: Task, sentences: Sequence[str], *, embeddings: bool, entities: int = 1000) -> dict[str, Any]:
    """Milliseconds of the first request to a home, of one to another home with the models loaded, and of later ones."""
    finder = Finder(lambda: embeddings)
    house, _ = in_larger_home(task, entities)

    async def once(sentence: str, where: RequestHome) -> float:
        began = time.perf_counter()
        await retrieve(Turn(sentence, (), (), ()), where, (), task.language, finder)
        return (time.perf_counter() - began) * 1000

    first = await once(sentences[0], house)
    await finder.settle()
    other, _ = in_larger_home(task, entities)
    renamed = tuple(Entity((f"{e.name} B",), e.domain, e.areas) for e in other.home.entities)
    fresh = replace(other, home=replace(other.home, entities=renamed))
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


async def run(given: argparse.Namespace) -> dict[str, Any]:
    """Measure everything."""
    rows: dict[str, Any] = {}
    english: list[Task] = []
    for language in given.languages.split(","):
        tasks = all_tasks(language, given.ha, 0 if language in AIMS else given.sample)
        english = english or tasks
        if given.verbose:
            print(language)
        rows[language] = await quality(tasks, given.fillers, ToolForm(given.form), verbose=given.verbose)
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
    parser.add_argument("--form", choices=("native", "json", "text"), default="json", help="how tools are told")
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
