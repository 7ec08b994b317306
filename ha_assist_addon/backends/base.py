"""What every language model backend offers: one generation, streamed, cancellable."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

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
