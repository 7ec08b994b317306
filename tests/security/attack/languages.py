"""Many clients at once, each in a language of its own: what that does to `/health`, and to them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from typing import Any

import aiohttp

from tests.security.attack.attackers import KEY
from tests.support.house import House, body, thing

CLIENTS = 64
PATIENCE = 30.0
"""Seconds after which Home Assistant's own clients would have given up."""
HOUSE = House((thing("Zorquib", "light", "Office"),))
SENTENCES = (
    "turn on the Zorquib",
    "schalte Zorquib ein",
    "allume Zorquib",
    "enciende Zorquib",
    "accendi Zorquib",
    "zet Zorquib aan",
    "włącz Zorquib",
    "liga Zorquib",
    "tänd Zorquib",
    "tænd Zorquib",
    "zapni Zorquib",
    "pornește Zorquib",
    "kapcsold fel a Zorquib",
    "laita Zorquib päälle",
    "slå på Zorquib",
    "включи Zorquib",
    "увімкни Zorquib",
    "Zorquib aç",
    "άναψε Zorquib",
    "пусни Zorquib",
    "prižgi Zorquib",
    "zapnúť Zorquib",
)


def many_languages(port: int, seconds: float) -> tuple[list[float], int, int]:
    """Let them talk; how long each answer took, and how many there were none of and were no 200."""
    told = subprocess.run(
        [sys.executable, "-m", __name__, str(port), str(seconds)], capture_output=True, text=True, check=True
    ).stdout
    times, unanswered, wrong = json.loads(told)
    return times, unanswered, wrong


async def _run(port: int, seconds: float) -> tuple[list[float], int, int]:
    times: list[float] = []
    counts = {"unanswered": 0, "wrong": 0}
    until = time.monotonic() + seconds
    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    headers = {"Authorization": f"Bearer {KEY}"}

    async def client(number: int, http: aiohttp.ClientSession) -> None:
        request: dict[str, Any] = body(HOUSE, SENTENCES[number % len(SENTENCES)])
        while time.monotonic() < until:
            began = time.perf_counter()
            try:
                async with http.post(url, json=request) as answer:
                    await answer.read()
                    counts["wrong"] += answer.status != 200
            except (TimeoutError, aiohttp.ClientError):
                counts["unanswered"] += 1
            times.append(time.perf_counter() - began)

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers=headers, timeout=timeout) as http:
        await asyncio.gather(*(client(number, http) for number in range(CLIENTS)))
    return times, counts["unanswered"], counts["wrong"]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_run(int(sys.argv[1]), float(sys.argv[2])))))
