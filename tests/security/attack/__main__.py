"""`script/attack`: what `/health` takes while the server is left alone, and while each attack runs."""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.security.attack.attackers import ATTACKS, KEY, Place
from tests.security.attack.languages import many_languages
from tests.support.shared import ROOT

OPEN_FILES = 1024
PROBE_SECONDS = 0.02
NO_ANSWER = 10.0


@dataclass(slots=True)
class Server:
    """A server of its own, with its log in a file."""

    process: subprocess.Popen[bytes]
    log: Path
    api: int = 0
    panel: int = 0


@dataclass(slots=True)
class Health:
    """The times of `/health` in seconds, and how often it gave no answer."""

    times: list[float] = field(default_factory=list)
    failed: int = 0

    def probe(self, port: int) -> None:
        """Ask once, on a new connection."""
        began = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=NO_ANSWER)
        try:
            connection.request("GET", "/health")
            if connection.getresponse().status != 200:
                self.failed += 1
        except OSError:
            self.failed += 1
        finally:
            connection.close()
        self.times.append(time.perf_counter() - began)

    def told(self) -> str:
        ordered = sorted(self.times)
        shares = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 for share in (0.5, 0.95, 0.99)]
        p50, p95, p99 = (f"{share:.0f}" for share in shares)
        return (
            f"{len(ordered)} asked, {self.failed} unanswered, p50 {p50} ms, p95 {p95} ms, p99 {p99} ms, "
            f"most {ordered[-1] * 1000:.0f} ms"
        )


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """Start it with as few open files as a machine may give it."""
    log = folder / "log"
    options = ("--data-dir", str(folder), "--host", "127.0.0.1", "--port", "0", "--panel-port", "0", "--api-key", KEY)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HA_ASSIST_")}
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, before[1]))
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "ha_assist_addon", "serve", *options],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, before)
    try:
        ports: list[str] = []
        for _ in range(600):
            ports = re.findall(r"listens on port (\d+)", log.read_text(encoding="utf-8"))
            if len(ports) == 2 or process.poll() is not None:
                break
            time.sleep(0.1)
        yield Server(process, log, *map(int, ports))
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()


def watched(port: int, until: float) -> Health:
    """Ask for `/health` until then."""
    health = Health()
    while time.time() < until:
        health.probe(port)
        time.sleep(PROBE_SECONDS)
    return health


def attack(name: str, seconds: float) -> bool:
    """One attack on a new server; whether it held."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as attacked:
        # The warm-up has then ended.
        time.sleep(8)
        print(f"{name.replace('_', ' ')}", flush=True)
        print(f"  left alone: {watched(attacked.api, time.time() + 3).told()}", flush=True)
        before = attacked.log.stat().st_size
        # What an attack must prepare, such as a bomb, is not part of it.
        place = Place(attacked.api, attacked.panel, time.time() + seconds + 4)
        work = {each.__name__: each for each in ATTACKS}[name]
        process = multiprocessing.get_context("fork").Process(target=work, args=(place,), daemon=True)
        process.start()
        time.sleep(4)
        health = watched(attacked.api, place.until)
        process.join(5)
        process.terminate()
        log = attacked.log.read_bytes()[before:]
        alive = attacked.process.poll() is None
        print(f"  attacked:   {health.told()}")
        print(
            f"  {len(log)} bytes of log, {log.count(b'Traceback')} tracebacks, {log.count(b'Fault in')} faults; "
            f"the server {'is up' if alive else 'ENDED'}",
            flush=True,
        )
        return alive and not health.failed and b"Traceback" not in log and b"Fault in" not in log


def languages(seconds: float) -> bool:
    """Clients with the key in more languages than were ever loaded; whether all were answered."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as attacked, ThreadPoolExecutor(1) as pool:
        time.sleep(8)
        print("many languages", flush=True)
        print(f"  left alone: {watched(attacked.api, time.time() + 3).told()}", flush=True)
        talking = pool.submit(many_languages, attacked.api, seconds)
        time.sleep(1)
        health = watched(attacked.api, time.time() + seconds)
        times, unanswered, wrong = talking.result()
        print(f"  attacked:   {health.told()}")
        answers = Health(times, unanswered)
        print(f"  the clients' own requests: {answers.told()}; {wrong} wrong", flush=True)
        return not (health.failed or unanswered or wrong)


def main() -> int:
    """Run the named attacks, or all; the exit status is 1 where one did harm."""
    names = [*(each.__name__ for each in ATTACKS), "many_languages"]
    parser = argparse.ArgumentParser(prog="script/attack", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the attacks; all where none is named")
    parser.add_argument("--seconds", type=float, default=6, help="how long each takes")
    parser.add_argument("--list", action="store_true", help="name the attacks")
    known = parser.parse_args()
    if known.list:
        print(*names, sep="\n")
        return 0
    chosen = known.names or names
    if unknown := set(chosen) - set(names):
        parser.error(f"no such attack: {', '.join(sorted(unknown))}")
    held = True
    for name in chosen:
        held &= languages(known.seconds) if name == "many_languages" else attack(name, known.seconds)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
