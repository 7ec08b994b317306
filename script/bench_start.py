"""How long the first sentence of each language takes after a start, beside plain hassil's own loading.

A row of a language: the first sentence after the very first start, after a later one, after one whose home spoke the
language before, and the second sentence; each in a server of its own that is enabled for all languages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_homes import scene_of
from bench_servers import PlainHassil, ours

SENTENCES = {
    "en": ("turn on the kitchen window lamp", "turn off the hall window lamp"),
    "de": ("schalte die kitchen window lamp ein", "schalte die hall window lamp aus"),
    "fr": ("allume la kitchen window lamp", "éteins la hall window lamp"),
    "es": ("enciende la kitchen window lamp", "apaga la hall window lamp"),
    "it": ("accendi la kitchen window lamp", "spegni la hall window lamp"),
    "nl": ("zet de kitchen window lamp aan", "zet de hall window lamp uit"),
    "pl": ("włącz kitchen window lamp", "wyłącz hall window lamp"),
    "pt": ("liga a kitchen window lamp", "desliga a hall window lamp"),
}
ENTITIES = 60
COLUMNS = ("healthy", "first start", "later start", "spoken before", "second", "plain hassil")
READY_SECONDS = 3.0
"""After which a start has done what it does in the background."""


async def measured(folder: Path, language: str) -> dict[str, float]:
    """Milliseconds for one language."""
    scene = scene_of(ENTITIES)
    first, second = (scene.request([said]) for said in SENTENCES[language])
    found = {}
    data = folder / f"data-{language}"
    for name in ("first start", "later start", "spoken before"):
        async with ours(folder, data=data) as server:
            found["healthy"] = server.healthy_ms
            if name == "spoken before":
                await asyncio.sleep(READY_SECONDS)
            found[name], answer = await server.post(first)
            if not json.loads(answer)["choices"][0]["message"].get("tool_calls"):
                print(f"{language}: the first sentence called nothing", file=sys.stderr)
            found["second"], _ = await server.post(second)
            await asyncio.sleep(READY_SECONDS)  # what is kept for the next start is written
        for database in data.glob("*.db*"):
            if name == "first start":
                database.unlink()  # the second start knows no earlier requests
    start = time.perf_counter()
    await PlainHassil(language).post(first)
    return {**found, "plain hassil": (time.perf_counter() - start) * 1000}


async def run(languages: Sequence[str], times: int) -> dict[str, dict[str, float]]:
    """The medians of all languages, which take turns."""
    found: dict[str, list[dict[str, float]]] = {language: [] for language in languages}
    for _ in range(times):
        for language in languages:
            with TemporaryDirectory() as folder:
                found[language].append(await measured(Path(folder), language))
    return {
        language: {name: round(statistics.median(row[name] for row in rows), 1) for name in COLUMNS}
        for language, rows in found.items()
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="script/bench start", description=__doc__)
    parser.add_argument("languages", nargs="*", default=list(SENTENCES), help="all eight unless told")
    parser.add_argument("--times", type=int, default=3, help="how often; the medians are told")
    known = parser.parse_args()
    rows = asyncio.run(run(known.languages, known.times))
    print(f"{'ms':<4}" + "".join(f"{name:>15}" for name in COLUMNS))
    for language, row in rows.items():
        print(f"{language:<4}" + "".join(f"{row[name]:>15.0f}" for name in COLUMNS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
