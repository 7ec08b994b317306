"""What every language model backend offers: one generation, streamed, cancellable."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..conversation import ChatRequest, ReplyEvent


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A physical model that a client may name in `model`."""

    id: str
    owned_by: str


class ToolForm(StrEnum):
    """How a model is best asked for tool calls."""

    NATIVE = "native"
    """The server takes OpenAI's `tools` and answers with calls."""
    JSON = "json"
    """`response_format` holds the answer to a JSON schema."""
    TEXT = "text"
    """Nothing holds the model to a form: it is asked in words, and its answer is parsed leniently."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What a prompt for a backend must respect.

    `context_tokens` counts prompt and answer together, `prompt_tokens` limits the prompt alone; None where nobody says.
    """

    form: ToolForm
    context_tokens: int | None = None
    prompt_tokens: int | None = None
    images: bool = False


class ModelState(StrEnum):
    """How far a model is from answering."""

    READY = "ready"
    LOADING = "loading"
    DOWNLOADING = "downloading"
    MISSING = "missing"
    """Its file is not there, and nothing fetches it."""
    FAILED = "failed"
    """It cannot be used until the person, or a restart with back-off, changes something."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What the panel shows of a model; `detail` is one sentence for a person, empty where all is well.

    `progress` is a share from 0 to 1; `tokens_per_second` is that of the last answer; `facts` are versions, the device
    node and the like, by a name to show.
    """

    state: ModelState
    detail: str = ""
    progress: float | None = None
    memory_mb: float | None = None
    tokens_per_second: float | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    code: str = ""
    """Names the sentence of `detail`, so that it can be told in another language."""


class ModelFile(Protocol):
    """The file of a native model: there, on its way, or missing."""

    @property
    def path(self) -> Path | None:
        """The file, None while it is not whole."""
        ...

    @property
    def status(self) -> ModelStatus:
        """READY when it is there, else DOWNLOADING, MISSING or FAILED with a sentence."""
        ...

    async def wait(self) -> Path:
        """The file as soon as it is there; waits as long as that takes."""
        ...


class Backend(Protocol):
    """One physical model, chosen by the settings and never swapped for another.

    `generate` makes exactly one generation. It raises `BackendUnavailable`, `BackendFailed`, `BackendTimeout`, `Busy`
    or `ContextLengthExceeded`; closing the iterator cancels the generation.
    """

    @property
    def info(self) -> ModelInfo:
        """The model behind this backend."""
        ...

    async def status(self) -> ModelStatus:
        """How the model is now; quick, and never raises."""
        ...

    async def traits(self) -> Traits:
        """What prompts must respect; quick, and never raises."""
        ...

    async def count_tokens(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of each text by the model's own tokenizer, estimated on the safe side where there is none to ask."""
        ...

    def generate(self, request: ChatRequest) -> AsyncIterator[ReplyEvent]:
        """Answer a request, as text and calls that nobody has validated yet."""
        ...

    async def close(self) -> None:
        """Release what the backend holds."""
        ...


@dataclass(frozen=True, slots=True)
class Forwarded:
    """The answer of a model to a request that was passed on as it came; the chunks are its body, unread."""

    status: int
    content_type: str
    chunks: AsyncIterator[bytes]


@runtime_checkable
class Forwarder(Protocol):
    """A backend that speaks OpenAI's language itself, so that a request for its model is passed on unchanged."""

    def forward(self, body: bytes) -> AbstractAsyncContextManager[Forwarded]:
        """Pass a request's body on; raises on entry as `Backend.generate` does, leaving cancels the generation."""
        ...


def estimated_tokens(text: str) -> int:
    """Tokens of a text on the safe side, where no tokenizer can be asked: three bytes each."""
    return len(text.encode("utf-8", "replace")) // 3 + 1
