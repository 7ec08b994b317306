"""Any OpenAI-compatible server: how a home grows past one machine."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

import aiohttp

from ..conversation import ChatRequest, ReplyEvent
from ..errors import (
    BackendFailed,
    BackendTimeout,
    BackendUnavailable,
    Busy,
    ContextLengthExceeded,
    HaAssistError,
)
from ..models.status import ModelState, ModelStatus
from .base import Forwarded, ModelInfo, ToolForm, Traits, estimated_tokens
from .line import Line
from .openai_form import AnswerReader, request_body
from .probe import Probe, ProbeStep, probe_server
from .refusals import is_error_object, refusal
from .server_kind import UNKNOWN, ServerKind, ServerLook

CONNECT_SECONDS = 10.0
PROBE_SECONDS = 3.0
KNOWN_SECONDS, UNKNOWN_SECONDS = 300.0, 20.0
"""How long it is believed what kind of server there is."""
REFUSAL_BYTES = 64 * 1024
ANSWER_TYPES = frozenset({"application/json", "text/event-stream"})
CLIENTS_OWN_FAULT = frozenset({400, 413, 422})
_STATUS_SENTENCES = {
    ProbeStep.ADDRESS: BackendUnavailable.sentence,
    ProbeStep.KEY: "The language model's server refuses the key in HA-Assist's settings.",
    ProbeStep.MODELS: "The language model's server does not know this model.",
}


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """How the last real request to a server ended."""

    at: datetime
    ms: float
    error: HaAssistError | None = None


class UpstreamBackend:
    """One model of one server; `queue` requests may wait for room where it tells its room, else so many run at once."""

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        api_key: str | None,
        timeout: float,
        queue: int,
        context_tokens: int | None = None,
        tool_form: ToolForm | None = None,
    ) -> None:
        """Without `context_tokens` and `tool_form` the server is asked."""
        self._base_url = base_url.rstrip("/")
        self._model = model
        self._api_key = (api_key or "").strip()
        self._timeout = timeout
        self._line = Line(queue)
        self._session: aiohttp.ClientSession | None = None
        self._context_tokens = context_tokens
        self._tool_form = tool_form
        self._looked = (UNKNOWN, float("-inf"))
        self._looking: asyncio.Task[ServerKind] | None = None
        self.last_answer: LastAnswer | None = None
        """None until the model has been asked for the first time."""

    @property
    def info(self) -> ModelInfo:
        """The model as the settings name it."""
        return ModelInfo(self._model, "upstream")

    async def status(self) -> ModelStatus:
        """Whether the server answers at the address, takes the key and knows the model, and how it answered last."""
        checks = (await probe_server(self._base_url, self._api_key, self._model, answer=False)).checks
        last = self.last_answer
        kind = await self._kind() if checks[0].ok else UNKNOWN
        facts = {"server": kind.name, "context": f"{kind.context_tokens} tokens" if kind.context_tokens else ""}
        facts = {key: value for key, value in facts.items() if value}
        wrong = next((check for check in checks if check.ok is False), None)
        failed = last.error if last is not None else None
        if failed is not None and (wrong is None or wrong.step is ProbeStep.MODELS):
            return ModelStatus(ModelState.FAILED, failed.message, facts=facts, code=failed.code)
        # A server may list its models oddly or not at all; that it has answered counts more.
        if wrong is None or (last is not None and wrong.code == "unknown"):
            return ModelStatus(ModelState.READY, facts=facts)
        code = f"{wrong.step}.{wrong.code}"
        return ModelStatus(ModelState.FAILED, _STATUS_SENTENCES[wrong.step], facts=facts, code=code)

    async def probe(self) -> Probe:
        """Try the server with one tiny generation, which counts as its last answer."""
        began = time.perf_counter()
        probe = await probe_server(self._base_url, self._api_key, self._model)
        answer = probe.checks[-1]
        if answer.ok is not None:
            error = None if answer.ok else BackendFailed()
            if error is not None:
                error.said = answer.said
            self._note(began, error)
        return probe

    async def traits(self) -> Traits:
        """What the settings say of the server, else what it tells itself."""
        kind = await self._kind()
        form = kind.form if self._tool_form is None else self._tool_form
        return Traits(form, self._context_tokens or kind.context_tokens, images=kind.images is not False)

    async def count_tokens(self, texts: Sequence[str]) -> tuple[int, ...]:
        """By the server's tokenizer where it counts."""
        kind = await self._kind()
        look = self._look()
        return tuple([await look.count(kind, self._model, text) or estimated_tokens(text) for text in texts])

    async def generate(self, request: ChatRequest) -> AsyncGenerator[ReplyEvent]:
        """One streamed generation; a server that answers in one piece is understood too."""
        reader = AnswerReader()
        quiet = dict(self._looked[0].quiet)
        async with self._remembered(), self._exchange(request_body(request, self._model, quiet)) as response:
            if not response.ok:
                raise refusal(response.status, await _refused(response))
            async for chunk in _Chunks(response):
                for event in reader.feed(chunk):
                    yield event
                if reader.done:
                    break
            for event in reader.end():
                yield event

    @asynccontextmanager
    async def forward(self, body: bytes) -> AsyncIterator[Forwarded]:
        """Pass a body on unchanged; a refusal that is the client's own fault is passed back as it came."""
        async with self._remembered(), self._exchange(body) as response:
            if response.ok:
                if response.content_type not in ANSWER_TYPES:
                    raise BackendFailed("The language model's server answered with something else than an answer.")
                yield Forwarded(response.status, response.headers["Content-Type"], _Chunks(response))
                return
            answer = await _refused(response)
            error = refusal(response.status, answer)
            own_fault = response.status in CLIENTS_OWN_FAULT and is_error_object(answer)
            if not own_fault or isinstance(error, ContextLengthExceeded):
                raise error
            yield Forwarded(response.status, "application/json", _once(json.dumps(answer).encode()))

    @asynccontextmanager
    async def _remembered(self) -> AsyncIterator[None]:
        """Note how a request ended; one that was given up by its client, or never sent, says nothing of the server."""
        began = time.perf_counter()
        try:
            yield
        except ContextLengthExceeded:
            self._note(began, None)
            raise
        except HaAssistError as error:
            # Without words of the server's, busy are we ourselves.
            if not isinstance(error, Busy) or error.said:
                self._note(began, error)
            raise
        self._note(began, None)

    def _note(self, began: float, error: HaAssistError | None) -> None:
        self.last_answer = LastAnswer(datetime.now(UTC), round((time.perf_counter() - began) * 1000, 1), error)

    async def reachable(self) -> bool:
        """Whether a server answers at the address; for showing, never a condition for asking it."""
        try:
            async with self._client().get(
                f"{self._base_url}/models",
                headers=self._headers(),
                timeout=aiohttp.ClientTimeout(total=PROBE_SECONDS),
                allow_redirects=False,
            ) as response:
                return response.status < 500
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
            return False

    async def close(self) -> None:
        """Let running generations end, then close the connections."""
        await self._line.empty()
        if self._looking is not None:
            self._looking.cancel()
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _kind(self) -> ServerKind:
        """The kind of server as last seen; one that has not told yet is asked again soon."""
        kind, until = self._looked
        if time.monotonic() < until:
            return kind
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_again(), name="upstream-kind")
        return await asyncio.shield(self._looking)

    async def _look_again(self) -> ServerKind:
        try:
            kind = await self._look().kind(self._model)
            known = kind if kind is not UNKNOWN else self._looked[0]
            self._looked = known, time.monotonic() + (UNKNOWN_SECONDS if kind is UNKNOWN else KNOWN_SECONDS)
            return known
        finally:
            self._looking = None

    def _look(self) -> ServerLook:
        return ServerLook(self._client(), self._base_url, self._headers(), PROBE_SECONDS)

    @asynccontextmanager
    async def _exchange(self, body: bytes) -> AsyncIterator[aiohttp.ClientResponse]:
        async with self._line.place(self._looked[0].slots, self._timeout) as seconds:
            headers = self._headers() | {"Content-Type": "application/json"}
            with _connecting():
                response = await self._client().post(
                    f"{self._base_url}/chat/completions",
                    data=io.BytesIO(body),  # plain bytes of more than a megabyte would make aiohttp warn
                    headers=headers,
                    timeout=aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS),
                    allow_redirects=False,
                )
            try:
                yield response
            finally:
                # Closing the connection is how a server learns that nobody wants the rest.
                response.close()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            # A connection kept open may be dead by the next sentence, and a generation is never tried twice.
            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True))
        return self._session


class _Chunks:
    """The body of an answer as it arrives; without a generator of its own that someone would have to close."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._content = response.content

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        with _reading():
            chunk = await self._content.readany()
        if not chunk:
            raise StopAsyncIteration
        return chunk


async def _once(body: bytes) -> AsyncGenerator[bytes]:
    yield body


async def _refused(response: aiohttp.ClientResponse) -> Any:
    """What came with a refusal: parsed where it is JSON, else None."""
    body = b""
    async for chunk in _Chunks(response):
        body += chunk
        if len(body) > REFUSAL_BYTES:
            return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


@contextmanager
def _connecting() -> Iterator[None]:
    try:
        yield
    except aiohttp.ConnectionTimeoutError as error:
        raise BackendUnavailable from error
    except TimeoutError as error:
        raise BackendTimeout from error
    except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError, ValueError) as error:
        raise BackendUnavailable("The address of the language model in HA-Assist's settings is not valid.") from error
    except aiohttp.ClientConnectionError as error:
        raise BackendUnavailable from error
    except (aiohttp.ClientError, OSError) as error:
        raise BackendFailed from error


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise BackendTimeout from error
    except (aiohttp.ClientError, OSError) as error:
        raise BackendFailed("The language model broke off in the middle of its answer.") from error
