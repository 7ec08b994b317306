"""A model that a native runtime runs on this machine, in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from uuid import uuid4

from ..conversation import CallEvent, ChatRequest, Finish, FinishReason, JsonObject, ReplyEvent, TextDelta, Usage
from ..errors import BackendTimeout, Busy, InvalidRequest, ModelNotReady
from ..models.status import ModelFile, ModelState, ModelStatus
from .base import ModelInfo, ToolForm, Traits, estimated_tokens
from .engines.base import EngineSpec
from .messages import Called, Done, Generate, Sampling, Text
from .printed import read_printed_calls
from .worker import LOADING, STOPPED, Limits, Worker

CALL_STARTS = "<{[`"
"""Where a printed call may begin; text from there on is held back until it is whole."""


class NativeBackend:
    """One generation at a time, in the order of arrival; `queue` more may wait, and all within `timeout` seconds."""

    def __init__(
        self,
        info: ModelInfo,
        engine: EngineSpec,
        file: ModelFile,
        *,
        queue: int,
        timeout: float,
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._info = info
        self._engine = engine
        self._file = file
        self._queue = queue
        self._timeout = timeout
        self._limits = limits
        self._environment = environment
        self._worker: Worker | None = None
        self._starting: asyncio.Task[None] | None = None
        self._closing = False
        self._present = 0
        self._turn = asyncio.Lock()

    @property
    def info(self) -> ModelInfo:
        """The model as the settings name it."""
        return self._info

    def start(self) -> None:
        """Load the model as soon as its file is there; returns at once."""
        self._starting = asyncio.get_running_loop().create_task(self._start())

    async def status(self) -> ModelStatus:
        """How far file, process and model are."""
        if self._worker is not None:
            return self._worker.status
        file = self._file.status
        return ModelStatus(ModelState.LOADING, LOADING) if file.state is ModelState.READY else file

    async def traits(self) -> Traits:
        """What the loaded model can do; as long as it is not loaded, the least that one could."""
        loaded = self._worker.loaded if self._worker is not None else None
        if loaded is None:
            return Traits(ToolForm.TEXT)
        form = ToolForm.JSON if loaded.constrains else ToolForm.TEXT
        return Traits(form, context_tokens=loaded.context_tokens, images=loaded.images)

    async def count_tokens(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens by the model's own tokenizer; while that is busy or missing, an estimate on the safe side."""
        clean = [_utf8(text) for text in texts]
        counts = await self._worker.count(clean) if self._worker is not None else None
        if counts is None or len(counts) != len(clean):
            return tuple(map(estimated_tokens, clean))
        return counts

    async def generate(self, request: ChatRequest) -> AsyncGenerator[ReplyEvent]:
        """Answer once; `ModelNotReady` says what is missing."""
        deadline = asyncio.get_running_loop().time() + self._timeout
        worker = await self._ready_worker()
        if any(message.images for message in request.messages) and not (worker.loaded and worker.loaded.images):
            raise InvalidRequest("This language model cannot look at images.")
        reader = _Reader(calls=bool(request.tools) and request.tool_choice != "none")
        with self._place():
            async with _Turn(self._turn, deadline), aclosing(worker.generate(_job(request))) as answer:
                if self._closing:
                    raise ModelNotReady(STOPPED)
                while True:
                    try:
                        async with asyncio.timeout_at(deadline):
                            message = await anext(answer)
                    except StopAsyncIteration:
                        return
                    except TimeoutError as error:
                        raise BackendTimeout from error
                    for event in reader.read(message):
                        yield event

    async def close(self) -> None:
        """Let the running generation end, refuse the waiting ones, and end the process."""
        self._closing = True
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait({self._starting})
        async with self._turn:
            if self._worker is not None:
                await self._worker.close()

    async def _start(self) -> None:
        path = await self._file.wait()
        self._worker = Worker(self._engine, path, self._limits, self._environment)

    async def _ready_worker(self) -> Worker:
        status = await self.status()
        if self._worker is None or status.state is not ModelState.READY:
            raise ModelNotReady(status.detail or None)
        if self._closing:
            raise ModelNotReady(STOPPED)
        return self._worker

    @contextmanager
    def _place(self) -> Iterator[None]:
        if self._present > self._queue:
            raise Busy
        self._present += 1
        try:
            yield
        finally:
            self._present -= 1


class _Turn:
    """A turn that is given out in the order of asking, and not waited for beyond the deadline."""

    def __init__(self, lock: asyncio.Lock, deadline: float) -> None:
        self._lock = lock
        self._deadline = deadline

    async def __aenter__(self) -> None:
        try:
            async with asyncio.timeout_at(self._deadline):
                await self._lock.acquire()
        except TimeoutError as error:
            raise BackendTimeout from error

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


class _Reader:
    """Turns what the process says into events; printed calls are read where calls were offered."""

    def __init__(self, *, calls: bool) -> None:
        self._calls = calls
        self._called = False
        self._held = ""

    def read(self, message: Text | Called | Done) -> Iterator[ReplyEvent]:
        match message:
            case Text():
                yield from self._text(message.piece)
            case Called():
                yield from self._events(message)
            case Done():
                yield from self._end(message)

    def _text(self, piece: str) -> Iterator[ReplyEvent]:
        if not self._calls:
            yield TextDelta(piece)
            return
        if not self._held:
            at = min((at for start in CALL_STARTS if (at := piece.find(start)) >= 0), default=len(piece))
            piece, self._held = piece[:at], piece[at:]
            if piece:
                yield TextDelta(piece)
        else:
            self._held += piece

    def _events(self, called: Called) -> Iterator[ReplyEvent]:
        for call in called.calls:
            self._called = True
            yield CallEvent(call)

    def _end(self, done: Done) -> Iterator[ReplyEvent]:
        calls, text = read_printed_calls(self._held)
        if text:
            yield TextDelta(text)
        yield from self._events(Called(done.id, calls))
        reason: FinishReason = "length" if done.reason == "length" else "stop"
        if self._called and reason == "stop":
            reason = "tool_calls"
        yield Finish(reason, Usage(done.prompt_tokens, done.completion_tokens))


def _job(request: ChatRequest) -> Generate:
    return Generate(
        uuid4().hex,
        request.messages,
        () if request.tool_choice == "none" else request.tools,
        _schema(request.response_format),
        Sampling(request.temperature, request.top_p, request.seed),
        request.max_tokens,
        request.stop,
    )


def _schema(response_format: JsonObject | None) -> JsonObject | None:
    """The JSON schema that an answer is to fit, None for free text."""
    match response_format:
        case {"type": "json_schema", "json_schema": {"schema": dict() as schema}}:
            return schema
        case {"type": "json_schema" | "json_object"}:
            return {"type": "object"}
        case _:
            return None


def _utf8(text: str) -> str:
    """The text without halves of characters, which JSON allows and no tokenizer does."""
    return text.encode("utf-8", "replace").decode()
