"""The stand-in's language and vision models."""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Self

from . import (
    BEHAVIOUR,
    INVALID_ARGUMENT,
    INVALID_HEF,
    INVALID_OPERATION,
    HailoRTInvalidOperationException,
    HailoRTStatusException,
    HailoRTTimeout,
    VDevice,
    hold,
)

STOP, RECOVERY = "<|im_end|>", "<|endoftext|>"
PIECE = 3
"""Characters of one token of an answer, so that control tokens are cut everywhere."""
SAMPLING = frozenset(
    {"temperature", "top_p", "top_k", "frequency_penalty", "max_generated_tokens", "do_sample", "seed"}
)
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{% if message.content is string %}{{ message.content }}{% else %}"
    "{% for part in message.content %}{{ part.text or '<|image_pad|>' }}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class Status(Enum):
    """How far a generation is."""

    GENERATING = 0
    LOGICAL_END_OF_GENERATION = 1
    MAX_TOKENS_REACHED = 2
    ABORTED = 3


class Completion:
    """A generation under way."""

    def __init__(self, pieces: Sequence[str], *, cut: bool) -> None:
        self._pieces = list(pieces)
        self._cut = cut
        self._read = 0
        self._status = Status.GENERATING

    @property
    def generation_status(self) -> Status:
        """How far it is."""
        return self._status

    def read(self, timeout_ms: int = 10000) -> str:
        """The next token's text."""
        if self._status is not Status.GENERATING:
            raise HailoRTInvalidOperationException("Invalid operation. See hailort.log for more information")
        if self._read == 0 and BEHAVIOUR.prefill_seconds:
            hold(min(BEHAVIOUR.prefill_seconds, timeout_ms / 1000) * BEHAVIOUR.clock)
            if timeout_ms / 1000 < BEHAVIOUR.prefill_seconds:
                raise HailoRTTimeout("Received a timeout - hailort has failed because a timeout had occurred")
        if BEHAVIOUR.lost_after is not None and self._read >= BEHAVIOUR.lost_after:
            hold(BEHAVIOUR.lost_seconds)
            raise HailoRTInvalidOperationException("Invalid operation. See hailort.log for more information")
        hold(BEHAVIOUR.token_seconds)
        piece = self._pieces[self._read]
        self._read += 1
        if self._read == len(self._pieces):
            self._status = Status.MAX_TOKENS_REACHED if self._cut else Status.LOGICAL_END_OF_GENERATION
        return piece

    def read_all(self) -> str:
        """All that is left."""
        return "".join(self)

    def release(self) -> None:
        """Abort it; blocks until that is done."""
        if self._status is Status.GENERATING:
            hold(BEHAVIOUR.abort_seconds)
            self._status = Status.ABORTED

    def __iter__(self) -> Iterator[str]:
        while self._status is Status.GENERATING:
            yield self.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class _Model:
    def __init__(self, vdevice: VDevice, hef_path: str) -> None:
        hold(BEHAVIOUR.load_seconds)
        if vdevice.released:
            raise HailoRTStatusException(str(INVALID_OPERATION))
        if BEHAVIOUR.model_error:
            raise HailoRTStatusException(str(BEHAVIOUR.model_error))
        if not Path(hef_path).read_bytes().startswith(b"\x01HEF"):
            raise HailoRTStatusException(str(INVALID_HEF))
        self._place = Path(BEHAVIOUR.lock or f"{hef_path}.lock").open("w")  # noqa: SIM115 - held until release
        try:
            fcntl.flock(self._place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HailoRTStatusException(str(INVALID_OPERATION)) from None
        self._usage = 0
        self._slid = False

    def tokenize(self, text: str) -> list[int]:
        """Words and signs."""
        return [hash(word) % 50000 for word in re.findall(r"\w+|[^\w\s]", text)]

    def get_context_usage_size(self) -> int:
        """Tokens in the cache."""
        return self._usage

    def max_context_capacity(self) -> int:
        """Tokens that fit."""
        return BEHAVIOUR.capacity

    def clear_context(self) -> None:
        """Forget the conversation."""
        self._usage = 0

    def prompt_template(self) -> str:
        """The model's chat template."""
        return BEHAVIOUR.template + TEMPLATE

    def get_stop_tokens(self) -> list[str]:
        """Texts that end an answer."""
        return [STOP]

    def set_stop_tokens(self, stop_tokens: list[str]) -> None:
        """Unused here."""

    def get_generation_recovery_sequence(self) -> str:
        """What is printed where an answer is cut off."""
        return RECOVERY

    def set_generation_recovery_sequence(self, sequence: str) -> None:
        """Unused here."""

    def release(self) -> None:
        """Unload."""
        self._place.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _complete(self, texts: list[str], frames: Sequence[Any], options: dict[str, Any]) -> Completion:
        given = {name: value for name, value in options.items() if value is not None}
        for name, good in (("temperature", lambda v: v > 0), ("top_k", lambda v: v >= 1), ("frequency_penalty", bool)):
            if name in given and not good(given[name]):
                raise HailoRTStatusException(str(INVALID_ARGUMENT))
        usage = self._usage + sum(len(self.tokenize(text)) for text in texts)
        self._slid = self._slid or usage > BEHAVIOUR.capacity
        text = BEHAVIOUR.says
        filled = {
            "last": texts[-1],
            "usage": str(self._usage),
            "slid": str(self._slid),
            "frames": json.dumps([[*frame.shape, str(frame.dtype)] for frame in frames]),
            "options": json.dumps(given, sort_keys=True),
        }
        for name, value in filled.items():
            text = text.replace(f"{{{name}}}", value)
        whole = text + STOP
        pieces = [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]
        limit = given.get("max_generated_tokens", BEHAVIOUR.capacity)
        cut = len(pieces) > limit
        if cut:
            pieces = [*pieces[:limit], RECOVERY[:5], RECOVERY[5:]]
        # The cache slides without a word.
        self._usage = min(usage + len(pieces), BEHAVIOUR.capacity)
        return Completion(pieces, cut=cut)


class LLM(_Model):
    """A language model."""

    def __init__(
        self, vdevice: VDevice, hef_path: str, lora_name: str = "", optimize_memory_on_device: bool = False
    ) -> None:
        super().__init__(vdevice, hef_path)

    def generate(
        self,
        prompt: list[dict[str, str]],
        tools: list[dict[str, Any]] | None = None,
        temperature: float | None = None,
        top_p: float | None = None,
        top_k: int | None = None,
        frequency_penalty: float | None = None,
        max_generated_tokens: int | None = None,
        do_sample: bool | None = None,
        seed: int | None = None,
    ) -> Completion:
        """Begin an answer."""
        options = {name: value for name, value in locals().items() if name in SAMPLING}
        if not all(isinstance(message["content"], str) for message in prompt):
            raise HailoRTStatusException(str(INVALID_ARGUMENT))
        return self._complete([message["content"] for message in prompt], (), options)


class VLM(_Model):
    """A vision model."""

    def __init__(self, vdevice: VDevice, hef_path: str, optimize_memory_on_device: bool = False) -> None:
        super().__init__(vdevice, hef_path)

    def input_frame_shape(self) -> tuple[int, int, int]:
        """Height, width and channels of a picture."""
        return (336, 448, 3)

    def generate(
        self,
        prompt: list[dict[str, Any]],
        frames: Sequence[Any],
        videos: Sequence[Any] | None = None,
        temperature: float | None = None,
        top_p: float | None = None,
        top_k: int | None = None,
        frequency_penalty: float | None = None,
        max_generated_tokens: int | None = None,
        do_sample: bool | None = None,
        seed: int | None = None,
    ) -> Completion:
        """Begin an answer."""
        options = {name: value for name, value in locals().items() if name in SAMPLING}
        parts = [part for message in prompt for part in message["content"]]
        pictures = sum(part["type"] == "image" for part in parts)
        right = all(frame.shape == self.input_frame_shape() and str(frame.dtype) == "uint8" for frame in frames)
        if pictures != len(frames) or not right:
            raise HailoRTStatusException(str(INVALID_ARGUMENT))
        return self._complete([part["text"] for part in parts if part["type"] == "text"], frames, options)
