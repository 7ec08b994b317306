"""`script/cases FILE`: runs a file of cases against a server and prints each miss with its trace."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.cases.runner import Verdict, bench, load
from tests.support.serving import KEY
from tests.support.shared import SHARED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and return how it went: 0 where every case passed."""
    parser = argparse.ArgumentParser(prog="script/cases", description=__doc__)
    parser.add_argument("file", type=Path, help="cases, one JSON object a line")
    parser.add_argument("--base-url", help="a server that runs already; cases that script its model are left out")
    parser.add_argument("--api-key", default=KEY, help="the key of that server")
    parser.add_argument(
        "--ha", choices=("2026.2", "2026.8", "2026.11"), default="2026.11", help="whose prompt and tools to send"
    )
    parser.add_argument("--only", default="", help="run only the cases whose id holds this text")
    parser.add_argument("--quiet", action="store_true", help="leave the traces out")
    given = parser.parse_args(arguments)
    if SHARED is None:
        print("The rules of judging are not here: put them in ../shared or name their folder in HA_ASSIST_SHARED.")
        return 2
    cases = [case for case in load(given.file) if given.only in case["id"]]
    if given.base_url:
        scripted = [case["id"] for case in cases if case.get("backend") or case.get("settings")]
        cases = [case for case in cases if case["id"] not in scripted]
        if scripted:
            print(f"Left out, since they need a model or settings of their own: {', '.join(scripted)}")

    async def run() -> list[Verdict]:
        with TemporaryDirectory() as folder:
            async with bench(Path(folder), given.base_url, given.api_key) as ready:
                return [await ready.run(case, given.ha) for case in cases]

    verdicts = asyncio.run(run())
    for verdict in verdicts:
        if not verdict.passed:
            print(report(verdict, traced=not given.quiet))
    passed = sum(verdict.passed for verdict in verdicts)
    print(f"{passed} of {len(verdicts)} cases pass (Home Assistant {given.ha}).")
    return 0 if passed == len(verdicts) else 1


def report(verdict: Verdict, *, traced: bool = True) -> str:
    """One miss, for a person."""
    case, given = verdict.case, verdict.given
    said = next((m["content"] for m in reversed(case["messages"]) if m["role"] == "user"), "")
    lines = [
        f"MISS {case['id']} ({case['language']}): {said!r}",
        *(f"     {miss}" for miss in verdict.misses),
        f"     calls {[(name, dict(arguments)) for name, arguments in given.calls]}, says {given.text!r}",
    ]
    if given.unaided is not None:
        lines.append(f"     without a model: calls {list(given.unaided.calls)}, says {given.unaided.text!r}")
    if traced:
        lines.append(f"     {json.dumps(given.metrics, ensure_ascii=False)}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
