"""How soon after a lamp's report the answer comes: a simulated home with lamps that report late, never or wrongly.

`script/bench home` plays Home Assistant over HTTP and, for half of the figures, over its WebSocket.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import statistics
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
from bench_home_chaos import chaos, flood

from ha_assist_addon.api.app import create_api
from ha_assist_addon.app import build_services, listening
from ha_assist_addon.settings.bootstrap import Bootstrap
from tests.supervisor.fake_home_assistant import TOKEN, FakeHomeAssistant
from tests.support.shared import ROOT
from tests.support.simulated_home import Lamp, SimulatedHome, Spoken, falsely_confirmed, falsely_doubted

KEY = "a-key-for-the-bench"
LAGS: Mapping[str, float | None] = {
    "at once": 0.0,
    "20 ms": 0.02,
    "100 ms": 0.1,
    "300 ms": 0.3,
    "1000 ms": 1.0,
    "never": None,
    "wrongly": 0.05,
}


def lamps() -> list[Lamp]:
    """One of each kind."""
    return [Lamp(f"{name.title()} Lamp", lag, wrong=name == "wrongly") for name, lag in LAGS.items()]


@asynccontextmanager
async def home(folder: Path, *, with_events: bool, delay: float, attempts: int) -> AsyncIterator[SimulatedHome]:
    """A server with these settings, and the home that talks to it."""
    (folder / "settings.yaml").write_text(
        "settings:\n  ha_assist_languages: [en]\n"
        f"  ha_assist_verify_delay: {delay}\n  ha_assist_verify_attempts: {attempts}\n"
    )
    async with FakeHomeAssistant().running() as fake:
        told = lamps()
        fake.exposed = {lamp.entity_id for lamp in told}
        fake.live = {
            lamp.entity_id: {"s": lamp.state, "a": {"friendly_name": lamp.name}, "c": "", "lc": 1.0} for lamp in told
        }
        where = {"home_assistant_url": fake.url, "home_assistant_token": TOKEN} if with_events else {}
        services = build_services(Bootstrap.load(data_dir=folder, **where))
        async with (
            listening(create_api(services, KEY), "127.0.0.1", 0, drain=1) as port,
            aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http,
        ):
            if services.states is not None and services.evidence.events is not None:
                services.states.start()
                while not services.evidence.events.connected:  # noqa: ASYNC110 - nothing else waits for it
                    await asyncio.sleep(0.01)

            async def ask(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
                async with http.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=body) as response:
                    answer = await response.json()
                return answer["choices"][0]["message"], answer["metrics"]

            async def report(entity_id: str, state: str, at: float) -> None:
                await fake.report(entity_id, state, at)

            yield SimulatedHome(told, ask, report)
            if services.states is not None:
                await services.states.close()
        await services.backends.close()


async def measure(*, with_events: bool, tries: int, delay: float, attempts: int) -> dict[str, Any]:
    """Each lamp is switched on and off in turn."""
    rows: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        async with home(Path(folder), with_events=with_events, delay=delay, attempts=attempts) as simulated:
            for _ in range(2):
                await simulated.say("turn on the at once lamp")
            for (kind, lag), lamp in zip(LAGS.items(), simulated.lamps.values(), strict=True):
                turns: list[tuple[Spoken, bool, bool]] = []
                for number in range(tries):
                    spoken = await simulated.say(f"turn {'off' if number % 2 else 'on'} the {lamp.name}")
                    turns.append((spoken, falsely_confirmed(spoken, lamp), falsely_doubted(spoken, lamp)))
                    await simulated.settle()
                rows[kind] = _row(lag, turns)
                print(f"  {kind}", file=sys.stderr, flush=True)
    return rows


def _row(lag: float | None, turns: list[tuple[Spoken, bool, bool]]) -> dict[str, Any]:
    seconds = sorted(spoken.seconds * 1000 for spoken, _, _ in turns)
    late = None
    reported = [
        (s.answered - s.command.reported) * 1000
        for s, _, _ in turns
        if s.command is not None and s.command.reported is not None and s.verification == "confirmed"
    ]
    if lag is not None and reported:
        late = round(statistics.median(reported), 1)
    return {
        "median_ms": round(statistics.median(seconds), 1),
        "worst_ms": round(seconds[-1], 1),
        "after_report_ms": late,
        "reads": round(statistics.mean(spoken.reads for spoken, _, _ in turns), 2),
        "confirmed": sum(spoken.verification in ("confirmed", "known") for spoken, _, _ in turns),
        "of": len(turns),
        "false_confirmations": sum(wrong for _, wrong, _ in turns),
        "false_doubts": sum(wrong for _, _, wrong in turns),
    }


def table(figures: Mapping[str, Any]) -> str:
    """For a person."""
    lines = []
    for name in ("with_events", "without_events"):
        lines += [
            name.replace("_", " "),
            f"  {'lamp reports':<14}{'median':>9}{'worst':>9}{'after report':>14}{'reads':>7}",
        ]
        lines[-1] += f"{'confirmed':>12}{'falsely':>9}{'doubted falsely':>17}"
        for kind, row in figures[name].items():
            late = "–" if row["after_report_ms"] is None else f"{row['after_report_ms']:.1f}"
            lines.append(
                f"  {kind:<14}{row['median_ms']:>9.1f}{row['worst_ms']:>9.1f}{late:>14}{row['reads']:>7.2f}"
                f"{row['confirmed']:>6} of {row['of']:<3}{row['false_confirmations']:>8}{row['false_doubts']:>17}"
            )
    for name in ("chaos", "flood"):
        if figures.get(name):
            lines.append(f"{name}: {json.dumps(figures[name])}")
    return "\n".join(lines)


def main() -> int:
    """Measure, print, and write the JSON file; fails where anything was confirmed falsely."""
    parser = argparse.ArgumentParser(prog="script/bench home", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "bench-home.json", help="where the figures go")
    parser.add_argument("--tries", type=int, default=10, help="how often each lamp is switched")
    parser.add_argument("--delay", type=float, default=0.5, help="ha_assist_verify_delay")
    parser.add_argument("--attempts", type=int, default=2, help="ha_assist_verify_attempts")
    parser.add_argument(
        "--chaos", type=int, default=0, metavar="ACTIONS", help="so many actions with spoilt events too"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the chaos")
    parser.add_argument("--flood", type=int, default=0, metavar="SECONDS", help="500 events for each of these seconds")
    arguments = parser.parse_args()
    logging.disable(logging.INFO)
    settings = {"tries": arguments.tries, "delay": arguments.delay, "attempts": arguments.attempts}
    figures: dict[str, Any] = {"load": round(os.getloadavg()[0], 1), **settings}
    if arguments.tries:
        figures["with_events"] = asyncio.run(measure(with_events=True, **settings))
        figures["without_events"] = asyncio.run(measure(with_events=False, **settings))
    if arguments.chaos:
        figures["chaos"] = asyncio.run(chaos(arguments.chaos, arguments.seed))
    if arguments.flood:
        figures["flood"] = flood(arguments.flood)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(figures, indent=1) + "\n")
    print(table(figures) if arguments.tries else json.dumps(figures, indent=1))
    rows = [*figures.get("with_events", {}).values(), *figures.get("without_events", {}).values()]
    wrong = sum(row["false_confirmations"] for row in rows) + figures.get("chaos", {}).get("false_confirmations", 0)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
