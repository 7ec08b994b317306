"""The long run: `script/fuzz --count 20000` prints what it sent, what it found, and what it cost."""

from __future__ import annotations

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults import crowd
from tests.fuzz.mutate import Mutator
from tests.fuzz.seeds import seeds
from tests.fuzz.target import GRAMMARS, LANGUAGES, Trap, targets

_STEP = 1000
_PATIENCE = 2.0


def main() -> int:
    """Run so many inputs; the exit status is 1 where any was answered wrongly."""
    if sys.argv[1:2] == ["crowd"]:
        return crowd.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="script/fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--start", type=int, default=0, help="the number of the first input; a number is an input")
    known = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_run(Path(folder), known.start, known.count))


async def _run(folder: Path, start: int, count: int) -> int:
    faults: Counter[str] = Counter()
    for language in LANGUAGES:
        # Loaded on the way, they would be counted to whichever input comes first.
        if (grammar := GRAMMARS.get(language)) is not None:
            grammar.prepare()
    began = time.monotonic()
    async with Trap().running() as trap, targets(folder) as servers:
        mutator = Mutator(seeds(), trap.url)
        for number in range(start, start + count):
            server = servers[number % len(servers)]
            sent = mutator.draw(number)
            visits = trap.visits
            fault = await server.fault(sent, _PATIENCE)
            if fault is None and trap.visits > visits:
                fault = "an address in the request was fetched"
            if fault is not None:
                faults[fault[:60]] += 1
                print(f"{server.name}: {sent.path} {sent.how}: {fault}", flush=True)
            if (number + 1 - start) % _STEP == 0:
                print(f"{number + 1 - start} inputs, {sum(faults.values())} faults, {_memory()} MB", flush=True)
        slowest = max(server.slowest for server in servers)
    print(
        f"{count} inputs from {len(seeds())} requests in {time.monotonic() - began:.0f} s: "
        f"{sum(faults.values())} faults; slowest {slowest:.2f} s of processor time; {_memory()} MB in the end, "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most"
    )
    return 1 if faults else 0


def _memory() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // (1024 * 1024)


if __name__ == "__main__":
    sys.exit(main())
