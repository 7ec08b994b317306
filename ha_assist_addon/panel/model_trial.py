"""One tiny generation, for the person who wants to see that a model answers."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast

from ..backends.base import Backend
from ..backends.probe import Probe
from ..backends.upstream import UpstreamBackend
from ..conversation import ChatRequest, Message, Role, TextDelta
from ..errors import BackendTimeout, HaAssistError

SECONDS = 60.0
_QUESTION = "Answer with one word: hello."


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it: the steps of a server, or the answer of a model on this machine."""

    model: str
    probe: Probe | None = None
    seconds: float = 0.0
    answer: str = ""
    error: HaAssistError | None = None


async def try_model(backend: Backend) -> Trial:
    """Ask it once; never raises."""
    if isinstance(backend, UpstreamBackend):
        return Trial(backend.info.id, await backend.probe())
    began = time.perf_counter()
    text: list[str] = []
    error: HaAssistError | None = None
    request = ChatRequest(model=backend.info.id, messages=(Message(Role.USER, _QUESTION),), max_tokens=8)
    try:
        async with asyncio.timeout(SECONDS), aclosing(cast("Any", backend.generate(request))) as events:
            text.extend([event.text async for event in events if isinstance(event, TextDelta)])
    except HaAssistError as failure:
        error = failure
    except TimeoutError:
        error = BackendTimeout()
    return Trial(backend.info.id, None, time.perf_counter() - began, "".join(text).strip(), error)
