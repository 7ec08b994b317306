"""Whole HTTP round trips of HA-Assist and what it costs to run, beside plain hassil and an exact matcher.

The servers run as processes of their own on 127.0.0.1, hassil in this one; their requests alternate, so that a busy
machine is busy for all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import sys
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench_process import growth, loop_blocked, memory, starts, with_model
from bench_report import table
from bench_rows import QUICK, Sizes, at_once, round_trips
from bench_servers import Contestant, PlainHassil, Server, baseline, ours, theirs

from tests.support.shared import ROOT

AT_ONCE_ENTITIES = MODEL_ENTITIES = 1000


async def run(sizes: Sizes, language: str) -> dict[str, Any]:
    """Measure everything."""
    load = os.getloadavg()[0]
    figures: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "language": language,
        "left_out": None
        if baseline()
        else "the exact matcher, which is not here; HA_ASSIST_SHARED can name its folder",
    }
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        settings = f"settings:\n  ha_assist_languages: [{language}]\n  ha_assist_verify_delay: 0\n"
        ours_server = await stack.enter_async_context(ours(folder, settings))
        servers: list[Server] = [ours_server]
        if baseline():
            servers.append(await stack.enter_async_context(theirs(folder, language)))
        contestants: list[Contestant] = [*servers, PlainHassil(language)]
        figures["homes"] = []
        for entities in sizes.entities:
            told(f"round trips with {entities} entities")
            figures["homes"].append(await round_trips(servers, contestants, entities, sizes))
        told("clients at once")
        figures["at_once"] = await at_once(servers, AT_ONCE_ENTITIES, sizes)
        told("mixed requests")
        figures["growth"] = await growth(ours_server, sizes.mixed)
    with TemporaryDirectory() as name:
        told("start and memory")
        figures["healthy"] = await starts(Path(name), language, sizes.starts)
        figures["memory"] = await memory(Path(name))
        told("before a model is asked")
        figures["with_model"] = await with_model(Path(name), MODEL_ENTITIES, sizes)
    told("the event loop")
    figures["loop"] = [await loop_blocked(entities, sizes.cold) for entities in sizes.loop_entities]
    figures["load"] = [round(value, 1) for value in (load, os.getloadavg()[0])]
    return figures


def told(what: str) -> None:
    """Say on standard error what is measured, since all of it takes minutes."""
    print(f"Measuring {what} ...", file=sys.stderr, flush=True)


def main() -> int:
    """Measure, print, and write the JSON file."""
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "bench.json", help="where the figures go")
    parser.add_argument("--language", default="en", help="the language that is enabled")
    parser.add_argument("--quick", action="store_true", help="fewer requests and homes, in less than a minute")
    given = parser.parse_args()
    figures = asyncio.run(run(QUICK if given.quick else Sizes(), given.language))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(table(figures))
    print(f"\nThe figures as JSON: {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
