"""A language model that plays a script: it remembers what it was asked, and counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ha_assist_addon.backends.base import Backend, ModelInfo, ToolForm, Traits, estimated_tokens
from ha_assist_addon.conversation import CallEvent, ChatRequest, Finish, ReplyEvent, TextDelta, ToolCall
from ha_assist_addon.models.status import ModelState, ModelStatus

Said = str | ToolCall | Exception | float
"""A piece of text, a call, an error to raise, or seconds to wait."""
Script = Sequence[Said] | Callable[[ChatRequest], Iterable[Said]]


def makes(tool: str, /, **arguments: object) -> ToolCall:
    """A call with a readable id."""
    return ToolCall(f"call_{tool}", tool, arguments)


@dataclass(slots=True)
class FakeBackend:
    """Answers each request with the next script, the last one for ever."""

    scripts: list[Script] = field(default_factory=lambda: [["I would rather not do that."]])
    form: ToolForm = ToolForm.JSON
    context_tokens: int | None = 8192
    images: bool = True
    seen: list[ChatRequest] = field(default_factory=list)
    ended: int = 0
    """Generations that were left, by their end or by a cancel."""
    reason: str = "stop"
    state: ModelState = ModelState.READY

    @property
    def info(self) -> ModelInfo:
        """A name of its own."""
        return ModelInfo("fake", "tests")

    @property
    def prompt(self) -> str:
        """All texts of the last request."""
        return "\n".join(message.text for message in self.seen[-1].messages)

    async def status(self) -> ModelStatus:
        """As the test wants it."""
        return ModelStatus(self.state)

    async def traits(self) -> Traits:
        """As the test wants them."""
        return Traits(self.form, self.context_tokens, images=self.images)

    async def count_tokens(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Three bytes each."""
        return tuple(map(estimated_tokens, texts))

    async def generate(self, request: ChatRequest) -> AsyncIterator[ReplyEvent]:
        """Play the next script."""
        self.seen.append(request)
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        called = False
        try:
            for said in script(request) if callable(script) else script:
                if isinstance(said, Exception):
                    raise said
                if isinstance(said, float):
                    await asyncio.sleep(said)
                elif isinstance(said, ToolCall):
                    called = True
                    yield CallEvent(said)
                else:
                    yield TextDelta(said)
            yield Finish("tool_calls" if called else "length" if self.reason == "length" else "stop")
        finally:
            self.ended += 1

    async def close(self) -> None:
        """Nothing to release."""


class FakeModels:
    """A registry of one text model and perhaps a vision model."""

    def __init__(self, text: Backend | None = None, vision: Backend | None = None) -> None:
        self._text, self._vision = text, vision

    def backends(self) -> tuple[Backend, ...]:
        """Those that are there."""
        return tuple(b for b in (self._text, self._vision) if b is not None)

    def models(self) -> tuple[ModelInfo, ...]:
        """Their names."""
        return tuple(b.info for b in self.backends())

    def find(self, model_id: str) -> Backend | None:
        """By name."""
        return next((b for b in self.backends() if b.info.id == model_id), None)

    def text(self) -> Backend | None:
        """The text model."""
        return self._text

    def vision(self) -> Backend | None:
        """The vision model."""
        return self._vision

    async def close(self) -> None:
        """Nothing to release."""
