"""Keeps the process of a native runtime running: loads, watches, limits, and restarts it with back-off."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from ..errors import BackendFailed, ContextLengthExceeded, HaAssistError, InvalidImage, InvalidRequest, ModelNotReady
from ..models.status import ModelState, ModelStatus
from .child_process import ChildProcess, Gone, Inbox, Received
from .engines.base import EngineSpec
from .messages import (
    Alive,
    Called,
    Cancel,
    Close,
    Counted,
    CountTokens,
    Done,
    Failed,
    Generate,
    Load,
    Loaded,
    Malformed,
    Text,
    encode,
)

LOGGER = logging.getLogger(__name__)
LOADING = "The language model is being loaded. Please try again in a moment."
HANGS = "The language model no longer answers."
STOPPED = "The language model is not running."


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that an operation may take before the process is killed, and seconds between two starts.

    `first` is the silence before the first token, `between` that between two; `count` is given up, not punished.
    The pause before a start doubles from `pause` to `longest_pause`; a failure that would recur waits `lasting_pause`.
    """

    load: float = 300
    first: float = 300
    between: float = 30
    cancel: float = 10
    count: float = 2
    close: float = 1.5
    pause: float = 1
    longest_pause: float = 60
    lasting_pause: float = 900


class Worker:
    """One model in one process at a time; only one generation may run at a time."""

    def __init__(
        self,
        spec: EngineSpec,
        path: Path,
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._load = Load(spec.engine, str(path), dict(spec.options))
        self._limits = limits or Limits()
        self._environment = environment or {}
        self._child: ChildProcess | None = None
        self._state, self._detail = ModelState.LOADING, LOADING
        self._facts: Mapping[str, str] = {}
        self._speed: float | None = None
        self._changed = asyncio.Event()
        self._served = False
        self._closing = False
        self._settling: asyncio.Task[None] | None = None
        self.loaded: Loaded | None = None
        """What the model can do; None until it has been loaded once."""
        self._supervising = asyncio.create_task(self._supervise())

    @property
    def status(self) -> ModelStatus:
        """How the model is now."""
        memory = self._child.memory_mb() if self._child is not None else None
        return ModelStatus(
            self._state, self._detail, memory_mb=memory, tokens_per_second=self._speed, facts=self._facts
        )

    async def _usable(self) -> ChildProcess:
        """Wait while the model loads or still ends a generation; raises ModelNotReady where it cannot be used."""
        while self._settling is not None or self._state is ModelState.LOADING or self._child_is_gone():
            if self._settling is not None:
                await asyncio.wait({self._settling})
                self._settling = None
            else:
                await self._changed.wait()
        if self._state is not ModelState.READY or self._child is None:
            raise ModelNotReady(self._detail)
        return self._child

    async def count(self, texts: Sequence[str]) -> tuple[int, ...] | None:
        """Tokens of each text, None where the process does not tell in time."""
        child = self._child
        if child is None or self._state is not ModelState.READY:
            return None
        job = CountTokens(uuid4().hex, tuple(texts))
        try:
            line = encode(job)
        except Malformed:
            return None
        inbox = child.open(job.id)
        try:
            async with asyncio.timeout(self._limits.count):
                await child.send(line)
                message = await inbox.get()
        except TimeoutError:
            return None
        finally:
            child.close(job.id)
        return message.counts if isinstance(message, Counted) else None

    async def generate(self, job: Generate) -> AsyncGenerator[Text | Called | Done]:
        """Pass the answer on; closing the generator cancels, and the next generation waits until that is obeyed."""
        try:
            line = encode(job)
        except Malformed as error:
            raise InvalidRequest from error
        child = await self._usable()
        inbox = child.open(job.id)
        ended = False
        limit = self._limits.first
        try:
            await child.send(line)
            while not ended:
                message = await self._next(child, inbox, limit)
                match message:
                    case Gone():
                        ended = True
                        raise BackendFailed(message.sentence)
                    case Failed():
                        ended = True
                        if message.broken:
                            child.kill(message.sentence)
                            await child.ended()
                        raise _error(message)
                    case Done():
                        ended = True
                        self._note(message)
                        yield message
                    case Text() | Called():
                        limit = self._limits.between
                        yield message
                    case Alive():
                        limit = self._limits.between
                    case _:
                        raise TypeError(message)
        finally:
            if ended:
                child.close(job.id)
            else:
                self._settling = asyncio.create_task(self._settle(child, job.id, inbox))

    async def close(self) -> None:
        """End the process, gently if it obeys."""
        self._closing = True
        child = self._child
        if child is not None and self._state is ModelState.READY:
            closing = asyncio.create_task(child.send(encode(Close())))
            await asyncio.wait({asyncio.create_task(child.ended())}, timeout=self._limits.close)
            closing.cancel()
        self._supervising.cancel()
        await asyncio.wait({self._supervising, *([self._settling] if self._settling is not None else [])})
        if (child := self._child) is not None:
            # The supervisor was interrupted while it waited for this very end.
            child.kill(STOPPED)
            await child.ended()
            self._child = None
        self._become(ModelState.FAILED, STOPPED)

    async def _supervise(self) -> None:
        failures, told = 0, ""
        while True:
            self._served = False
            gone = await self._run()
            failures = 1 if self._served else failures + 1
            if not self._closing:
                # What stays as it is need not be said every minute.
                known = gone.sentence == told and not self._served
                LOGGER.log(logging.DEBUG if known else logging.WARNING, "%s", gone.sentence)
            told = gone.sentence
            await asyncio.sleep(self._pause(gone, failures))
            if self._state is ModelState.FAILED:
                self._become(ModelState.LOADING, LOADING)

    async def _run(self) -> Gone:
        """One run of the process from start to end, and why it ended."""
        try:
            self._child = child = await ChildProcess.start(self._environment)
        except OSError as error:
            LOGGER.debug("No process for a runtime: %s", error)
            return self._unusable(Gone("The language model's process cannot be started."))
        try:
            message = await self._loading(child)
            if isinstance(message, Failed):
                self._facts = message.facts
                return self._unusable(Gone(message.sentence, lasting=message.lasting))
            if isinstance(message, Gone):
                return self._unusable(message)
            self.loaded, self._facts = message, message.facts
            self._become(ModelState.READY, "")
            gone = await child.ended()
            if gone.lasting:
                return self._unusable(gone)
            self._become(ModelState.LOADING, f"{gone.sentence} It is being started again.")
            return gone
        finally:
            child.kill(STOPPED)
            await child.ended()
            self._child = None

    async def _loading(self, child: ChildProcess) -> Loaded | Failed | Gone:
        try:
            async with asyncio.timeout(self._limits.load):
                await child.send(encode(self._load))
                return await child.loading.get()
        except TimeoutError:
            child.kill("The language model took too long to load.")
            return await child.ended()

    async def _next(self, child: ChildProcess, inbox: Inbox, limit: float) -> Received:
        try:
            async with asyncio.timeout(limit):
                return await inbox.get()
        except TimeoutError:
            child.kill(HANGS)
            return await child.ended()

    async def _settle(self, child: ChildProcess, generation: str, inbox: Inbox) -> None:
        try:
            async with asyncio.timeout(self._limits.cancel):
                await child.send(encode(Cancel(generation)))
                while not isinstance(await inbox.get(), Done | Failed | Gone):
                    pass
        except TimeoutError:
            child.kill(HANGS)
            await child.ended()
        finally:
            child.close(generation)

    def _unusable(self, gone: Gone) -> Gone:
        self._become(ModelState.FAILED, gone.sentence)
        return gone

    def _become(self, state: ModelState, detail: str) -> None:
        self._state, self._detail = state, detail
        self._changed.set()
        self._changed = asyncio.Event()

    def _child_is_gone(self) -> bool:
        return self._state is ModelState.READY and (self._child is None or self._child.gone is not None)

    def _pause(self, gone: Gone, failures: int) -> float:
        if gone.lasting:
            return self._limits.lasting_pause
        return min(self._limits.pause * 2.0 ** min(failures - 1, 16), self._limits.longest_pause)

    def _note(self, done: Done) -> None:
        self._served = True
        writing = done.seconds - done.first_seconds
        if done.completion_tokens > 1 and writing > 0:
            self._speed = (done.completion_tokens - 1) / writing


def _error(failed: Failed) -> HaAssistError:
    match failed.code:
        case "context_length":
            return ContextLengthExceeded(failed.sentence)
        case "image":
            return InvalidImage(failed.sentence)
        case "not_ready":
            return ModelNotReady(failed.sentence)
        case "failed":
            return BackendFailed(failed.sentence)
