"""What every language model backend offers: one generation, streamed, cancellable."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..conversation import ChatRequest, ReplyEvent


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A physical model that a client may name in `model`."""

    id: str
    owned_by: str


class Backend(Protocol):
    """One physical model, chosen by the settings and never swapped for another.

    `generate` makes exactly one generation. It raises `BackendUnavailable`, `BackendFailed`, `BackendTimeout`, `Busy`
    or `ContextLengthExceeded`; closing the iterator cancels the generation.
    """

    @property
    def info(self) -> ModelInfo:
        """The model behind this backend."""
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
