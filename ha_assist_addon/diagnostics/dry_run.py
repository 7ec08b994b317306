"""Runs a sentence through the pipeline without doing anything: nothing is called, recorded or, unasked, generated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .summary import Detail

if TYPE_CHECKING:
    from ..services import Services

EXAMPLES = ("home",)
"""Names of the example homes."""


@dataclass(frozen=True, slots=True)
class Change:
    """What differs from the original: `route`, `intent`, `target`, `arguments` or `reply`."""

    what: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class DryRun:
    """What would happen."""

    detail: Detail
    """As of a recorded request; its `calls` are those that Home Assistant would get, its reply is in the summary."""
    would_inference_calls: int
    """Generations that a real run would make."""
    generative_calls: int
    """Generations that this run made."""
    prepared: Mapping[str, Any] | None = None
    """What the model was or would be asked."""
    error: str | None = None
    """The sentence of the error that a client would get."""
    diff: tuple[Change, ...] | None = None
    """Against the original; None without one."""


async def dry_run(
    body: Mapping[str, Any], services: Services, *, generate: bool = False, original: Detail | None = None
) -> DryRun:
    """Run a chat request's body; raises HaAssistError where it is no chat request."""
    raise NotImplementedError


async def body_for(
    sentence: str | None, services: Services, *, request_id: str | None = None, example: str | None = None
) -> tuple[dict[str, Any], Detail | None]:
    """A body that asks a sentence in the home of a request or of an example, and the original to compare with.

    Without a sentence it is the original's, with its tool rounds; without a home the last request's, else the example.
    Raises InvalidRequest or RequestNotKept.
    """
    raise NotImplementedError
