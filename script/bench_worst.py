"""The dearest sentences: random ones up to the longest that are read, in strange homes, by processor time.

`script/bench worst [LANGUAGE ...] [--count 195] [--entities 1000] [--seed 1]` tells the dearest of each kind; one that
takes longer than the aim makes the command fail.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench_start import SENTENCES

from ha_assist_addon.backends.registry import BackendRegistry
from ha_assist_addon.diagnostics.store import TraceStore
from ha_assist_addon.language.data import look_up
from ha_assist_addon.language.grammar import MAX_CHARACTERS, GrammarLibrary
from ha_assist_addon.pipeline.run import run
from ha_assist_addon.services import Services
from ha_assist_addon.settings.store import SettingsStore
from ha_assist_addon.trace.trace import Trace
from ha_assist_addon.wire.chat import parse_chat
from ha_assist_addon.wire.json_body import parse_json_object
from tests.support.house import House, Thing, body

AIM_MS = 250.0
MARKS = (",", ".", ";", "!", "-", "'", "’", "%", "°", "1", "1,5", "20")
HOMES_SENTENCES = 65
EARLIER = 0.1
"""The share of sentences that are said twice in a conversation."""
DOMAINS = ("light", "switch", "cover", "fan", "climate", "media_player", "sensor", "lock", "vacuum", "todo", "scene")


@dataclass(slots=True)
class Speech:
    """What a language's sentences are made of."""

    phrases: list[str]
    names: list[str]
    areas: list[str]
    verbs: list[str]


def phrases_of(language: str) -> list[str]:
    """All phrases of a lexicon, whatever they mean."""
    found: dict[str, None] = {}

    def walk(value: object) -> None:
        if isinstance(value, str):
            for piece in value.replace("/", ",").split(","):
                found[piece.strip().rstrip("+*")] = None
        elif isinstance(value, dict):
            for key, each in value.items():
                walk(key if isinstance(key, str) else "")
                walk(each)
        elif isinstance(value, list | tuple):
            for each in value:
                walk(each)

    walk(look_up("lexicon", language))
    found.pop("", None)
    return list(found)


def strange_home(dice: random.Random, words: Sequence[str], count: int) -> House:
    """Things whose names share a few words, some the words of commands, and rooms that are called like things."""
    few = [dice.choice(words) for _ in range(8)]
    areas = [" ".join(dice.sample(few, dice.randint(1, 2))).title() for _ in range(20)]
    names: dict[str, None] = {}
    while len(names) < count:
        name = " ".join(dice.choice(few) for _ in range(dice.randint(1, 5)))
        names[f"{name} {dice.randint(1, 40)}" if name in names or dice.random() < 0.5 else name] = None
    return House(tuple(Thing((name,), dice.choice(DOMAINS), (dice.choice(areas),)) for name in names))


def sentences(dice: random.Random, speech: Speech) -> Iterator[tuple[str, str]]:
    """Kinds of sentences without end, each with its name."""
    unknown = ["".join(dice.choices("abcdefghijklmnop", k=dice.randint(3, 9))) for _ in range(200)]
    phrases, names, areas = speech.phrases, speech.names, speech.areas

    def filled(*lists: Sequence[str], most: int = MAX_CHARACTERS) -> str:
        text = dice.choice(dice.choice(lists))
        while len(longer := f"{text} {dice.choice(dice.choice(lists))}") <= most:
            text = longer
        return text[:most]

    while True:
        short = dice.randint(30, 120)
        few = [*dice.choices(phrases, k=3), dice.choice(names), dice.choice(areas)]
        yield "phrases", filled(phrases)
        yield "phrases, short", filled(phrases, most=short)
        yield "names", filled(names)
        yield "names and phrases", filled(names, areas, phrases)
        yield "names and phrases, short", filled(names, areas, phrases, phrases, most=short)
        yield "few words again and again", filled(few)
        yield "one phrase again and again", filled(few[:1])
        yield "unknown", filled(unknown)
        yield "unknown and phrases", filled(unknown, phrases, names)
        yield "a command and more", f"{dice.choice(speech.verbs)} {filled(names, phrases, unknown, most=short)}"
        yield "commands, joined", ", ".join(f"{dice.choice(speech.verbs)} {dice.choice(names)}" for _ in range(8))
        yield "one long word", "".join(dice.choices(unknown, k=200))[:MAX_CHARACTERS]
        yield "marks", filled(MARKS)


async def measured(language: str, entities: int, count: int, seed: int) -> dict[str, tuple[float, str]]:
    """The dearest sentence of each kind, with its processor time in milliseconds."""
    dice = random.Random(f"{seed}{language}")  # noqa: S311 - the same at every run
    words = phrases_of(language)
    worst: dict[str, tuple[float, str]] = {}
    with TemporaryDirectory() as folder:
        environ = {"HA_ASSIST_SETTINGS__HA_ASSIST_LANGUAGES": language}
        store = SettingsStore(Path(folder), environ=environ)
        services = Services(store, GrammarLibrary(), BackendRegistry(store), TraceStore())
        grammar = services.grammars.get(language)
        if grammar is None:
            raise SystemExit(f"There is no grammar of {language}.")
        for template in grammar.index.templates:
            template.prepare()
        for number in range(max(1, count // HOMES_SENTENCES)):
            house = strange_home(dice, words if number % 2 else list(grammar.words.values()), entities)
            whole = body(house, "")
            speech = Speech(
                words,
                [thing.name.lower() for thing in house.things],
                [thing.areas[0].lower() for thing in house.things],
                [re.split(" kitchen| hall", said)[0] for said in SENTENCES[language]],
            )
            await _milliseconds(services, whole, [SENTENCES[language][0]])  # the home is read once
            for kind, text in islice(sentences(dice, speech), HOMES_SENTENCES):
                earlier = [text] if dice.random() < EARLIER else []
                spent = await _milliseconds(services, whole, [*earlier, text])
                if spent > worst.get(kind, (0.0, ""))[0]:
                    worst[kind] = (round(spent, 1), text)
    return worst


async def _milliseconds(services: Services, whole: Mapping[str, Any], said: Sequence[str]) -> float:
    """The processor time of the last sentence, which those before it are read for again."""
    messages = [whole["messages"][0]]
    for text in said:
        messages += [{"role": "user", "content": text}, {"role": "assistant", "content": "?"}]
    raw = json.dumps({**whole, "messages": messages[:-1]}).encode()
    request = parse_chat(parse_json_object(raw)).chat
    start = time.thread_time()
    async for _ in run(request, services, Trace("HA-Assist")):
        pass
    return (time.thread_time() - start) * 1000


def main() -> int:
    """Measure and print; fails where the aim is missed."""
    parser = argparse.ArgumentParser(prog="script/bench worst", description=__doc__)
    parser.add_argument("languages", nargs="*", default=list(SENTENCES))
    parser.add_argument("--count", type=int, default=195, help="sentences a language; a home is for 65 of them")
    parser.add_argument("--entities", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    known = parser.parse_args()
    missed = False
    for language in known.languages:
        for kind, (spent, text) in asyncio.run(measured(language, known.entities, known.count, known.seed)).items():
            missed |= spent > AIM_MS
            print(f"{language} {spent:>8.1f} ms  {kind:<28}{text[:100] if spent > AIM_MS else ''}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
