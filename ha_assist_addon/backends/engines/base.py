"""What a native runtime must offer inside its process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ...conversation import ToolCall
from ..messages import FailureCode, Generate, Loaded

ANSWER_TOKENS = 256
"""What must be left of the context for an answer whose length nobody limits more."""


Options = Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """Which engine a process runs: the import path `module:Class`, and keyword arguments for it beside the file."""

    engine: str
    options: Options = field(default_factory=dict)


class EngineError(Exception):
    """What an engine cannot do, with a sentence for a person; see `messages.Failed`."""

    def __init__(
        self,
        sentence: str,
        code: FailureCode = "failed",
        *,
        lasting: bool = False,
        broken: bool = False,
        facts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code: FailureCode = code
        self.lasting = lasting
        self.broken = broken
        self.facts = dict(facts or {})


@dataclass(frozen=True, slots=True)
class Ended:
    """How a generation ended, and what it took."""

    reason: Literal["stop", "length"]
    prompt_tokens: int
    completion_tokens: int


class Output(Protocol):
    """Where an engine puts its answer; once `wanted` is False nobody needs the rest."""

    @property
    def wanted(self) -> bool:
        """Whether to go on."""
        ...

    def write(self, piece: str) -> None:
        """Add what one token adds to the text, raw; may be empty."""
        ...

    def call(self, calls: Sequence[ToolCall]) -> None:
        """Add calls that the runtime has read itself."""
        ...


class Engine(Protocol):
    """A loaded model, used by one thread; only `cancel`, and `count` if `counts_beside` is set, come from another."""

    counts_beside: bool
    """Whether tokens can be counted while a generation runs."""

    @property
    def loaded(self) -> Loaded:
        """What the model can do."""
        ...

    @property
    def stop_tokens(self) -> tuple[str, ...]:
        """Control tokens that the runtime prints as text at the end of an answer."""
        ...

    def count(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of each text."""
        ...

    def generate(self, job: Generate, output: Output) -> Ended:
        """Answer once; raises EngineError."""
        ...

    def cancel(self) -> None:
        """Make a running generation end soon, where that needs more than `Output.wanted`."""
        ...

    def close(self) -> None:
        """Release model and device."""
        ...


EngineFactory = Callable[..., Engine]


def answer_limit(prompt_tokens: int, context_tokens: int, max_tokens: int | None) -> int:
    """How long the answer may become; raises EngineError where the prompt leaves too little room for one."""
    room = context_tokens - prompt_tokens
    needed = min(ANSWER_TOKENS, context_tokens // 4)
    if room < min(needed, max_tokens or needed):
        raise EngineError("This request is too long for the language model.", "context_length")
    return min(room, max_tokens or room)
