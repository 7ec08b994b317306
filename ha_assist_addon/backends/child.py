"""The process in which a native runtime runs: `python -m ha_assist_addon.backends.child`, started by `worker`."""

from __future__ import annotations

import importlib
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Sequence
from typing import BinaryIO

from ..conversation import ToolCall
from ..processes import die_with, private_streams
from .engines.base import Engine, EngineError, EngineFactory
from .engines.cut import Cut
from .messages import (
    MAX_LINE_BYTES,
    Alive,
    Called,
    Cancel,
    Close,
    Counted,
    CountTokens,
    Done,
    Failed,
    FromChild,
    Generate,
    Load,
    Malformed,
    Text,
    ToChild,
    encode,
    to_child,
)
from .think import ThinkFilter

LOGGER = logging.getLogger(__name__)
MALFORMED_EXIT = 3
ALIVE_SECONDS = 1.0


class Child:
    """Serves one engine: a thread listens, the main thread loads and generates."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._sending = threading.Lock()
        self._jobs: queue.SimpleQueue[ToChild] = queue.SimpleQueue()
        self._cancelled = ""
        self._engine: Engine | None = None

    def run(self) -> None:
        """Serve until told to close, or until loading or the engine fails for good."""
        threading.Thread(target=self._listen, daemon=True).start()
        load = self._jobs.get()
        if not isinstance(load, Load):
            return
        try:
            self._engine = _factory(load.engine)(load.path, **load.options)
        except EngineError as error:
            self.send(_failed("", error))
            return
        except MemoryError:
            self.send(Failed("", "not_ready", "There is not enough memory for the language model."))
            return
        self.send(self._engine.loaded)
        try:
            self._serve(self._engine)
        finally:
            self._engine.close()

    def _serve(self, engine: Engine) -> None:
        while True:
            match job := self._jobs.get():
                case Generate():
                    if not self._generate(engine, job):
                        return
                case CountTokens():
                    self._count(engine, job)
                case Close():
                    return
                case _:
                    raise Malformed(job.kind)

    def _listen(self) -> None:
        try:
            while line := self._incoming.readline(MAX_LINE_BYTES + 1):
                self._take(to_child(line))
        except Malformed:
            os._exit(MALFORMED_EXIT)
        # Nobody is left to answer to, and the engine may be stuck.
        os._exit(0)

    def _take(self, message: ToChild) -> None:
        match message:
            case Cancel():
                self._cancelled = message.id
                if self._engine is not None:
                    self._engine.cancel()
            case CountTokens() if self._engine is not None and self._engine.counts_beside:
                self._count(self._engine, message)
            case _:
                self._jobs.put(message)

    def _count(self, engine: Engine, job: CountTokens) -> None:
        try:
            self.send(Counted(job.id, engine.count(job.texts)))
        except EngineError as error:
            self.send(_failed(job.id, error))

    def _generate(self, engine: Engine, job: Generate) -> bool:
        """Answer, and tell whether the engine can go on."""
        answer = _Answer(self, job, engine.stop_tokens)
        try:
            if not answer.wanted:
                self.send(Done(job.id, "cancelled"))
                return True
            ended = engine.generate(job, answer)
            answer.end()
        except EngineError as error:
            if answer.cancelled and not error.broken:
                self.send(Done(job.id, "cancelled"))
                return True
            self.send(_failed(job.id, error))
            return not error.broken
        except MemoryError:
            self.send(Failed(job.id, "failed", "There is not enough memory for the language model.", broken=True))
            return False
        reason = "cancelled" if answer.cancelled else "stop" if answer.stopped_as_asked else ended.reason
        first, total = answer.seconds()
        self.send(Done(job.id, reason, ended.prompt_tokens, ended.completion_tokens, first, total))
        return True

    def is_cancelled(self, generation: str) -> bool:
        """Whether nobody wants this generation any more."""
        return generation == self._cancelled

    def send(self, message: FromChild) -> None:
        """Pass a message on; used by both threads."""
        with self._sending:
            self._outgoing.write(encode(message))
            self._outgoing.flush()


class _Answer:
    """Takes the raw text of an engine: control tokens, thinking and what follows a stop string go no further."""

    def __init__(self, child: Child, job: Generate, stop_tokens: Sequence[str]) -> None:
        self._child = child
        self._id = job.id
        self._control = Cut(stop_tokens)
        self._think = ThinkFilter()
        self._stop = Cut(job.stop)
        self._started = self._spoke = time.monotonic()
        self._first: float | None = None
        self.cancelled = False

    @property
    def stopped_as_asked(self) -> bool:
        return self._stop.reached

    @property
    def wanted(self) -> bool:
        self.cancelled = self.cancelled or self._child.is_cancelled(self._id)
        return not (self.cancelled or self._control.reached or self._stop.reached)

    def write(self, piece: str) -> None:
        if self._first is None:
            self._first = time.monotonic()
        self._pass_on(self._stop.feed(self._think.feed(self._control.feed(piece))))

    def call(self, calls: Sequence[ToolCall]) -> None:
        self._child.send(Called(self._id, tuple(calls)))

    def end(self) -> None:
        rest = self._think.feed(self._control.end()) + self._think.end()
        self._pass_on(self._stop.feed(rest) + self._stop.end())

    def seconds(self) -> tuple[float, float]:
        """Until the first token, and in all."""
        return (self._first or self._started) - self._started, time.monotonic() - self._started

    def _pass_on(self, text: str) -> None:
        if self.cancelled:
            return
        at = time.monotonic()
        if text:
            self._child.send(Text(self._id, text))
        elif at - self._spoke >= ALIVE_SECONDS:
            self._child.send(Alive(self._id))
        else:
            return
        self._spoke = at


def _factory(path: str) -> EngineFactory:
    module, _, name = path.partition(":")
    factory: EngineFactory = getattr(importlib.import_module(module), name)
    return factory


def _failed(generation: str, error: EngineError) -> Failed:
    return Failed(generation, error.code, error.sentence, lasting=error.lasting, broken=error.broken, facts=error.facts)


def main() -> None:
    """Serve the parent, whose process id is the only argument."""
    die_with(int(sys.argv[1]))
    # A terminal's Ctrl-C is the parent's to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Child(*private_streams()).run()
    # Threads of a runtime must not keep the process, and its destructors have nothing left to do.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
